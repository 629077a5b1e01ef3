package io.streamforge.operator.join;

import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.TimerHandler;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** What joins have in common: two inputs, and results that are emitted before the next row. */
@Specialised
abstract class JoinOperator implements Operator, TimerHandler {
  final OperatorContext context;
  final NodeCounters counters;
  final KeyContext keyContext;
  final JoinSide left;
  final JoinSide right;
  final JoinResults results;

  private final Operator rightInput = new RightInput();

  JoinOperator(Node.JoinNode node, OperatorContext context) {
    this.context = context;
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.left = JoinSide.left(node, context);
    this.right = JoinSide.right(node, context);
    this.results = new JoinResults(context, node.joiner());
  }

  /** A row of one of the sides. */
  abstract void take(
      JoinSide mine,
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers)
      throws Exception;

  @Override
  public final void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    take(left, key, value, timestampMillis, headers);
  }

  @Override
  public final Operator input(int index) {
    return index == JoinRows.LEFT ? this : rightInput;
  }

  @Override
  public final boolean pending() {
    return !results.isEmpty();
  }

  @Override
  public final void resume(int budget) throws Exception {
    results.emit(budget);
  }

  private final class RightInput implements Operator {
    @Override
    public void process(
        @Nullable Object key,
        @Nullable Object value,
        long timestampMillis,
        @Nullable Headers headers)
        throws Exception {
      take(right, key, value, timestampMillis, headers);
    }

    @Override
    public void touch(long[] hashes, int from, int to) {
      JoinOperator.this.touch(hashes, from, to);
    }
  }
}
