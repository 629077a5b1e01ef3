package io.streamforge.operator.window;

import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Accumulation;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
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
   * which only those that contain a slice are visited. What is walked at last, an entry a step:
   *
   * - the slice itself where windows do not overlap;
   * - else, if the aggregator subtracts, totals over the slices of the window: those that are new in
   *   it are added before, those that are in no later one subtracted after, so that a slice is read
   *   twice however many windows contain it;
   * - else a table of its own, into which the slices are merged.
   *
   * No record comes before all is done, so slices do not change under a walk.
   */
  private static final String SLICES = "slices";
  private static final String MERGED = "merged";
  private static final String TOTALS = "totals";

  /** A slice in which there are records. */
  private static final class Slice {
    final Window window;

    /** The first window that contains it. */
    final Window first;

    /** The last window that contains it. */
    final Window last;

    /** The watermark from which on no window needs it. */
    final long expiry;

    final Accumulation.Table table;

    Slice(Window window, Window first, Window last, long expiry, Accumulation.Table table) {
      this.window = window;
      this.first = first;
      this.last = last;
      this.expiry = expiry;
      this.table = table;
    }
  }

  private final WindowAssigner assigner;
  private final Accumulation accumulation;
  private final long latenessMillis;
  private final OperatorContext context;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final Output output;
  private final KeyedStates states;
  private final LateRecords lateRecords;
  private final ResultQueue refinements;

  /** Null where windows do not overlap or the aggregator does not subtract. */
  private final Accumulation.@Nullable Totals totals;

  /** Where the slices begin that are not in the totals yet; those before are, as long as needed. */
  private long totalsTo = Timestamps.MIN;

  /** By start; they do not overlap. */
  private final NavigableMap<Long, Slice> slices = new TreeMap<>();

  private final RecentSlices<Slice> recent = new RecentSlices<>();

  /** All windows that end at or before have fired. */
  private long firedTo = Timestamps.MIN;

  private long firingTo = Timestamps.MIN;
  private @Nullable Window firing;

  /** What is done with the entries of {@link #walk}. */
  private enum Phase {
    GATHER,
    EMIT,
    SUBTRACT
  }

  private Phase phase = Phase.GATHER;
  private final ArrayDeque<Slice> toWalk = new ArrayDeque<>();
  private Accumulation.@Nullable Table merged;
  private Accumulation.@Nullable Walk walk;

  /** Works for one task. */
  public SliceWindowOperator(Node.WindowNode node, OperatorContext context) {
    Node.Windowing windowing = node.windowing();
    this.assigner = WindowAssigner.of(windowing.windows());
    this.latenessMillis = windowing.allowedLateness().toMillis();
    this.context = context;
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.output = context.output();
    this.states = context.states();
    this.accumulation = Accumulation.of(Values.cast(node.aggregation().aggregator()), context);
    this.totals = assigner.overlapping() ? accumulation.totals(TOTALS) : null;
    this.lateRecords = new LateRecords(windowing, context);
    this.refinements = new ResultQueue(context);
  }

  @Override
  public void open() {
    firedTo = context.watermark();
    states.restoredSlices(SLICES).forEach(this::slice);
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    if (value instanceof Accumulation.Part part) {
      take(Values.cast(key), part, timestampMillis);
      return;
    }
    counters.in++;
    Slice slice = recent.find(timestampMillis);
    if (slice == null) {
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
      recent.add(slice, window);
    }
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    if (slice.first.endMillis() > firedTo) {
      slice.table.add(present, hash, value);
    } else {
      addLate(slice, present, hash, value, timestampMillis);
    }
    counters.processed++;
    refinements.emitOrSuspend();
  }

  /** What {@link CombineOperator} has made of records, and counted; it is never late. */
  private void take(Object key, Accumulation.Part part, long timestampMillis) throws Exception {
    Slice slice = recent.find(timestampMillis);
    if (slice == null) {
      Window window = assigner.slice(timestampMillis);
      slice = window == null ? null : slice(window);
      if (window == null || slice == null || slice.first.endMillis() <= firedTo) {
        throw new IllegalStateException(
            "records combined for " + window + " come after the watermark " + firedTo);
      }
      recent.add(slice, window);
    }
    slice.table.merge(key, keyContext.hash, part);
  }

  /** A record of a slice of which a window at least has fired. */
  private void addLate(
      Slice slice, Object key, long hash, @Nullable Object value, long timestampMillis)
      throws Exception {
    Accumulation.Totals counting = isInTotals(slice) ? totals : null;
    if (counting != null) {
      counting.subtract(slice.table, key, hash);
    }
    slice.table.add(key, hash, value);
    if (counting != null) {
      counting.add(slice.table, key, hash);
    }
    refine(slice.first, key, hash, timestampMillis);
  }

  /** Whether windows of the slice have fired, and others are still to come. */
  private boolean isInTotals(Slice slice) {
    return slice.window.startMillis() < totalsTo && slice.last.endMillis() > firedTo;
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
    Slice made = new Slice(window, first, last, expiry, accumulation.table(SLICES, window));
    slices.put(window.startMillis(), made);
    return made;
  }

  /** The key's results anew, of all windows that contain the instant, have closed and are kept. */
  private void refine(Window first, Object key, long hash, long timestampMillis) throws Exception {
    for (Window window = first;
        window != null && window.endMillis() <= firedTo && window.contains(timestampMillis);
        window = assigner.next(window)) {
      if (firedTo < Timestamps.plus(window.endMillis(), latenessMillis)) {
        refinements.add(key, hash, window, result(window, key, hash));
      }
    }
  }

  /** Of one key over a window in which it has records. */
  private Object result(Window window, Object key, long hash) throws Exception {
    Collection<Slice> parts = within(window).values();
    return accumulation.resultOver(
        () -> parts.stream().map(part -> part.table).iterator(), key, hash);
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
      recent.remove(slice);
    }
    if (expired() == null) {
      firedTo = firingTo;
    }
  }

  /** Goes on with a window; the steps that are left, or -1 when the output is full. */
  private int fire(Window window, int budget) throws Exception {
    int left = budget;
    if (walk == null && phase == Phase.GATHER) {
      begin(window);
    }
    if (phase == Phase.GATHER) {
      left = gather(left);
      if (left == 0) {
        return 0;
      }
      phase = Phase.EMIT;
      if (totals != null) {
        walk = totals.walk();
      } else if (merged != null) {
        walk = merged.walk();
      }
    }
    if (phase == Phase.EMIT) {
      left = emit(window, left);
      if (left <= 0) {
        return left;
      }
      walk = null;
      phase = Phase.SUBTRACT;
      toWalk.addAll(totals == null ? List.of() : leaving(window).values());
    }
    left = subtract(left);
    if (left > 0) {
      end(window);
    }
    return left;
  }

  private void begin(Window window) {
    NavigableMap<Long, Slice> parts = within(window);
    if (totals != null) {
      long from = Math.max(totalsTo, window.startMillis());
      toWalk.addAll(slices.subMap(from, true, window.endMillis(), false).values());
      totalsTo = window.endMillis();
    } else if (parts.size() == 1) {
      walk = parts.firstEntry().getValue().table.walk();
    } else {
      toWalk.addAll(parts.values());
      merged = accumulation.derivedTable(MERGED, window);
    }
  }

  /** Puts the slices together; the steps that are left, 0 when some are still to be taken. */
  private int gather(int budget) throws Exception {
    int left = budget;
    for (Slice slice; (slice = toWalk.peek()) != null; toWalk.remove(), walk = null) {
      Accumulation.Walk entries = walk == null ? slice.table.walk() : walk;
      walk = entries;
      for (; entries.next(); left--) {
        if (totals != null) {
          totals.add(entries);
        } else if (merged != null) {
          merged.merge(entries);
        }
        if (left == 1) {
          return 0;
        }
      }
    }
    return left;
  }

  /**
   * Emits; the steps that are left, 0 when some are still to be taken, -1 when there is no room.
   */
  private int emit(Window window, int budget) throws Exception {
    Accumulation.Walk entries = walk;
    if (entries == null) {
      return budget;
    }
    for (int left = budget; left > 0; left--) {
      if (context.full()) {
        return -1;
      }
      if (!entries.next()) {
        return left;
      }
      Object key = entries.key();
      Object result = entries.result();
      keyContext.key = key;
      keyContext.hash = entries.hash();
      output.process(key, new Windowed<>(window, result), window.lastMillis(), null);
    }
    return 0;
  }

  /** Slices that are in no window after this one. */
  private NavigableMap<Long, Slice> leaving(Window window) {
    Window next = assigner.next(window);
    return next == null
        ? within(window)
        : slices.subMap(window.startMillis(), true, next.startMillis(), false);
  }

  private int subtract(int budget) throws Exception {
    int left = budget;
    for (Slice slice;
        totals != null && (slice = toWalk.peek()) != null;
        toWalk.remove(), walk = null) {
      Accumulation.Walk entries = walk == null ? slice.table.walk() : walk;
      walk = entries;
      for (; entries.next(); left--) {
        totals.subtract(entries);
        if (left == 1) {
          return 0;
        }
      }
    }
    return left;
  }

  private void end(Window window) {
    walk = null;
    phase = Phase.GATHER;
    if (merged != null) {
      merged = null;
      states.drop(MERGED, window);
    }
    Window next = assigner.next(window);
    firing = next == null ? null : due(next);
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    Slice slice = recent.newer();
    if (slice != null) {
      slice.table.touch(hashes, from, to);
    }
  }
}
