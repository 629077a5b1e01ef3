package io.streamforge.operator.join;

import io.streamforge.graph.Node;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Windows;

/** Makes the operator of a join node. */
@Specialised
public final class JoinOperators {
  private JoinOperators() {}

  /** The one for what the node matches. */
  public static Operator create(Node.JoinNode node, OperatorContext context) {
    if (node.matching() instanceof Node.Matching.Between between) {
      return new IntervalJoinOperator(node, between, context);
    } else if (node.matching() instanceof Node.Matching.InWindow in) {
      return in.windows() instanceof Windows.SessionWindows sessions
          ? new SessionJoinOperator(node, sessions, context)
          : new WindowJoinOperator(node, in.windows(), context);
    } else if (node.matching() instanceof Node.Matching.AsOf) {
      return new AsOfJoinOperator(node, context);
    } else if (node.matching() instanceof Node.Matching.Latest) {
      return new LatestJoinOperator(node, context);
    } else if (node.matching() instanceof Node.Matching.Tables) {
      return new TablesJoinOperator(node, context);
    }
    throw new IllegalArgumentException("'" + node.name() + "' does not say what it joins");
  }
}
