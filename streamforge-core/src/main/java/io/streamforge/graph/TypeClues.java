package io.streamforge.graph;

import io.streamforge.function.Aggregator;
import io.streamforge.function.Collector;
import io.streamforge.function.ForeachAction;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.Predicate;
import io.streamforge.function.Processor;
import io.streamforge.function.PushMapper;
import io.streamforge.function.Reducer;
import io.streamforge.function.SideOutput;
import io.streamforge.function.TypeArguments;
import io.streamforge.function.ValueCollector;
import io.streamforge.function.ValueJoiner;
import io.streamforge.function.ValueMapper;
import io.streamforge.function.ValuePushMapper;
import io.streamforge.graph.TypeInference.Part;
import io.streamforge.record.KeyValue;
import io.streamforge.time.Punctuator;
import io.streamforge.time.TimestampExtractor;
import java.lang.reflect.Type;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tells {@link TypeInference} what each node knows of types. */
final class TypeClues implements NodeVisitor<TypeInference> {
  private final LogicalGraph graph;
  private final TypeInference types;

  TypeClues(LogicalGraph graph, TypeInference types) {
    this.graph = graph;
    this.types = types;
  }

  private static Port out(Node node) {
    return Port.main(node.name());
  }

  /** A function of a key and a value takes what the port has. */
  private Signature keyAndValue(Port input, Object function, Class<?> shape) {
    Signature signature = Signature.of(function, shape);
    types.consumed(input, Part.KEY, signature.parameter(0));
    types.consumed(input, Part.VALUE, signature.parameter(1));
    return signature;
  }

  private Signature value(Port input, Object function, Class<?> shape) {
    Signature signature = Signature.of(function, shape);
    types.consumed(input, Part.VALUE, signature.parameter(0));
    return signature;
  }

  /** A function makes what the port has. */
  private void made(Port output, Part part, Signature signature) {
    types.produced(output, part, signature.result());
    unreadable(output, part, signature);
  }

  private void unreadable(Port output, Part part, Signature signature) {
    if (signature.unreadable() != null) {
      types.unreadable(output, part, signature.unreadable());
    }
  }

  private void sameBoth(Port input, Port output) {
    types.same(input, output, Part.KEY);
    types.same(input, output, Part.VALUE);
  }

  /** The argument that a type gives to one of {@code generic}; lambdas name none. */
  private static @Nullable Type argument(@Nullable Type type, Class<?> generic, int index) {
    return type == null ? null : TypeArguments.of(TypeInference.bounded(type), generic, index);
  }

  /** A function makes the pairs that the port has: what it is said to return or to emit. */
  private void pairs(Port output, @Nullable Type pair, Class<?> generic, Signature signature) {
    types.produced(output, Part.KEY, argument(pair, generic, 0));
    types.produced(output, Part.VALUE, argument(pair, generic, 1));
    unreadable(output, Part.KEY, signature);
    unreadable(output, Part.VALUE, signature);
  }

  /** A function makes the values that the port has, as elements of what it returns or fills. */
  private void elements(Port output, @Nullable Type all, Class<?> generic, Signature signature) {
    types.produced(output, Part.VALUE, argument(all, generic, 0));
    unreadable(output, Part.VALUE, signature);
  }

  @Override
  public TypeInference source(Node.SourceNode node) {
    Port output = out(node);
    types.produced(output, Part.KEY, node.source().keyType());
    types.produced(output, Part.VALUE, node.source().valueType());
    if (node.options().watermarks().timestamps() != null) {
      keyAndValue(output, node.options().watermarks().timestamps(), TimestampExtractor.class);
    }
    if (node.options().watermarks().punctuator() != null) {
      keyAndValue(output, node.options().watermarks().punctuator(), Punctuator.class);
    }
    return types;
  }

  @Override
  public TypeInference map(Node.MapNode node) {
    Signature signature = keyAndValue(node.input(), node.mapper(), KeyValueMapper.class);
    pairs(out(node), signature.result(), KeyValue.class, signature);
    return types;
  }

  @Override
  public TypeInference mapValues(Node.MapValuesNode node) {
    types.same(node.input(), out(node), Part.KEY);
    if (node.mapper() != null) {
      made(out(node), Part.VALUE, value(node.input(), node.mapper(), ValueMapper.class));
    }
    if (node.keyedMapper() != null) {
      made(
          out(node),
          Part.VALUE,
          keyAndValue(node.input(), node.keyedMapper(), KeyValueMapper.class));
    }
    return types;
  }

  @Override
  public TypeInference selectKey(Node.SelectKeyNode node) {
    types.same(node.input(), out(node), Part.VALUE);
    made(out(node), Part.KEY, keyAndValue(node.input(), node.selector(), KeyValueMapper.class));
    return types;
  }

  @Override
  public TypeInference filter(Node.FilterNode node) {
    keyAndValue(node.input(), node.predicate(), Predicate.class);
    sameBoth(node.input(), out(node));
    return types;
  }

  @Override
  public TypeInference peek(Node.PeekNode node) {
    keyAndValue(node.input(), node.action(), ForeachAction.class);
    sameBoth(node.input(), out(node));
    return types;
  }

  @Override
  public TypeInference flatMap(Node.FlatMapNode node) {
    Port input = node.input();
    Port output = out(node);
    Object function = node.mapper().function();
    if (node.mapper() instanceof Node.FlatMapper.Push) {
      Signature signature = keyAndValue(input, function, PushMapper.class);
      pairs(output, signature.parameter(2), Collector.class, signature);
    } else if (node.mapper() instanceof Node.FlatMapper.ValuesPush) {
      types.same(input, output, Part.KEY);
      Signature signature = value(input, function, ValuePushMapper.class);
      elements(output, signature.parameter(1), ValueCollector.class, signature);
    } else {
      boolean stream =
          node.mapper() instanceof Node.FlatMapper.ToStream
              || node.mapper() instanceof Node.FlatMapper.ValuesToStream;
      Class<?> many = stream ? Stream.class : Iterable.class;
      if (node.mapper().keepsKey()) {
        types.same(input, output, Part.KEY);
        Signature signature = value(input, function, ValueMapper.class);
        elements(output, signature.result(), many, signature);
      } else {
        Signature signature = keyAndValue(input, function, KeyValueMapper.class);
        Type element = argument(signature.result(), many, 0);
        pairs(output, element, KeyValue.class, signature);
      }
    }
    return types;
  }

  @Override
  public TypeInference merge(Node.MergeNode node) {
    for (Port input : node.inputs()) {
      sameBoth(input, out(node));
    }
    return types;
  }

  @Override
  public TypeInference branch(Node.BranchNode node) {
    for (Node.Branch branch : node.branches()) {
      if (branch.predicate() != null) {
        keyAndValue(node.input(), branch.predicate(), Predicate.class);
      }
      sameBoth(node.input(), new Port(node.name(), branch.name()));
    }
    return types;
  }

  @Override
  public TypeInference groupBy(Node.GroupByNode node) {
    types.same(node.input(), out(node), Part.VALUE);
    if (node.selector() == null) {
      types.same(node.input(), out(node), Part.KEY);
    } else {
      made(out(node), Part.KEY, keyAndValue(node.input(), node.selector(), KeyValueMapper.class));
    }
    return types;
  }

  @Override
  public TypeInference rebalance(Node.RebalanceNode node) {
    sameBoth(node.input(), out(node));
    return types;
  }

  @Override
  public TypeInference process(Node.ProcessNode node) {
    Class<?> type = graph.probe(node).type();
    if (type != null) {
      types.consumed(node.input(), Part.KEY, TypeArguments.of(type, Processor.class, 0));
      types.consumed(node.input(), Part.VALUE, TypeArguments.of(type, Processor.class, 1));
      types.produced(out(node), Part.KEY, TypeArguments.of(type, Processor.class, 2));
      types.produced(out(node), Part.VALUE, TypeArguments.of(type, Processor.class, 3));
    }
    return types;
  }

  @Override
  public TypeInference aggregate(Node.AggregateNode node) {
    types.same(node.input(), out(node), Part.KEY);
    result(node.input(), out(node), node.aggregation());
    return types;
  }

  @Override
  public TypeInference window(Node.WindowNode node) {
    types.same(node.input(), out(node), Part.KEY);
    // The results before they are put into windows; no node has an output of this name.
    Port bare = new Port(node.name(), "/bare");
    result(node.input(), bare, node.aggregation());
    types.windowed(out(node), bare);
    if (node.windowing().lateOutput() != null) {
      sameBoth(node.input(), new Port(node.name(), node.windowing().lateOutput().name()));
    }
    return types;
  }

  private void result(Port input, Port output, Node.Aggregation aggregation) {
    Aggregator<?, ?, ?> aggregator = aggregation.aggregator();
    Type value = aggregator.valueType();
    types.consumed(
        input,
        Part.VALUE,
        value != null ? value : TypeArguments.of(aggregator.getClass(), Aggregator.class, 0));
    if (aggregation.function() instanceof Reducer<?>) {
      types.same(input, output, Part.VALUE);
      return;
    }
    Type result = aggregator.resultType();
    types.produced(
        output,
        Part.VALUE,
        result != null ? result : TypeArguments.of(aggregator.getClass(), Aggregator.class, 2));
  }

  @Override
  public TypeInference table(Node.TableNode node) {
    Port input = node.input();
    Port inputRows = graph.rows(input);
    Port output = out(node);
    Port rows = graph.rows(output);
    if (!rows.equals(output)) {
      types.changes(output, rows);
    }
    Node.TableOperation operation = node.operation();
    if (operation instanceof Node.TableOperation.GroupBy groupBy) {
      types.same(inputRows, rows, Part.VALUE);
      made(output, Part.KEY, row(input, groupBy.selector(), KeyValueMapper.class));
      return types;
    }
    types.same(input, output, Part.KEY);
    if (operation instanceof Node.TableOperation.MapValues map) {
      if (map.mapper() != null) {
        made(rows, Part.VALUE, value(inputRows, map.mapper(), ValueMapper.class));
      }
      if (map.keyedMapper() != null) {
        made(rows, Part.VALUE, row(input, map.keyedMapper(), KeyValueMapper.class));
      }
    } else if (operation instanceof Node.TableOperation.Aggregate aggregate) {
      result(inputRows, rows, aggregate.aggregation());
    } else {
      types.same(inputRows, rows, Part.VALUE);
      if (operation instanceof Node.TableOperation.Filter filter) {
        row(input, filter.predicate(), Predicate.class);
      }
    }
    return types;
  }

  /** A function of a key and a row takes what the table has. */
  private Signature row(Port changes, Object function, Class<?> shape) {
    Signature signature = Signature.of(function, shape);
    types.consumed(changes, Part.KEY, signature.parameter(0));
    types.consumed(graph.rows(changes), Part.VALUE, signature.parameter(1));
    return signature;
  }

  @Override
  public TypeInference join(Node.JoinNode node) {
    types.same(node.left(), out(node), Part.KEY);
    Signature signature = Signature.of(node.joiner(), ValueJoiner.class);
    types.consumed(graph.rows(node.left()), Part.VALUE, signature.parameter(0));
    types.consumed(graph.rows(node.right()), Part.VALUE, signature.parameter(1));
    Port rows = graph.rows(out(node));
    if (!rows.equals(out(node))) {
      types.changes(out(node), rows);
    }
    made(rows, Part.VALUE, signature);
    late(node, node.left(), node.lateLeft());
    late(node, node.right(), node.lateRight());
    return types;
  }

  private void late(Node.JoinNode node, Port input, @Nullable SideOutput<?, ?> output) {
    if (output != null) {
      Port late = new Port(node.name(), output.name());
      types.same(input, late, Part.KEY);
      types.same(graph.rows(input), late, Part.VALUE);
    }
  }

  @Override
  public TypeInference sink(Node.SinkNode node) {
    return types;
  }
}
