package io.streamforge.operator.join;

import static io.streamforge.record.Timestamps.minus;
import static io.streamforge.record.Timestamps.plus;

import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Values;
import io.streamforge.operator.window.WindowAssigner;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import org.jspecify.annotations.Nullable;

/**
 * Joins rows that are in one window, each window by itself. A window closes when the watermark W
 * reaches its end and the allowed lateness has passed; a row is late when all of its windows have
 * closed. Rows of a window in which the key has none of the other side come out without partner
 * when it closes, where the kind of the join asks for that.
 */
// Rows are kept once for each key, however many windows they are in: all that is to be known of a
// window follows from their times.
@Specialised
final class WindowJoinOperator extends RowsJoinOperator {
  private final WindowAssigner assigner;
  private final long allowedLatenessMillis;
  private final boolean keepsUnmatched;
  private final NodeCounters.Dropped inNoWindow;

  WindowJoinOperator(Node.JoinNode node, Windows windows, OperatorContext context) {
    super(node, context);
    this.assigner = WindowAssigner.of(windows);
    this.allowedLatenessMillis = node.allowedLateness().toMillis();
    this.keepsUnmatched = left.keepsUnmatched;
    this.inNoWindow = counters.dropped("in no window");
  }

  @Override
  public long outputWatermark(long watermark) {
    // No row of a window that is still open is earlier than the start of the first of them.
    Window open = assigner.endingAfter(minus(watermark, allowedLatenessMillis));
    return watermark == Timestamps.MAX || open == null
        ? watermark
        : Math.min(watermark, open.startMillis());
  }

  /** Whether a window takes no rows of a key any more; also when the lateness is longer now. */
  private boolean isClosed(Window window, @Nullable JoinRows known) {
    return closes(window) || (known != null && window.endMillis() <= known.closedMillis);
  }

  private boolean closes(Window window) {
    return plus(window.endMillis(), allowedLatenessMillis) <= context.watermark();
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
    Window last = assigner.last(timestampMillis);
    if (last == null) {
      inNoWindow.count++;
      return;
    }
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    JoinRows known = closes(last) ? null : table.get(present, hash);
    if (isClosed(last, known)) {
      mine.late(key, value, timestampMillis, headers);
      return;
    }
    JoinRows rows = known == null ? new JoinRows(Timestamps.MIN) : known;
    // All that was to be closed for the key has been; this row belongs to none of it.
    rows.closedMillis =
        Math.max(rows.closedMillis, minus(context.watermark(), allowedLatenessMillis));
    results.begin(present, hash);
    if (rows.opposite(mine.index).size() > 0) {
      match(mine, rows, last, value, timestampMillis);
    }
    rows.of(mine.index).add(timestampMillis, value, false);
    armFor(timestampMillis, mine.index, present, hash, rows);
    if (known == null) {
      table.put(present, hash, rows);
    }
    counters.processed++;
    results.emitOrSuspend();
  }

  /** Joins a row with those of the other side in each of its windows that has not closed. */
  private void match(
      JoinSide mine, JoinRows rows, Window last, @Nullable Object value, long timestampMillis)
      throws Exception {
    Rows others = rows.opposite(mine.index);
    for (Window window = assigner.first(timestampMillis);
        window != null;
        window = window.equals(last) ? null : assigner.next(window)) {
      if (!isClosed(window, rows)) {
        int from = others.from(window.startMillis());
        results.addPairs(mine.index, value, timestampMillis, others, from, end(others, window));
      }
    }
  }

  private static int end(Rows rows, Window window) {
    return rows.from(window.endMillis());
  }

  /** The first window of the earliest row that has not been closed; null: all have been. */
  private @Nullable Window firstOpen(JoinRows rows, long closedStartMillis) {
    long earliest = rows.earliestMillis();
    Window last = assigner.last(earliest);
    for (Window window = assigner.first(earliest);
        window != null;
        window = window.equals(last) ? null : assigner.next(window)) {
      if (window.endMillis() > rows.closedMillis
          || (window.endMillis() == rows.closedMillis
              && window.startMillis() > closedStartMillis)) {
        return window;
      }
    }
    return null;
  }

  @Override
  long dueMillis(JoinRows rows) {
    Window next =
        keepsUnmatched ? firstOpen(rows, Timestamps.MAX) : assigner.last(rows.earliestMillis());
    return next == null ? context.watermark() : plus(next.endMillis(), allowedLatenessMillis);
  }

  @Override
  void due(JoinRows rows) throws Exception {
    // Windows that reach beyond the end of time end together, and differ in their starts.
    long closedStartMillis = Timestamps.MAX;
    while (!rows.isEmpty()) {
      Window window = firstOpen(rows, closedStartMillis);
      if (window == null) {
        removeEarliest(rows);
      } else if (closes(window)) {
        if (keepsUnmatched) {
          close(rows, window);
        }
        rows.closedMillis = window.endMillis();
        closedStartMillis = window.startMillis();
      } else {
        return;
      }
    }
  }

  private void close(JoinRows rows, Window window) throws Exception {
    Rows ofLeft = rows.of(JoinRows.LEFT);
    Rows ofRight = rows.of(JoinRows.RIGHT);
    int leftFrom = ofLeft.from(window.startMillis());
    int leftEnd = end(ofLeft, window);
    int rightFrom = ofRight.from(window.startMillis());
    int rightEnd = end(ofRight, window);
    if (rightFrom == rightEnd) {
      results.addUnmatched(JoinRows.LEFT, ofLeft, leftFrom, leftEnd);
    } else if (leftFrom == leftEnd && right.keepsUnmatched) {
      results.addUnmatched(JoinRows.RIGHT, ofRight, rightFrom, rightEnd);
    }
  }

  private static void removeEarliest(JoinRows rows) {
    long earliest = rows.earliestMillis();
    for (int side = JoinRows.LEFT; side <= JoinRows.RIGHT; side++) {
      Rows of = rows.of(side);
      of.removeFirst(of.behind(earliest));
    }
  }
}
