package io.streamforge.operator.join;

import io.streamforge.function.SideOutput;
import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** One of the two sides of a join. */
@Specialised
final class JoinSide {
  /** {@link JoinRows#LEFT} or {@link JoinRows#RIGHT}. */
  final int index;

  /** Whether its rows come out without a partner. */
  final boolean keepsUnmatched;

  private final NodeCounters counters;
  private final @Nullable Output late;

  private JoinSide(
      int index,
      boolean keepsUnmatched,
      @Nullable SideOutput<?, ?> lateOutput,
      OperatorContext context) {
    this.index = index;
    this.keepsUnmatched = keepsUnmatched;
    this.counters = context.counters();
    this.late = lateOutput == null ? null : context.output(lateOutput.name());
  }

  static JoinSide left(Node.JoinNode node, OperatorContext context) {
    return new JoinSide(
        JoinRows.LEFT, node.kind() != Node.JoinKind.INNER, node.lateLeft(), context);
  }

  static JoinSide right(Node.JoinNode node, OperatorContext context) {
    return new JoinSide(
        JoinRows.RIGHT, node.kind() == Node.JoinKind.OUTER, node.lateRight(), context);
  }

  /** A row came too late to join anything. */
  void late(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.late++;
    if (late != null) {
      late.process(key, value, timestampMillis, headers);
    }
  }
}
