package io.streamforge.operator.window;

import static io.streamforge.record.Timestamps.minus;
import static io.streamforge.record.Timestamps.plus;

import io.streamforge.function.Aggregator;
import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.ArrayAggregator;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TableCursor;
import io.streamforge.time.TimeDomain;
import io.streamforge.window.Trigger;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Session windows: the records of a key as long as each is less than the gap away from the next.
 *
 * <p>A record at t starts a session [t, t + gap), or joins the sessions that overlap it, which
 * become one. A session closes when the watermark W reaches its end, and is kept for the allowed
 * lateness; a record that joins a kept session may re-open it. Firing accumulates or discards as in
 * {@link PerWindowOperator}; in accumulating mode the first result of a session that has swallowed
 * emitted ones comes right behind a retraction of each of them, which has its timestamp.
 *
 * <p>A record is late when its window [t, t + gap) overlaps a session that was emitted and dropped,
 * so that sessions never overlap earlier ones; or when it overlaps no session that is open or kept
 * and would itself no longer be kept.
 */
// Of dropped sessions only a bound is kept that no end of theirs exceeds: the end e of the last one
// of a key. A record at t < e that does not overlap that session lies before it, so that its own
// window is past. With no live session left the key is forgotten at W ≥ e + gap + lateness; the
// bound of a key that is new at W is therefore W - gap - lateness. Without it a live session, of
// which each record that overlaps it is part, could grow back into a forgotten one.
//
// One event timer a session: it is set to the session's end when the session starts, and set anew
// when it fires too early because the session has grown. Spurious timers do no harm: what is to be
// done is read off the sessions.
@Specialised
public final class SessionOperator implements Operator, TimerHandler {
  private final Aggregator<Object, Object, Object> aggregator;
  private final long gapMillis;
  private final long allowedLatenessMillis;
  private final boolean discarding;
  private final @Nullable Trigger<Object> earlyTrigger;
  private final @Nullable Trigger<Object> lateTrigger;
  private final OperatorContext context;
  private final LateRecords lateRecords;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final KeyedTable<KeySessions> table;
  private final Timers timers;
  private final TriggerView view;
  private final ResultQueue results;

  /** Works for one task. */
  public SessionOperator(Node.WindowNode node, OperatorContext context) {
    Node.Windowing windowing = node.windowing();
    Windows.SessionWindows windows = (Windows.SessionWindows) windowing.windows();
    this.aggregator = ArrayAggregator.orItself(Values.cast(node.aggregation().aggregator()));
    this.gapMillis = windows.gap().toMillis();
    this.allowedLatenessMillis = windowing.allowedLateness().toMillis();
    this.discarding = windowing.accumulation() == Node.Accumulation.DISCARDING;
    this.earlyTrigger = Values.cast(windowing.earlyTrigger());
    this.lateTrigger = Values.cast(windowing.lateTrigger());
    this.context = context;
    this.lateRecords = new LateRecords(windowing, context);
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.table =
        context
            .states()
            .table(
                StateDescriptor.of(
                    "sessions",
                    KeySessionsSerde.form(aggregator.accumulatorForm(context.valueForm()))));
    this.timers = context.derivedTimers(this);
    this.view = new TriggerView(context, timers);
    this.results = new ResultQueue(context);
  }

  @Override
  public void open() {
    for (TableCursor<KeySessions> cursor = table.cursor(); cursor.next(); ) {
      KeySessions known = cursor.value();
      for (Session session : known.sessions) {
        view.of(cursor.key(), cursor.hash())
            .at(session.window(), session.pane, TimerScope.KEY, Timestamps.MAX)
            .restoreTimers();
        arm(cursor.key(), cursor.hash(), session);
      }
      if (known.sessions.isEmpty()) {
        // Also when that is past, should the gap or the lateness be shorter now.
        timers.set(
            TimeDomain.EVENT,
            forgetMillis(known.boundMillis),
            cursor.key(),
            cursor.hash(),
            TimerScope.KEY);
      }
    }
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    KeySessions of = table.get(present, hash);
    KeySessions known = of == null ? new KeySessions(newKeyBound()) : of;
    int at = known.firstEndingAfter(timestampMillis);
    if (isLate(known, at, timestampMillis)) {
      lateRecords.late(key, value, timestampMillis, headers);
      return;
    }
    Session session = join(known, at, value, timestampMillis);
    if (of == null) {
      table.put(present, hash, known);
    }
    boolean fires = firesOnRecord(present, hash, session, timestampMillis);
    if (fires) {
      fire(present, hash, session);
    }
    arm(present, hash, session);
    counters.processed++;
    results.emitOrSuspend();
  }

  private boolean isLate(KeySessions known, int at, long timestampMillis) {
    if (timestampMillis < known.boundMillis) {
      return true;
    }
    long endMillis = plus(timestampMillis, gapMillis);
    return !overlaps(known, at, endMillis) && dropMillis(endMillis) <= context.watermark();
  }

  /**
   * Whether the session at an index, which ends behind a record, begins before the record's end.
   */
  private static boolean overlaps(KeySessions known, int at, long endMillis) {
    return at < known.sessions.size() && known.sessions.get(at).startMillis < endMillis;
  }

  private long dropMillis(long endMillis) {
    return plus(endMillis, allowedLatenessMillis);
  }

  /** Adds the record to a session of its own, or to the one or two that it overlaps. */
  private Session join(KeySessions known, int at, @Nullable Object value, long timestampMillis)
      throws Exception {
    List<Session> sessions = known.sessions;
    long endMillis = plus(timestampMillis, gapMillis);
    if (!overlaps(known, at, endMillis)) {
      Object accumulator = aggregator.add(aggregator.create(), Values.cast(value));
      Session added = new Session(timestampMillis, endMillis, new Pane(accumulator));
      count(added);
      sessions.add(at, added);
      return added;
    }
    Session session = sessions.get(at);
    Pane pane = session.pane;
    if (timestampMillis < session.startMillis) {
      Object before = aggregator.add(aggregator.create(), Values.cast(value));
      pane.accumulator = aggregator.merge(before, pane.accumulator);
      session.startMillis = timestampMillis;
    } else {
      pane.accumulator = aggregator.add(pane.accumulator, Values.cast(value));
    }
    session.endMillis = Math.max(session.endMillis, endMillis);
    // A record that overlaps two sessions lies in the first of them, whose end is thus the
    // record's; the second is at least as long as the gap, so there is no third.
    boolean bridge =
        at + 1 < sessions.size() && sessions.get(at + 1).startMillis < session.endMillis;
    if (bridge) {
      swallow(session, sessions.remove(at + 1));
    }
    boolean wasClosed = session.closed;
    count(session);
    if (wasClosed && !session.closed) {
      pane.clearTimers(); // those of the late trigger
    }
    return session;
  }

  /** The later session becomes part of the earlier one. */
  private void swallow(Session session, Session later) throws Exception {
    Pane pane = session.pane;
    pane.accumulator = aggregator.merge(pane.accumulator, later.pane.accumulator);
    if (session.closed != later.closed) {
      pane.clearTimers(); // those of the late trigger; the merged session is open, as the later was
      session.closed = false;
    }
    pane.absorb(later.pane);
    session.endMillis = Math.max(session.endMillis, later.endMillis);
    session.shown.addAll(later.shown);
  }

  private void count(Session session) {
    session.pane.count++;
    session.pane.countSinceFiring++;
    session.closed = session.endMillis <= context.watermark();
  }

  private boolean firesOnRecord(Object key, long hash, Session session, long timestampMillis)
      throws Exception {
    Trigger<Object> trigger = session.closed ? lateTrigger : earlyTrigger;
    if (trigger == null) {
      return session.closed;
    }
    show(key, hash, session);
    return view.firesOnRecord(trigger, timestampMillis);
  }

  private void show(Object key, long hash, Session session) {
    view.of(key, hash).at(session.window(), session.pane, TimerScope.KEY, Timestamps.MAX);
  }

  private void fire(Object key, long hash, Session session) throws Exception {
    Window window = session.window();
    Pane pane = session.pane;
    Object result = aggregator.result(pane.accumulator);
    pane.countSinceFiring = 0;
    if (discarding) {
      pane.accumulator = aggregator.create();
    } else {
      for (Window shown : session.shown) {
        if (!shown.equals(window)) {
          results.retract(key, hash, shown, window);
        }
      }
      session.shown.clear();
      session.shown.add(window);
    }
    results.add(key, hash, window, result);
  }

  /** Sees to it that a timer fires when the session is to be closed or dropped. */
  private void arm(Object key, long hash, Session session) {
    long due = session.closed ? dropMillis(session.endMillis) : session.endMillis;
    if (session.armedMillis == Session.UNARMED || session.armedMillis > due) {
      session.armedMillis = due;
      timers.set(TimeDomain.EVENT, due, key, hash, TimerScope.KEY);
    }
  }

  @Override
  public void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope)
      throws Exception {
    long hash = keyContext.hash;
    KeySessions known = table.get(key, hash);
    if (known == null) {
      return;
    }
    List<Session> sessions = known.sessions;
    for (int i = 0; i < sessions.size(); i++) {
      Session session = sessions.get(i);
      if (domain == TimeDomain.EVENT && reach(timeMillis, key, hash, session)) {
        sessions.remove(i--);
        remember(key, hash, known, session.endMillis);
      } else if (session.pane.takeTimer(domain, timeMillis)) {
        show(key, hash, session);
        boolean fires =
            view.firesOnTimer(session.closed ? lateTrigger : earlyTrigger, timeMillis, domain);
        if (fires && (!discarding || session.pane.countSinceFiring > 0)) {
          fire(key, hash, session);
        }
      }
    }
    if (sessions.isEmpty() && forgetMillis(known.boundMillis) <= context.watermark()) {
      table.remove(key, hash);
    }
    results.emitOrSuspend();
  }

  /** Closes the session if that is due at this time; whether it is to be dropped. */
  private boolean reach(long timeMillis, Object key, long hash, Session session) throws Exception {
    Pane pane = session.pane;
    if (session.armedMillis == timeMillis) {
      session.armedMillis = Session.UNARMED;
    }
    if (!session.closed && session.endMillis <= timeMillis) {
      session.closed = true;
      pane.clearTimers();
      if (!discarding || pane.countSinceFiring > 0) {
        fire(key, hash, session);
      }
    }
    if (session.closed && dropMillis(session.endMillis) <= timeMillis) {
      if (pane.countSinceFiring > 0) {
        fire(key, hash, session);
      }
      return true;
    }
    arm(key, hash, session);
    return false;
  }

  /** No session that is forgotten at this watermark ends behind it. */
  private long newKeyBound() {
    return minus(minus(context.watermark(), gapMillis), allowedLatenessMillis);
  }

  private void remember(Object key, long hash, KeySessions known, long endMillis) {
    known.boundMillis = endMillis;
    long forgetMillis = forgetMillis(endMillis);
    if (forgetMillis > context.watermark()) {
      timers.set(TimeDomain.EVENT, forgetMillis, key, hash, TimerScope.KEY);
    }
  }

  private long forgetMillis(long endMillis) {
    return plus(plus(endMillis, gapMillis), allowedLatenessMillis);
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    List<Windowed<Object>> present = new ArrayList<>();
    KeySessions known = table.read(key, hash);
    if (known != null) {
      for (Session session : known.sessions) {
        session.pane.addTo(present, session.window(), aggregator, discarding);
      }
    }
    return present.isEmpty() ? null : present;
  }

  @Override
  public boolean pending() {
    return !results.isEmpty();
  }

  @Override
  public void resume(int budget) throws Exception {
    results.emit(budget);
  }
}
