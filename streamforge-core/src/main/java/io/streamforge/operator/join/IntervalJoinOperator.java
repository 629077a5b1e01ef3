package io.streamforge.operator.join;

import static io.streamforge.record.Timestamps.minus;
import static io.streamforge.record.Timestamps.plus;

import io.streamforge.graph.Node;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * Joins a left row at t with the right rows in [t + from, t + to], both included.
 *
 * <p>A row is late when its time is below W − L, for the watermark W and the allowed lateness L. It
 * is kept until no row that is not late can match it, that is until W > t + to + L for a left row,
 * and W > t − from + L for a right one. When it is let go, and no partner has come, it comes out
 * without one, where the kind of the join asks for that.
 */
@Specialised
final class IntervalJoinOperator extends RowsJoinOperator {
  private final long fromMillis;
  private final long toMillis;
  private final long allowedLatenessMillis;

  /** How far what comes out is behind the watermark at most. */
  private final long heldMillis;

  IntervalJoinOperator(Node.JoinNode node, Node.Matching.Between between, OperatorContext context) {
    super(node, context);
    this.fromMillis = between.from().toMillis();
    this.toMillis = between.to().toMillis();
    this.allowedLatenessMillis = node.allowedLateness().toMillis();
    long waiting = left.keepsUnmatched ? Math.max(0, toMillis) : 0;
    waiting = right.keepsUnmatched ? Math.max(waiting, minus(0, fromMillis)) : waiting;
    this.heldMillis = plus(waiting, allowedLatenessMillis);
  }

  @Override
  public long outputWatermark(long watermark) {
    return watermark == Timestamps.MAX ? watermark : minus(watermark, heldMillis);
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
    long watermark = context.watermark();
    if (timestampMillis < minus(watermark, allowedLatenessMillis)) {
      mine.late(key, value, timestampMillis, headers);
      return;
    }
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    JoinRows known = table.get(present, hash);
    results.begin(present, hash);
    boolean matched = known != null && match(mine, known, value, timestampMillis);
    if (doneMillis(mine.index, timestampMillis) > watermark) {
      JoinRows rows = known == null ? new JoinRows(Timestamps.MIN) : known;
      rows.of(mine.index).add(timestampMillis, value, matched);
      armFor(timestampMillis, mine.index, present, hash, rows);
      if (known == null) {
        table.put(present, hash, rows);
      }
    } else if (!matched && mine.keepsUnmatched) {
      results.addUnmatched(mine.index, value, timestampMillis);
    }
    counters.processed++;
    results.emitOrSuspend();
  }

  /** Joins a row with its partners; whether there are any. */
  private boolean match(JoinSide mine, JoinRows known, @Nullable Object value, long timestampMillis)
      throws Exception {
    boolean isLeft = mine.index == JoinRows.LEFT;
    Rows others = known.opposite(mine.index);
    int first =
        others.from(isLeft ? plus(timestampMillis, fromMillis) : minus(timestampMillis, toMillis));
    int end =
        others.behind(
            isLeft ? plus(timestampMillis, toMillis) : minus(timestampMillis, fromMillis));
    for (int i = first; i < end; i++) {
      others.match(i);
    }
    results.addPairs(mine.index, value, timestampMillis, others, first, end);
    return first < end;
  }

  /** The watermark at which no partner of a row can come any more. */
  private long doneMillis(int side, long timestampMillis) {
    long last =
        side == JoinRows.LEFT
            ? plus(timestampMillis, toMillis)
            : minus(timestampMillis, fromMillis);
    return plus(plus(last, allowedLatenessMillis), 1);
  }

  private long firstDoneMillis(JoinRows rows, int side) {
    Rows of = rows.of(side);
    return of.size() == 0 ? Timestamps.MAX : doneMillis(side, of.time(0));
  }

  @Override
  long dueMillis(JoinRows rows) {
    return Math.min(firstDoneMillis(rows, JoinRows.LEFT), firstDoneMillis(rows, JoinRows.RIGHT));
  }

  @Override
  void due(JoinRows rows) throws Exception {
    long watermark = context.watermark();
    while (!rows.isEmpty() && dueMillis(rows) <= watermark) {
      JoinSide side = isLeftNext(rows) ? left : right;
      Rows of = rows.of(side.index);
      if (side.keepsUnmatched && !of.matched(0)) {
        results.addUnmatched(side.index, of.value(0), of.time(0));
      }
      of.removeFirst(1);
    }
  }

  /** Whether the row that is done first is a left one; of those done together the earlier is. */
  private boolean isLeftNext(JoinRows rows) {
    Rows ofLeft = rows.of(JoinRows.LEFT);
    Rows ofRight = rows.of(JoinRows.RIGHT);
    if (ofLeft.size() == 0 || ofRight.size() == 0) {
      return ofLeft.size() > 0;
    }
    long leftDone = doneMillis(JoinRows.LEFT, ofLeft.time(0));
    long rightDone = doneMillis(JoinRows.RIGHT, ofRight.time(0));
    return leftDone == rightDone ? ofLeft.time(0) <= ofRight.time(0) : leftDone < rightDone;
  }
}
