package io.streamforge.operator.join;

import static io.streamforge.record.Timestamps.minus;
import static io.streamforge.record.Timestamps.plus;

import io.streamforge.graph.Node;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.operator.Values;
import io.streamforge.operator.join.JoinSessions.JoinSession;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TableCursor;
import io.streamforge.time.TimeDomain;
import io.streamforge.window.Windows;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Joins rows that are in one session: rows of both sides, each of which is less than the gap away
 * from the next. A pair comes out when both rows are in one session for the first time, be it that
 * a row between two sessions makes them one. A session closes when the watermark W reaches its end
 * and the allowed lateness has passed; if it has rows of one side only, these then come out without
 * partner, where the kind of the join asks for that.
 *
 * <p>A row is late when its own session [t, t + gap) overlaps one that has been closed, or is past
 * itself, with the allowed lateness.
 */
// Other than in SessionOperator, a row that is past is late even if it touches an open session:
// else
// rows could go back in time without end, and with them what comes out. So no row overlaps a
// session
// that is forgotten, W ≥ end + gap + L, and keys that are new need no bound.
@Specialised
final class SessionJoinOperator extends JoinOperator {
  private final long gapMillis;
  private final long allowedLatenessMillis;
  private final KeyedTable<JoinSessions> table;
  private final Timers timers;

  /** Starts of all open sessions, how many of each, where unmatched rows come out; else null. */
  private final @Nullable TreeMap<Long, Integer> starts;

  SessionJoinOperator(Node.JoinNode node, Windows.SessionWindows windows, OperatorContext context) {
    super(node, context);
    this.gapMillis = windows.gap().toMillis();
    this.allowedLatenessMillis = node.allowedLateness().toMillis();
    this.table =
        context
            .states()
            .table(
                StateDescriptor.of(
                    "sessions",
                    JoinSessionsSerde.form(
                        JoinRowsSerde.form(context.valueForm(0), context.valueForm(1)))));
    this.timers = context.derivedTimers(this);
    this.starts = left.keepsUnmatched ? new TreeMap<>() : null;
  }

  @Override
  public void open() {
    for (TableCursor<JoinSessions> cursor = table.cursor(); cursor.next(); ) {
      JoinSessions known = cursor.value();
      for (JoinSession session : known.sessions) {
        opened(session);
        setTimer(doneMillis(session), cursor.key(), cursor.hash());
      }
      if (known.sessions.isEmpty()) {
        setTimer(forgetMillis(known), cursor.key(), cursor.hash());
      }
    }
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    table.touch(hashes, from, to);
  }

  private void opened(JoinSession session) {
    if (starts != null) {
      starts.merge(session.startMillis, 1, Integer::sum);
    }
  }

  private void gone(JoinSession session) {
    if (starts != null) {
      starts.computeIfPresent(session.startMillis, (start, count) -> count > 1 ? count - 1 : null);
    }
  }

  @Override
  public long outputWatermark(long watermark) {
    if (watermark == Timestamps.MAX) {
      return watermark;
    }
    // No row that is still accepted is earlier, but one that was may come out without partner.
    long held = minus(minus(watermark, gapMillis), allowedLatenessMillis);
    return starts == null || starts.isEmpty() ? held : Math.min(held, starts.firstKey());
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
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    JoinSessions of = table.get(present, hash);
    JoinSessions known = of == null ? new JoinSessions(Timestamps.MIN) : of;
    long endMillis = plus(timestampMillis, gapMillis);
    int at = known.firstEndingAfter(timestampMillis);
    if (timestampMillis < known.boundMillis
        || plus(endMillis, allowedLatenessMillis) <= context.watermark()) {
      mine.late(key, value, timestampMillis, headers);
      return;
    }
    results.begin(present, hash);
    JoinSession session;
    if (at < known.sessions.size() && known.sessions.get(at).startMillis < endMillis) {
      session = known.sessions.get(at);
      gone(session);
      pair(mine, value, timestampMillis, session);
      session.startMillis = Math.min(session.startMillis, timestampMillis);
      session.endMillis = Math.max(session.endMillis, endMillis);
      // A row overlaps at most two sessions: the second is at least as long as the gap.
      if (at + 1 < known.sessions.size()
          && known.sessions.get(at + 1).startMillis < session.endMillis) {
        JoinSession later = known.sessions.remove(at + 1);
        gone(later);
        pair(mine, value, timestampMillis, later);
        swallow(session, later);
      }
    } else {
      session = new JoinSession(timestampMillis, endMillis, new JoinRows(Timestamps.MIN));
      known.sessions.add(at, session);
    }
    session.rows.of(mine.index).add(timestampMillis, value, false);
    opened(session);
    arm(session, present, hash);
    if (of == null) {
      table.put(present, hash, known);
    }
    counters.processed++;
    results.emitOrSuspend();
  }

  private void pair(
      JoinSide mine, @Nullable Object value, long timestampMillis, JoinSession session)
      throws Exception {
    Rows others = session.rows.opposite(mine.index);
    results.addPairs(mine.index, value, timestampMillis, others, 0, others.size());
  }

  /** The later session becomes part of the earlier one, and its rows partners of all there. */
  private void swallow(JoinSession session, JoinSession later) throws Exception {
    for (int side = JoinRows.LEFT; side <= JoinRows.RIGHT; side++) {
      Rows mine = session.rows.of(side);
      Rows partners = later.rows.opposite(side);
      for (int i = 0; i < mine.size(); i++) {
        results.addPairs(side, mine.value(i), mine.time(i), partners, 0, partners.size());
      }
    }
    for (int side = JoinRows.LEFT; side <= JoinRows.RIGHT; side++) {
      session.rows.of(side).addAll(later.rows.of(side));
    }
    session.endMillis = Math.max(session.endMillis, later.endMillis);
  }

  private void arm(JoinSession session, Object key, long hash) {
    if (session.rows.armedMillis == JoinRows.UNARMED) {
      session.rows.armedMillis = doneMillis(session);
      setTimer(session.rows.armedMillis, key, hash);
    }
  }

  private void setTimer(long timeMillis, Object key, long hash) {
    timers.set(TimeDomain.EVENT, timeMillis, key, hash, TimerScope.KEY);
  }

  @Override
  public void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope)
      throws Exception {
    long hash = keyContext.hash;
    JoinSessions known = table.get(key, hash);
    if (known == null) {
      return;
    }
    results.begin(key, hash);
    for (int i = 0; i < known.sessions.size(); i++) {
      JoinSession session = known.sessions.get(i);
      if (doneMillis(session) <= context.watermark()) {
        close(session);
        known.boundMillis = session.endMillis;
        known.sessions.remove(i--);
      } else {
        if (session.rows.armedMillis <= timeMillis) {
          session.rows.armedMillis = JoinRows.UNARMED;
        }
        // Also when it was read anew meanwhile, and does not know that it has grown since.
        arm(session, key, hash);
      }
    }
    if (known.sessions.isEmpty()) {
      if (forgetMillis(known) <= context.watermark()) {
        table.remove(key, hash);
      } else {
        setTimer(forgetMillis(known), key, hash);
      }
    }
    results.emitOrSuspend();
  }

  private void close(JoinSession session) throws Exception {
    gone(session);
    Rows ofLeft = session.rows.of(JoinRows.LEFT);
    Rows ofRight = session.rows.of(JoinRows.RIGHT);
    if (ofRight.size() == 0 && left.keepsUnmatched) {
      results.addUnmatched(JoinRows.LEFT, ofLeft, 0, ofLeft.size());
    } else if (ofLeft.size() == 0 && right.keepsUnmatched) {
      results.addUnmatched(JoinRows.RIGHT, ofRight, 0, ofRight.size());
    }
  }

  private long doneMillis(JoinSession session) {
    return plus(session.endMillis, allowedLatenessMillis);
  }

  private long forgetMillis(JoinSessions known) {
    return plus(plus(known.boundMillis, gapMillis), allowedLatenessMillis);
  }
}
