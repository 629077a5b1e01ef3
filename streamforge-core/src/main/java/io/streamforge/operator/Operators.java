package io.streamforge.operator;

import io.streamforge.graph.Node;
import io.streamforge.serde.KeyKind;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.NodeClasses;
import java.util.function.Supplier;

/** Makes the operators of a node: the one way that every host takes. */
public interface Operators {
  /** Those of a node in the job's own classes. */
  static Operators of(NodeClasses classes, String node) {
    return classes.instance(node, Operators.class, OperatorFactory.class);
  }

  /**
   * The operator of a node in one task.
   *
   * @param keyKind identity of the keys that the node groups by; asked only where it groups
   * @param sinkWriter where a sink's records go; asked only for sinks
   */
  Operator create(
      Node node,
      OperatorContext context,
      Supplier<KeyKind<Object>> keyKind,
      Supplier<SinkWriter<Object, Object>> sinkWriter);

  /** What combines records before the exchange to a node whose aggregate does that. */
  Operator combine(Node.WindowNode node, OperatorContext context);

  /** An operator that passes each record on. */
  Operator pass(OperatorContext context);
}
