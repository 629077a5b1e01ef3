package io.streamforge.operator.table;

import static io.streamforge.record.Timestamps.minus;
import static io.streamforge.record.Timestamps.plus;

import io.streamforge.graph.Node.TableOperation;
import io.streamforge.graph.QueriedState;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.time.TimeDomain;
import org.jspecify.annotations.Nullable;

/**
 * Makes changes of the updates of each key: keeps the latest, which is the one with the greatest
 * time, of those with equal time the last that came; or simply the last that came.
 *
 * <p>By time: a deletion is kept until W ≥ t + L, so that an update that it came before does not
 * bring the row back. After that the key is as if it had never been, and an update of it is late
 * when its time is below W − L. So what is late does not depend on when a deletion was forgotten.
 */
@Specialised
final class LatestOperator implements Operator, TimerHandler {
  private final OperatorContext context;
  private final Output output;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final boolean byTime;
  private final long allowedLatenessMillis;
  private final KeyedTable<TableRow> table;

  /** Of deletions; part of checkpoints, so that the table is not searched for them. */
  private final @Nullable Timers timers;

  LatestOperator(TableOperation.Latest latest, OperatorContext context) {
    this.context = context;
    this.output = context.output();
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.byTime = latest.byTime();
    this.allowedLatenessMillis = latest.allowedLateness().toMillis();
    this.table =
        context
            .states()
            .table(StateDescriptor.of(QueriedState.TABLE, TableRow.form(context.valueForm())));
    this.timers = byTime ? context.timers(this) : null;
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    TableRow row = table.get(present, hash);
    if (byTime) {
      long horizon = horizon();
      if (row == null || isForgotten(row, horizon)) {
        if (timestampMillis < horizon) {
          counters.late++;
          return;
        }
      } else if (timestampMillis < row.timeMillis) {
        counters.processed++;
        output.process(key, Change.behind(value), timestampMillis, headers);
        return;
      }
    }
    Object before = row == null ? null : row.value;
    if (value == null) {
      delete(present, hash, row, timestampMillis);
    } else if (row == null) {
      table.put(present, hash, new TableRow(value, timestampMillis));
    } else {
      row.value = value;
      row.timeMillis = timestampMillis;
    }
    counters.processed++;
    output.process(key, Change.of(before, value), timestampMillis, headers);
  }

  private void delete(Object key, long hash, @Nullable TableRow row, long timestampMillis) {
    if (timers == null || timestampMillis <= horizon()) {
      table.remove(key, hash);
      return;
    }
    if (row == null) {
      table.put(key, hash, new TableRow(null, timestampMillis));
    } else {
      row.value = null;
      row.timeMillis = timestampMillis;
    }
    long forgottenMillis = plus(timestampMillis, allowedLatenessMillis);
    timers.set(TimeDomain.EVENT, forgottenMillis, key, hash, TimerScope.KEY);
  }

  /** No update that is not late has an earlier time. */
  private long horizon() {
    long watermark = context.watermark();
    return watermark == Timestamps.MAX ? watermark : minus(watermark, allowedLatenessMillis);
  }

  private static boolean isForgotten(TableRow row, long horizon) {
    return row.value == null && row.timeMillis <= horizon;
  }

  @Override
  public void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope) {
    long hash = keyContext.hash;
    TableRow row = table.read(key, hash);
    // A later deletion has a timer of its own.
    if (row != null
        && row.value == null
        && plus(row.timeMillis, allowedLatenessMillis) <= timeMillis) {
      table.remove(key, hash);
    }
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis) {
    TableRow row = table.read(key, hash);
    return row == null ? null : row.value;
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    table.touch(hashes, from, to);
  }
}
