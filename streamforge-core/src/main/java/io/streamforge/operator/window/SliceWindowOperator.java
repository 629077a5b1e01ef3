package io.streamforge.operator.window;

import io.streamforge.function.Aggregator;
import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.TableCursor;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import java.util.ArrayDeque;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Windows that fire when they close, over aggregates that merge: a record updates the one slice it
 * lies in, however many windows contain that, and a closing window puts its slices together.
 */
@Specialised
public final class SliceWindowOperator implements Operator {
  /*
   * Firing is resumable: the windows that are due follow each other in the assigner's sequence, of
   * which only those that contain a slice are visited. A window that has several slices is first
   * merged, slice by slice, into a table of its own, into fresh accumulators, since the slices are
   * still needed by other windows; then that table is walked. A step is one entry merged or emitted.
   * No record comes before all is done, so slices do not change under a cursor.
   */
  private static final String SLICES = "slices";
  private static final String MERGED = "merged";

  /** A slice in which there are records. */
  private static final class Slice {
    final Window window;

    /** The first window that contains it. */
    final Window first;

    /** The watermark from which on no window needs it. */
    final long expiry;

    final KeyedTable<Object> table;

    Slice(Window window, Window first, long expiry, KeyedTable<Object> table) {
      this.window = window;
      this.first = first;
      this.expiry = expiry;
      this.table = table;
    }
  }

  private final WindowAssigner assigner;
  private final Aggregator<Object, Object, Object> aggregator;
  private final long latenessMillis;
  private final OperatorContext context;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final Output output;
  private final KeyedStates states;
  private final LateRecords lateRecords;
  private final ResultQueue refinements;

  /** By start; they do not overlap. */
  private final NavigableMap<Long, Slice> slices = new TreeMap<>();

  private @Nullable Slice latest;

  /** All windows that end at or before have fired. */
  private long firedTo = Timestamps.MIN;

  private long firingTo = Timestamps.MIN;
  private @Nullable Window firing;
  private final ArrayDeque<Slice> toMerge = new ArrayDeque<>();
  private @Nullable KeyedTable<Object> merged;
  private @Nullable TableCursor<Object> cursor;

  /** Works for one task. */
  public SliceWindowOperator(Node.WindowNode node, OperatorContext context) {
    Node.Windowing windowing = node.windowing();
    this.assigner = WindowAssigner.of(windowing.windows());
    this.aggregator = Values.cast(node.aggregation().aggregator());
    this.latenessMillis = windowing.allowedLateness().toMillis();
    this.context = context;
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.output = context.output();
    this.states = context.states();
    this.lateRecords = new LateRecords(windowing, context);
    this.refinements = new ResultQueue(context);
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Slice slice = latest;
    if (slice == null || !slice.window.contains(timestampMillis)) {
      Window window = assigner.slice(timestampMillis);
      if (window == null) {
        lateRecords.inNoWindow();
        return;
      }
      slice = slice(window);
      if (slice == null) {
        lateRecords.late(key, value, timestampMillis, headers);
        return;
      }
      latest = slice;
    }
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    Object before = slice.table.get(present, hash);
    Object after =
        aggregator.add(before == null ? aggregator.create() : before, Values.cast(value));
    if (after != before) {
      slice.table.put(present, hash, after);
    }
    if (slice.first.endMillis() <= firedTo) {
      refine(slice.first, present, hash, timestampMillis);
    }
    counters.processed++;
    refinements.emitOrSuspend();
  }

  /** The slice, made if need be; null when no window needs it any more. */
  private @Nullable Slice slice(Window window) {
    Slice present = slices.get(window.startMillis());
    if (present != null) {
      return present;
    }
    Window first = assigner.first(window.startMillis());
    Window last = assigner.last(window.startMillis());
    if (first == null || last == null) {
      throw new IllegalStateException("slice " + window + " is in no window");
    }
    long expiry = Timestamps.plus(last.endMillis(), latenessMillis);
    if (firedTo >= expiry) {
      return null;
    }
    Slice made = new Slice(window, first, expiry, states.table(SLICES, window));
    slices.put(window.startMillis(), made);
    return made;
  }

  /** The key's results anew, of all windows that contain the instant, have closed and are kept. */
  private void refine(Window first, Object key, long hash, long timestampMillis) throws Exception {
    for (Window window = first;
        window != null && window.endMillis() <= firedTo && window.contains(timestampMillis);
        window = assigner.next(window)) {
      if (firedTo < Timestamps.plus(window.endMillis(), latenessMillis)) {
        refinements.add(key, hash, window, aggregator.result(accumulator(window, key, hash)));
      }
    }
  }

  /** Of one key over a window in which it has records. */
  private Object accumulator(Window window, Object key, long hash) throws Exception {
    NavigableMap<Long, Slice> parts = within(window);
    if (parts.size() == 1) {
      return Values.cast(parts.firstEntry().getValue().table.get(key, hash));
    }
    Object all = aggregator.create();
    for (Slice slice : parts.values()) {
      Object part = slice.table.get(key, hash);
      if (part != null) {
        all = aggregator.merge(all, part);
      }
    }
    return all;
  }

  private NavigableMap<Long, Slice> within(Window window) {
    return slices.subMap(window.startMillis(), true, window.endMillis(), false);
  }

  @Override
  public void onWatermark(long watermark) {
    firingTo = watermark;
    Window next = assigner.endingAfter(firedTo);
    firing = next == null ? null : due(next);
    if (!pending()) {
      firedTo = firingTo;
    }
  }

  /** The first window of the sequence, from {@code from} on, that is due and contains a slice. */
  private @Nullable Window due(Window from) {
    var entry = slices.ceilingEntry(from.startMillis());
    if (entry == null) {
      return null;
    }
    long start = entry.getKey();
    Window window = from.contains(start) ? from : assigner.first(start);
    return window != null && window.endMillis() <= firingTo ? window : null;
  }

  @Override
  public boolean pending() {
    return !refinements.isEmpty() || firing != null || expired() != null;
  }

  private @Nullable Slice expired() {
    var first = firingTo > firedTo ? slices.firstEntry() : null;
    return first != null && first.getValue().expiry <= firingTo ? first.getValue() : null;
  }

  @Override
  public void resume(int budget) throws Exception {
    if (!refinements.isEmpty()) {
      refinements.emit(budget);
      return;
    }
    int left = budget;
    while (firing != null && left > 0) {
      left = fire(firing, left);
      if (left < 0) {
        return;
      }
    }
    if (firing != null) {
      return;
    }
    for (Slice slice = expired(); slice != null && left > 0; slice = expired(), left--) {
      slices.remove(slice.window.startMillis());
      states.drop(SLICES, slice.window);
      if (slice == latest) {
        latest = null;
      }
    }
    if (expired() == null) {
      firedTo = firingTo;
    }
  }

  /** Goes on with a window; the steps that are left, or -1 when the output is full. */
  private int fire(Window window, int budget) throws Exception {
    int left = budget;
    TableCursor<Object> walk = cursor;
    if (walk == null) {
      walk = begin(window);
    }
    KeyedTable<Object> into = merged;
    while (!toMerge.isEmpty() && into != null) {
      for (; walk.next(); left--) {
        merge(into, walk);
        if (left == 1) {
          return 0;
        }
      }
      toMerge.remove();
      walk = (toMerge.isEmpty() ? into : toMerge.element().table).cursor();
      cursor = walk;
    }
    for (; left > 0; left--) {
      if (context.full()) {
        return -1;
      }
      if (!walk.next()) {
        end(window);
        return left - 1;
      }
      Object result = aggregator.result(walk.value());
      keyContext.key = walk.key();
      keyContext.hash = walk.hash();
      output.process(walk.key(), new Windowed<>(window, result), window.lastMillis(), null);
    }
    return 0;
  }

  private TableCursor<Object> begin(Window window) {
    NavigableMap<Long, Slice> parts = within(window);
    KeyedTable<Object> first = parts.firstEntry().getValue().table;
    if (parts.size() > 1) {
      toMerge.addAll(parts.values());
      merged = states.table(MERGED, window);
    }
    TableCursor<Object> walk = first.cursor();
    cursor = walk;
    return walk;
  }

  private void merge(KeyedTable<Object> into, TableCursor<Object> part) throws Exception {
    Object key = part.key();
    long hash = part.hash();
    Object before = into.get(key, hash);
    Object after = aggregator.merge(before == null ? aggregator.create() : before, part.value());
    if (after != before) {
      into.put(key, hash, after);
    }
  }

  private void end(Window window) {
    cursor = null;
    if (merged != null) {
      merged = null;
      states.drop(MERGED, window);
    }
    Window next = assigner.next(window);
    firing = next == null ? null : due(next);
  }
}
