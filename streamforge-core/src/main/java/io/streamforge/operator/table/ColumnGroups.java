package io.streamforge.operator.table;

import io.streamforge.function.ColumnAggregator;
import io.streamforge.graph.QueriedState;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedStates;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Accumulators as longs in the columns of a table; behind them, how many rows there are. */
@Specialised
final class ColumnGroups implements Groups {
  private final ColumnAggregator<Object, Object> aggregator;
  private final ColumnTable table;
  private final int columns;
  private final long[] row;

  ColumnGroups(ColumnAggregator<Object, Object> aggregator, KeyedStates states) {
    this.aggregator = aggregator;
    this.columns = aggregator.columns();
    this.row = new long[columns];
    String form = aggregator.form();
    this.table =
        states.columns(
            ColumnsDescriptor.of(
                QueriedState.AGGREGATE, columns + 1, form.isEmpty() ? "" : "rows of " + form));
  }

  @Override
  public @Nullable Object result(Object key, long hash) throws Exception {
    int at = table.seek(key, hash);
    return at < 0 ? null : aggregator.resultAt(table.columns(), at);
  }

  @Override
  public void change(Object key, long hash, @Nullable Object before, @Nullable Object after)
      throws Exception {
    int at = table.locate(key, hash);
    long[] all = table.columns();
    int rows = at + columns;
    if (before != null) {
      all[rows]--;
      if (all[rows] <= 0) {
        Arrays.fill(all, at, rows, 0);
      } else {
        Arrays.fill(row, 0);
        aggregator.addAt(row, 0, before);
        aggregator.subtractAt(all, at, row, 0);
      }
    }
    if (after != null) {
      all[rows]++;
      aggregator.addAt(all, at, after);
    }
    if (all[rows] <= 0) {
      table.remove(key, hash);
    }
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    table.touch(hashes, from, to);
  }
}
