package io.streamforge.operator.join;

import static io.streamforge.record.Timestamps.minus;
import static io.streamforge.record.Timestamps.plus;

import io.streamforge.graph.Node;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * Joins a left row at t with the row that a table had at t: its version of the greatest time that
 * is not behind t, of those of equal time the last that came.
 *
 * <p>A left row waits until W > t + L, for the watermark W and the allowed lateness L, since until
 * then an earlier version may come. What comes with a time below W − L, from either side, is late.
 * Of the versions at or below W − L the newest is kept, unless it is a deletion, and all later
 * ones.
 */
@Specialised
final class AsOfJoinOperator extends RowsJoinOperator {
  private final long allowedLatenessMillis;

  AsOfJoinOperator(Node.JoinNode node, OperatorContext context) {
    super(node, context);
    this.allowedLatenessMillis = node.allowedLateness().toMillis();
  }

  @Override
  public long outputWatermark(long watermark) {
    return horizon(watermark);
  }

  /** Nothing that is taken from now on has an earlier time. */
  private long horizon(long watermark) {
    return watermark == Timestamps.MAX ? watermark : minus(watermark, allowedLatenessMillis);
  }

  @Override
  void take(
      JoinSide mine,
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers)
      throws Exception {
    counters.in++;
    boolean isLate = timestampMillis < horizon(context.watermark());
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    if (mine.index == JoinRows.LEFT) {
      if (isLate) {
        mine.late(key, value, timestampMillis, headers);
        return;
      }
      JoinRows rows = rows(present, hash);
      rows.of(JoinRows.LEFT).add(timestampMillis, value, false);
      armFor(present, hash, rows);
    } else {
      Change<Object> change = Values.cast(value);
      if (isLate) {
        mine.late(key, change.after(), timestampMillis, headers);
        return;
      }
      JoinRows rows = rows(present, hash);
      addVersion(rows.of(JoinRows.RIGHT), change, timestampMillis);
      armFor(present, hash, rows);
    }
    counters.processed++;
  }

  private JoinRows rows(Object key, long hash) {
    JoinRows rows = table.get(key, hash);
    if (rows == null) {
      rows = new JoinRows(Timestamps.MIN);
      table.put(key, hash, rows);
    }
    return rows;
  }

  /** What a table has now holds from its latest version on, whatever time it is said to have. */
  private static void addVersion(Rows versions, Change<Object> change, long timestampMillis) {
    long from = timestampMillis;
    if (change.current() && versions.size() > 0) {
      from = Math.max(from, versions.time(versions.size() - 1));
    }
    versions.add(from, change.after(), false);
  }

  private void armFor(Object key, long hash, JoinRows rows) {
    if (waits(rows)) {
      arm(key, hash, rows);
    }
  }

  @Override
  boolean waits(JoinRows rows) {
    return rows.of(JoinRows.LEFT).size() > 0 || versionDueMillis(rows) < Timestamps.MAX;
  }

  @Override
  long dueMillis(JoinRows rows) {
    Rows waiting = rows.of(JoinRows.LEFT);
    long due = versionDueMillis(rows);
    return waiting.size() == 0
        ? due
        : Math.min(due, plus(plus(waiting.time(0), allowedLatenessMillis), 1));
  }

  /** When a version can be let go. */
  private long versionDueMillis(JoinRows rows) {
    Rows versions = rows.of(JoinRows.RIGHT);
    if (versions.size() > 0 && versions.value(0) == null) {
      return plus(versions.time(0), allowedLatenessMillis);
    }
    return versions.size() > 1 ? plus(versions.time(1), allowedLatenessMillis) : Timestamps.MAX;
  }

  @Override
  void due(JoinRows rows) throws Exception {
    long horizon = horizon(context.watermark());
    Rows waiting = rows.of(JoinRows.LEFT);
    Rows versions = rows.of(JoinRows.RIGHT);
    int done = waiting.from(horizon);
    for (int i = 0; i < done; i++) {
      int version = versions.behind(waiting.time(i)) - 1;
      Object right = version < 0 ? null : versions.value(version);
      if (right != null) {
        results.add(waiting.value(i), right, waiting.time(i));
      } else if (left.keepsUnmatched) {
        results.addUnmatched(JoinRows.LEFT, waiting.value(i), waiting.time(i));
      }
    }
    waiting.removeFirst(done);
    int past = versions.behind(horizon);
    if (past > 0) {
      versions.removeFirst(versions.value(past - 1) == null ? past : past - 1);
    }
  }
}
