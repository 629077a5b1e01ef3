package io.streamforge.operator;

import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.ValueMapper;
import io.streamforge.graph.Node;
import io.streamforge.graph.NodeVisitor;
import io.streamforge.operator.join.JoinOperators;
import io.streamforge.operator.window.WindowOperators;
import io.streamforge.serde.KeyKind;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.Specialised;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The one place where operators are made of nodes. */
@Specialised
public final class OperatorFactory implements Operators {
  @Override
  public Operator create(
      Node node,
      OperatorContext context,
      Supplier<KeyKind<Object>> keyKind,
      Supplier<SinkWriter<Object, Object>> sinkWriter) {
    return node.accept(new Maker(context, keyKind, sinkWriter));
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
    private final Supplier<KeyKind<Object>> keyKind;
    private final Supplier<SinkWriter<Object, Object>> sinkWriter;

    Maker(
        OperatorContext context,
        Supplier<KeyKind<Object>> keyKind,
        Supplier<SinkWriter<Object, Object>> sinkWriter) {
      this.context = context;
      this.keyKind = keyKind;
      this.sinkWriter = sinkWriter;
    }

    @Override
    public Operator source(Node.SourceNode node) {
      throw new IllegalArgumentException("a source is read by the host: " + node.name());
    }

    @Override
    public Operator map(Node.MapNode node) {
      return new MapOperator(Values.cast(node.mapper()), context);
    }

    @Override
    public Operator mapValues(Node.MapValuesNode node) {
      return node.mapper() != null
          ? new MapValuesOperator(Values.cast(node.mapper()), context)
          : new MapKeyedValuesOperator(Values.cast(node.keyedMapper()), context);
    }

    @Override
    public Operator selectKey(Node.SelectKeyNode node) {
      return new SelectKeyOperator(Values.cast(node.selector()), context);
    }

    @Override
    public Operator filter(Node.FilterNode node) {
      return new FilterOperator(Values.cast(node.predicate()), node.negated(), context);
    }

    @Override
    public Operator peek(Node.PeekNode node) {
      return new PeekOperator(Values.cast(node.action()), context);
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
        return new PushFlatMapOperator(Values.cast(m.function()), context);
      } else {
        return new PushFlatMapValuesOperator(Values.cast(mapper.function()), context);
      }
    }

    private Operator pull(FlatMapOperator.Opener opener, boolean keepsKey) {
      return new FlatMapOperator(opener, keepsKey, context);
    }

    @Override
    public Operator merge(Node.MergeNode node) {
      return new PassOperator(context);
    }

    @Override
    public Operator branch(Node.BranchNode node) {
      return new BranchOperator(node.branches(), context);
    }

    @Override
    public Operator groupBy(Node.GroupByNode node) {
      return new GroupByOperator(Values.cast(node.selector()), keyKind.get(), context);
    }

    @Override
    public Operator rebalance(Node.RebalanceNode node) {
      return new PassOperator(context);
    }

    @Override
    public Operator process(Node.ProcessNode node) {
      return new ProcessOperator(Values.cast(node.supplier().get()), context);
    }

    @Override
    public Operator aggregate(Node.AggregateNode node) {
      return new AggregateOperator(Values.cast(node.aggregation().aggregator()), context);
    }

    @Override
    public Operator window(Node.WindowNode node) {
      return WindowOperators.create(node, context);
    }

    @Override
    public Operator join(Node.JoinNode node) {
      return JoinOperators.create(node, context);
    }

    @Override
    public Operator sink(Node.SinkNode node) {
      return new SinkOperator(sinkWriter, context);
    }
  }
}
