package io.streamforge.operator.window;

import io.streamforge.function.Aggregator;
import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.ArrayAggregator;
import io.streamforge.operator.GroupTimes;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TableCursor;
import io.streamforge.time.TimeDomain;
import io.streamforge.window.Trigger;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Windows with triggers, discarding mode, or aggregates that do not merge: a {@link Pane} for each
 * key and window.
 *
 * <p>A window emits
 *
 * <ul>
 *   <li>when its early trigger says so, after a record or at a timer, until it closes;
 *   <li>when it closes: always where firings accumulate, and if there is something new where they
 *       discard;
 *   <li>after that, for late records, when the late trigger says so (each time without one);
 *   <li>when it is dropped, if late records have not been emitted yet.
 * </ul>
 *
 * <p>Closing and dropping happen when the watermark reaches end and end + lateness, in the order of
 * these times, and before timers of the same watermark. Both are resumable; a step is one pane. A
 * timer that was set before the window closed is not told to the late trigger.
 */
@Specialised
public final class PerWindowOperator implements Operator, TimerHandler {
  private static final String STATE = "windows";

  /** What the walk over a window's panes is for. */
  private enum Walk {
    CLOSE,
    DROP
  }

  private final WindowAssigner assigner;
  private final Aggregator<Object, Object, Object> aggregator;
  private final long allowedLatenessMillis;
  private final boolean discarding;
  private final @Nullable Trigger<Object> earlyTrigger;
  private final @Nullable Trigger<Object> lateTrigger;
  private final OperatorContext context;
  private final Output output;
  private final LateRecords lateRecords;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final KeyedStates states;
  private final StateDescriptor<Pane> state;
  private final TriggerView view;
  private final ResultQueue results;

  private final TreeMap<Window, KeyedTable<Pane>> windows = new TreeMap<>();
  private @Nullable Window current;
  private @Nullable KeyedTable<Pane> currentTable;
  private long watermark = Timestamps.MIN;

  // The firing in hand. Windows up to closedWindow in the order of closing have closed; before the
  // first one of this watermark it is a bound that stands for those of the watermark before.
  private boolean firing;
  private Window closedThrough = new Window(Timestamps.MIN, Timestamps.MIN + 1);
  private Window window = Window.GLOBAL;
  private Walk walk = Walk.CLOSE;
  private @Nullable TableCursor<Pane> cursor;

  /** Works for one task. */
  public PerWindowOperator(Node.WindowNode node, OperatorContext context) {
    Node.Windowing windowing = node.windowing();
    this.assigner = WindowAssigner.of(windowing.windows());
    this.aggregator = ArrayAggregator.orItself(Values.cast(node.aggregation().aggregator()));
    this.allowedLatenessMillis = windowing.allowedLateness().toMillis();
    this.discarding = windowing.accumulation() == Node.Accumulation.DISCARDING;
    this.earlyTrigger = Values.cast(windowing.earlyTrigger());
    this.lateTrigger = Values.cast(windowing.lateTrigger());
    this.context = context;
    this.output = context.output();
    this.lateRecords = new LateRecords(windowing, context);
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.states = context.states();
    this.state =
        StateDescriptor.of(STATE, PaneSerde.form(aggregator.accumulatorForm(context.valueForm())));
    this.view = new TriggerView(context, context.derivedTimers(this));
    this.results = new ResultQueue(context);
  }

  @Override
  public void open() {
    watermark = context.watermark();
    if (watermark != Timestamps.MIN) {
      closedByWatermark();
    }
    for (Window restored : states.restoredSlices(STATE)) {
      if (!RestoredWindows.areOf(assigner, restored)) {
        throw RestoredWindows.ofOtherWindows(context.node(), restored);
      }
      TimerScope scope = new TimerScope(restored);
      for (TableCursor<Pane> panes = table(restored).cursor(); panes.next(); ) {
        view.of(panes.key(), panes.hash())
            .at(restored, panes.value(), scope, Timestamps.MAX)
            .restoreTimers();
      }
    }
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Window last = assigner.last(timestampMillis);
    if (last == null) {
      lateRecords.inNoWindow();
      return;
    }
    if (dropMillis(last) <= context.watermark()) {
      lateRecords.late(key, value, timestampMillis, headers);
      return;
    }
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    view.of(present, hash);
    for (Window each = assigner.first(timestampMillis);
        each != null && each.contains(timestampMillis);
        each = each.equals(last) ? null : assigner.next(each)) {
      if (dropMillis(each) > context.watermark()) {
        add(each, present, hash, value, timestampMillis);
      }
    }
    counters.processed++;
    results.emitOrSuspend();
  }

  private void add(Window to, Object key, long hash, @Nullable Object value, long timestampMillis)
      throws Exception {
    KeyedTable<Pane> table = table(to);
    Pane pane = table.get(key, hash);
    if (pane == null) {
      pane = new Pane(aggregator.add(aggregator.create(), Values.cast(value)));
      table.put(key, hash, pane);
    } else {
      pane.accumulator = aggregator.add(pane.accumulator, Values.cast(value));
    }
    pane.count++;
    pane.countSinceFiring++;
    boolean closed = to.endMillis() <= context.watermark();
    Trigger<Object> trigger = closed ? lateTrigger : earlyTrigger;
    boolean fires = closed;
    if (trigger != null) {
      view.at(to, pane, new TimerScope(to), closed ? dropMillis(to) : to.endMillis());
      fires = view.firesOnRecord(trigger, timestampMillis);
    }
    if (fires) {
      results.add(key, hash, to, fire(pane));
    }
  }

  private KeyedTable<Pane> table(Window of) {
    KeyedTable<Pane> table = currentTable;
    if (table == null || !of.equals(current)) {
      table = windows.computeIfAbsent(of, w -> states.table(state, w));
      current = of;
      currentTable = table;
    }
    return table;
  }

  private Object fire(Pane pane) throws Exception {
    Object result = aggregator.result(pane.accumulator);
    pane.countSinceFiring = 0;
    if (discarding) {
      pane.accumulator = aggregator.create();
    }
    return result;
  }

  private long dropMillis(Window of) {
    return Timestamps.plus(of.endMillis(), allowedLatenessMillis);
  }

  @Override
  public void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope)
      throws Exception {
    Window of = scope.window();
    KeyedTable<Pane> table = windows.get(of);
    long hash = keyContext.hash;
    Pane pane = table == null ? null : table.get(key, hash);
    if (pane == null || !pane.takeTimer(domain, timeMillis)) {
      return;
    }
    boolean closed = of.endMillis() <= context.watermark();
    view.of(key, hash).at(of, pane, scope, closed ? dropMillis(of) : of.endMillis());
    boolean fires = view.firesOnTimer(closed ? lateTrigger : earlyTrigger, timeMillis, domain);
    if (fires && (!discarding || pane.countSinceFiring > 0)) {
      results.add(key, hash, of, fire(pane));
      results.emitOrSuspend();
    }
  }

  @Override
  public void onWatermark(long newWatermark) {
    watermark = newWatermark;
    firing = nextToClose() != null || nextToDrop() != null;
    if (!firing) {
      closedByWatermark();
    }
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    List<Windowed<Object>> present = new ArrayList<>();
    for (Map.Entry<Window, KeyedTable<Pane>> each : windows.entrySet()) {
      Pane pane = each.getValue().read(key, hash);
      if (pane != null) {
        pane.addTo(present, each.getKey(), aggregator, discarding);
      }
    }
    return present.isEmpty() ? null : present;
  }

  @Override
  public boolean pending() {
    return firing || !results.isEmpty();
  }

  @Override
  public void resume(int budget) throws Exception {
    int left = results.emit(budget);
    while (left > 0 && firing && !context.full()) {
      step();
      left--;
    }
  }

  private void step() throws Exception {
    if (cursor == null) {
      startWalk();
    } else if (!cursor.next()) {
      cursor = null;
      if (walk == Walk.CLOSE) {
        closedThrough = window;
      } else {
        drop(window);
      }
    } else if (walk == Walk.DROP || !hasClosedFor(cursor.hash())) {
      Pane pane = cursor.valueToChange();
      pane.clearTimers();
      if (pane.countSinceFiring > 0 || (walk == Walk.CLOSE && !discarding)) {
        Object key = cursor.key();
        keyContext.key = key;
        keyContext.hash = cursor.hash();
        output.process(key, new Windowed<>(window, fire(pane)), window.lastMillis(), null);
      }
    }
  }

  /**
   * Whether the window had closed for a key in an earlier start, in which others had not come as
   * far.
   */
  private boolean hasClosedFor(long hash) {
    GroupTimes before = context.groupTimes();
    return before != null && window.endMillis() <= before.of(hash);
  }

  private void startWalk() {
    Window toClose = nextToClose();
    Window toDrop = nextToDrop();
    if (toDrop != null && (toClose == null || dropMillis(toDrop) <= toClose.endMillis())) {
      if (lateTrigger == null) {
        drop(toDrop); // each late record has been emitted
      } else {
        start(Walk.DROP, toDrop);
      }
    } else if (toClose != null) {
      start(Walk.CLOSE, toClose);
    } else {
      firing = false;
      closedByWatermark();
    }
  }

  private void start(Walk newWalk, Window of) {
    walk = newWalk;
    window = of;
    KeyedTable<Pane> table = windows.get(of);
    cursor = table == null ? null : table.cursor();
  }

  private void drop(Window of) {
    states.drop(STATE, of);
    windows.remove(of);
    current = null;
    currentTable = null;
  }

  /** The first window that the watermark has reached and that has not closed. */
  private @Nullable Window nextToClose() {
    Window next = windows.higherKey(closedThrough);
    return next != null && next.endMillis() <= watermark ? next : null;
  }

  /** The first window that has closed and need not be kept any more. */
  private @Nullable Window nextToDrop() {
    Map.Entry<Window, KeyedTable<Pane>> first = windows.firstEntry();
    return first != null
            && first.getKey().compareTo(closedThrough) <= 0
            && dropMillis(first.getKey()) <= watermark
        ? first.getKey()
        : null;
  }

  /** All windows with end ≤ watermark have closed. */
  private void closedByWatermark() {
    closedThrough = new Window(watermark - 1, watermark);
  }
}
