package io.streamforge.operator;

import io.streamforge.function.Aggregator;
import io.streamforge.function.ForeachAction;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.Predicate;
import io.streamforge.function.Processor;
import io.streamforge.function.PushMapper;
import io.streamforge.function.ValueMapper;
import io.streamforge.function.ValuePushMapper;
import io.streamforge.graph.Node;
import io.streamforge.graph.NodeVisitor;
import io.streamforge.operator.join.JoinOperators;
import io.streamforge.operator.table.TableOperators;
import io.streamforge.operator.window.WindowOperators;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.KeyKind;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.Specialised;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The one place where operators are made of nodes. */
@Specialised
public final class OperatorFactory implements Operators {
  @Override
  public Operator create(
      Node node,
      OperatorContext context,
      Supplier<KeyKind<Object>> keyKind,
      Supplier<SinkWriter<Object, Object>> sinkWriter) {
    Rejections rejections = context.rejections();
    if (rejections == null) {
      return node.accept(new Maker(context, null, keyKind, sinkWriter));
    }
    Guard guard = new Guard(node.name());
    OperatorContext guarded = new GuardedContext(context, guard, rejections);
    return new GuardedOperator(
        node.accept(new Maker(guarded, guard, keyKind, sinkWriter)), guard, rejections, context);
  }

  @Override
  public Operator combine(Node.WindowNode node, OperatorContext context) {
    return WindowOperators.combine(node, context);
  }

  @Override
  public Operator pass(OperatorContext context) {
    return new PassOperator(context);
  }

  private static final class Maker implements NodeVisitor<Operator> {
    private final OperatorContext context;

    /** Null where what is rejected fails the job; then nothing is put around the functions. */
    private final @Nullable Guard guard;

    private final Supplier<KeyKind<Object>> keyKind;
    private final Supplier<SinkWriter<Object, Object>> sinkWriter;

    Maker(
        OperatorContext context,
        @Nullable Guard guard,
        Supplier<KeyKind<Object>> keyKind,
        Supplier<SinkWriter<Object, Object>> sinkWriter) {
      this.context = context;
      this.guard = guard;
      this.keyKind = keyKind;
      this.sinkWriter = sinkWriter;
    }

    /** The function, or what the guard makes of it. */
    private <F> F guarded(F function, BiFunction<Guard, F, F> by) {
      return guard == null ? function : by.apply(guard, function);
    }

    private KeyValueMapper<Object, Object, Object> mapper(KeyValueMapper<?, ?, ?> function) {
      return guarded(Values.cast(function), Guard::mapper);
    }

    @Override
    public Operator source(Node.SourceNode node) {
      throw new IllegalArgumentException("a source is read by the host: " + node.name());
    }

    @Override
    public Operator map(Node.MapNode node) {
      KeyValueMapper<Object, Object, KeyValue<?, ?>> mapper = Values.cast(node.mapper());
      return new MapOperator(guarded(mapper, Guard::pairs), context);
    }

    @Override
    public Operator mapValues(Node.MapValuesNode node) {
      if (node.mapper() != null) {
        ValueMapper<Object, Object> mapper = Values.cast(node.mapper());
        return new MapValuesOperator(guarded(mapper, Guard::values), context);
      }
      return new MapKeyedValuesOperator(mapper(Values.cast(node.keyedMapper())), context);
    }

    @Override
    public Operator selectKey(Node.SelectKeyNode node) {
      return new SelectKeyOperator(mapper(node.selector()), context);
    }

    @Override
    public Operator filter(Node.FilterNode node) {
      Predicate<Object, Object> predicate = Values.cast(node.predicate());
      return new FilterOperator(guarded(predicate, Guard::predicate), node.negated(), context);
    }

    @Override
    public Operator peek(Node.PeekNode node) {
      ForeachAction<Object, Object> action = Values.cast(node.action());
      return new PeekOperator(guarded(action, Guard::action), context);
    }

    @Override
    public Operator flatMap(Node.FlatMapNode node) {
      Node.FlatMapper mapper = node.mapper();
      boolean keepsKey = mapper.keepsKey();
      if (mapper instanceof Node.FlatMapper.ToIterable m) {
        KeyValueMapper<Object, Object, Iterable<?>> f = Values.cast(m.function());
        return pull(
            (k, v) -> FlatMapOperator.Results.of(f.apply(Values.cast(k), Values.cast(v))),
            keepsKey);
      } else if (mapper instanceof Node.FlatMapper.ToStream m) {
        KeyValueMapper<Object, Object, Stream<?>> f = Values.cast(m.function());
        return pull(
            (k, v) -> FlatMapOperator.Results.of(f.apply(Values.cast(k), Values.cast(v))),
            keepsKey);
      } else if (mapper instanceof Node.FlatMapper.ValuesToIterable m) {
        ValueMapper<Object, Iterable<?>> f = Values.cast(m.function());
        return pull((k, v) -> FlatMapOperator.Results.of(f.apply(Values.cast(v))), keepsKey);
      } else if (mapper instanceof Node.FlatMapper.ValuesToStream m) {
        ValueMapper<Object, Stream<?>> f = Values.cast(m.function());
        return pull((k, v) -> FlatMapOperator.Results.of(f.apply(Values.cast(v))), keepsKey);
      } else if (mapper instanceof Node.FlatMapper.Push m) {
        PushMapper<Object, Object, Object, Object> f = Values.cast(m.function());
        return new PushFlatMapOperator(guarded(f, Guard::push), context);
      } else {
        ValuePushMapper<Object, Object> f = Values.cast(mapper.function());
        return new PushFlatMapValuesOperator(guarded(f, Guard::push), context);
      }
    }

    private Operator pull(FlatMapOperator.Opener opener, boolean keepsKey) {
      return new FlatMapOperator(
          guard == null ? opener : guard.opener(opener, keepsKey), keepsKey, context);
    }

    @Override
    public Operator merge(Node.MergeNode node) {
      return new PassOperator(context);
    }

    @Override
    public Operator branch(Node.BranchNode node) {
      return new BranchOperator(guarded(node.branches(), Guard::branches), context);
    }

    @Override
    public Operator groupBy(Node.GroupByNode node) {
      KeyValueMapper<Object, Object, Object> selector = Values.cast(node.selector());
      return guard == null
          ? new GroupByOperator(selector, keyKind.get(), context)
          : new GroupByOperator(guard.selector(selector), guard.keyKind(keyKind.get()), context);
    }

    @Override
    public Operator rebalance(Node.RebalanceNode node) {
      return new PassOperator(context);
    }

    @Override
    public Operator process(Node.ProcessNode node) {
      Processor<Object, Object, Object, Object> processor = Values.cast(node.supplier().get());
      return new ProcessOperator(guarded(processor, Guard::processor), context);
    }

    @Override
    public Operator aggregate(Node.AggregateNode node) {
      Aggregator<Object, Object, Object> aggregator = Values.cast(node.aggregation().aggregator());
      return new AggregateOperator(guarded(aggregator, Guard::aggregator), context);
    }

    @Override
    public Operator window(Node.WindowNode node) {
      if (guard == null) {
        return WindowOperators.create(node, context);
      }
      Node.Aggregation aggregation = node.aggregation();
      return WindowOperators.create(
          new Node.WindowNode(
              node.name(),
              node.input(),
              node.windowing(),
              new Node.Aggregation(
                  aggregation.label(),
                  guard.aggregator(Values.cast(aggregation.aggregator())),
                  aggregation.function())),
          context);
    }

    @Override
    public Operator table(Node.TableNode node) {
      return TableOperators.create(node, context, keyKind);
    }

    @Override
    public Operator join(Node.JoinNode node) {
      return JoinOperators.create(node, context);
    }

    @Override
    public Operator sink(Node.SinkNode node) {
      return new SinkOperator(guarded(sinkWriter, Guard::writer), context);
    }
  }
}
