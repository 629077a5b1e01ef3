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

/** Joins each left row at once with the row that the table on the right has by then. */
@Specialised
final class LatestJoinOperator implements Operator {
  private final Output output;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final ValueJoiner<@Nullable Object, @Nullable Object, Object> joiner;
  private final boolean keepsUnmatched;
  private final KeyedTable<Object> table;
  private final Operator right = new RightInput();

  LatestJoinOperator(Node.JoinNode node, OperatorContext context) {
    this.output = context.output();
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.joiner = Values.cast(node.joiner());
    this.keepsUnmatched = node.kind() != Node.JoinKind.INNER;
    this.table =
        context.states().table(StateDescriptor.of(QueriedState.TABLE, context.valueForm(1)));
  }

  @Override
  public Operator input(int index) {
    return index == JoinRows.LEFT ? this : right;
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object row = table.read(Values.cast(key), keyContext.hash);
    if (row == null && !keepsUnmatched) {
      counters.processed++;
      return;
    }
    Object joined = joiner.apply(Values.cast(value), Values.cast(row));
    counters.processed++;
    output.process(key, joined, timestampMillis, null);
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
        @Nullable Headers headers) {
      counters.in++;
      Change<Object> change = Values.cast(value);
      if (change.current()) {
        Object present = Values.cast(key);
        Object after = change.after();
        if (after == null) {
          table.remove(present, keyContext.hash);
        } else {
          table.put(present, keyContext.hash, after);
        }
      }
      counters.processed++;
    }

    @Override
    public void touch(long[] hashes, int from, int to) {
      table.touch(hashes, from, to);
    }
  }
}
