package io.streamforge.operator.join;

import io.streamforge.function.ValueJoiner;
import io.streamforge.graph.Node;
import io.streamforge.graph.QueriedState;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import org.jspecify.annotations.Nullable;

/** Joins two tables: a change of either is at most one of the result. */
@Specialised
final class TablesJoinOperator implements Operator {
  private final Output output;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final ValueJoiner<@Nullable Object, @Nullable Object, @Nullable Object> joiner;
  private final boolean keepsLeft;
  private final boolean keepsRight;
  private final KeyedTable<RowPair> table;
  private final Operator right = new RightInput();

  TablesJoinOperator(Node.JoinNode node, OperatorContext context) {
    this.output = context.output();
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.joiner = Values.cast(node.joiner());
    this.keepsLeft = node.kind() != Node.JoinKind.INNER;
    this.keepsRight = node.kind() == Node.JoinKind.OUTER;
    this.table =
        context
            .states()
            .table(
                StateDescriptor.of(
                    QueriedState.TABLE, RowPair.form(context.valueForm(0), context.valueForm(1))));
  }

  @Override
  public Operator input(int index) {
    return index == JoinRows.LEFT ? this : right;
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    take(JoinRows.LEFT, Values.cast(key), Values.cast(value), timestampMillis);
  }

  private void take(int side, Object key, Change<Object> change, long timestampMillis)
      throws Exception {
    counters.in++;
    if (!change.shows()) {
      counters.processed++;
      return;
    }
    long hash = keyContext.hash;
    RowPair pair = table.get(key, hash);
    Object leftBefore = pair == null ? null : pair.left;
    Object rightBefore = pair == null ? null : pair.right;
    Object leftAfter = side == JoinRows.LEFT ? change.after() : leftBefore;
    Object rightAfter = side == JoinRows.LEFT ? rightBefore : change.after();
    Object before = joined(leftBefore, rightBefore);
    Object after = joined(leftAfter, rightAfter);
    if (leftAfter == null && rightAfter == null) {
      table.remove(key, hash);
    } else if (pair == null) {
      table.put(key, hash, new RowPair(leftAfter, rightAfter));
    } else {
      pair.left = leftAfter;
      pair.right = rightAfter;
    }
    counters.processed++;
    if (before != null || after != null) {
      output.process(key, Change.of(before, after), timestampMillis, null);
    }
  }

  private @Nullable Object joined(@Nullable Object ofLeft, @Nullable Object ofRight)
      throws Exception {
    boolean shown = ofLeft == null ? keepsRight && ofRight != null : keepsLeft || ofRight != null;
    return shown ? joiner.apply(Values.cast(ofLeft), Values.cast(ofRight)) : null;
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    RowPair pair = table.read(key, hash);
    return pair == null ? null : joined(pair.left, pair.right);
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    table.touch(hashes, from, to);
  }

  private final class RightInput implements Operator {
    @Override
    public void process(
        @Nullable Object key,
        @Nullable Object value,
        long timestampMillis,
        @Nullable Headers headers)
        throws Exception {
      take(JoinRows.RIGHT, Values.cast(key), Values.cast(value), timestampMillis);
    }

    @Override
    public void touch(long[] hashes, int from, int to) {
      table.touch(hashes, from, to);
    }
  }
}
