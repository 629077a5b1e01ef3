package io.streamforge.operator.window;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Aggregator;
import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Accumulation;
import io.streamforge.operator.GroupTimes;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Part;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Windows that fire when they close, over aggregates that merge: a record updates the one slice it
 * lies in, however many windows contain that, and a closing window puts its slices together.
 */
@Specialised
public final class SliceWindowOperator implements Operator {
  /*
   * Firing is resumable: the windows that are due follow each other in the assigner's sequence, of
   * which only those that contain a slice are visited. A gathering puts the slices together, and the
   * result is walked, an entry a step.
   *
   * No record comes before all is done, so slices do not change under a walk.
   */
  private static final String SLICES = "slices";

  /** Slices that a query looks at: a few milliseconds of work. */
  private static final int MAX_LOOKUPS = 10_000;

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

  private final Slices slices = new Slices();
  private final Gathering gathering;
  private final RecentSlices<Slice> recent = new RecentSlices<>();

  /** All windows that end at or before have fired. */
  private long firedTo = Timestamps.MIN;

  private long firingTo = Timestamps.MIN;
  private @Nullable Window firing;

  private enum Phase {
    BEGIN,
    GATHER,
    EMIT,
    FORGET
  }

  /** What is to be done next for the window that is firing. */
  private Phase phase = Phase.BEGIN;

  /** Its keys, while they are emitted. */
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
    Aggregator<Object, Object, Object> aggregator = Values.cast(node.aggregation().aggregator());
    this.accumulation = Accumulation.of(aggregator, context);
    this.gathering = Gathering.of(assigner, aggregator, accumulation, states, slices);
    this.lateRecords = new LateRecords(windowing, context);
    this.refinements = new ResultQueue(context);
  }

  @Override
  public void open() {
    firedTo = context.watermark();
    for (Window restored : states.restoredSlices(SLICES)) {
      if (!restored.equals(assigner.slice(restored.startMillis()))) {
        throw RestoredWindows.ofOtherWindows(context.node(), restored);
      }
      slice(restored);
    }
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    if (value instanceof Part part) {
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
    if (context.groupTimes() != null && slice.expiry <= context.watermark()) {
      lateRecords.late(key, value, timestampMillis, headers);
      return;
    }
    if (slice.first.endMillis() > firedTo) {
      slice.table.add(present, hash, value);
      if (context.groupTimes() != null) {
        refine(slice.first, present, hash, timestampMillis);
      }
    } else {
      addLate(slice, present, hash, value, timestampMillis);
    }
    counters.processed++;
    refinements.emitOrSuspend();
  }

  /** What {@link CombineOperator} has made of records, and counted; it is never late. */
  private void take(Object key, Part part, long timestampMillis) throws Exception {
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
    boolean others = slice.last.endMillis() > firedTo;
    if (others) {
      gathering.beforeLate(slice, key, hash);
    }
    try {
      slice.table.add(key, hash, value);
    } finally {
      // A value that is rejected leaves the entry as it was.
      if (others) {
        gathering.afterLate(slice, key, hash, firedTo);
      }
    }
    refine(slice.first, key, hash, timestampMillis);
  }

  /** The slice, made if need be; null when no window needs it any more. */
  private @Nullable Slice slice(Window window) {
    Slice present = slices.at(window.startMillis());
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
    slices.add(made);
    return made;
  }

  /** The key's results anew, of all windows that contain the instant, have closed and are kept. */
  private void refine(Window first, Object key, long hash, long timestampMillis) throws Exception {
    // That of the key, which may have fired more than others: see GroupTimes.
    long firedTo = context.watermark();
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
    Collection<Slice> parts = slices.within(window);
    return accumulation.resultOver(
        () -> parts.stream().map(part -> part.table).iterator(), key, hash);
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    List<Windowed<Object>> present = new ArrayList<>();
    Window last = null;
    int lookups = 0;
    for (Slice slice : slices.all()) {
      lookups = counted(lookups, 1);
      if (slice.table.part(key, hash) == null) {
        continue;
      }
      // Windows up to the last one of an earlier slice have been looked at.
      Window first =
          last != null && last.compareTo(slice.first) >= 0 ? assigner.next(last) : slice.first;
      for (Window window = first;
          window != null && window.compareTo(slice.last) <= 0;
          window = assigner.next(window)) {
        last = window;
        lookups = counted(lookups, 1);
        if (firedTo < Timestamps.plus(window.endMillis(), latenessMillis)) {
          lookups = counted(lookups, slices.within(window).size());
          present.add(new Windowed<>(window, result(window, key, hash)));
        }
      }
    }
    return present.isEmpty() ? null : present;
  }

  private int counted(int lookups, int more) {
    if (lookups + more > MAX_LOOKUPS) {
      throw new StreamForgeException(
          ErrorCode.QUERY_INVALID,
          ErrorContext.node(context.node()),
          "the key lies in so many windows that more than "
              + MAX_LOOKUPS
              + " slices of them would have to be looked at",
          "Let the windows overlap less: a longer slide, or a tumbling window of a node of its own.",
          null);
    }
    return lookups + more;
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
    Slice slice = slices.firstFrom(from.startMillis());
    if (slice == null) {
      return null;
    }
    long start = slice.window.startMillis();
    Window window = from.contains(start) ? from : assigner.first(start);
    return window != null && window.endMillis() <= firingTo ? window : null;
  }

  @Override
  public boolean pending() {
    return !refinements.isEmpty() || firing != null || expired() != null;
  }

  private @Nullable Slice expired() {
    Slice first = firingTo > firedTo ? slices.first() : null;
    return first != null && first.expiry <= firingTo ? first : null;
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
      slices.remove(slice);
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
    if (phase == Phase.BEGIN) {
      gathering.begin(window);
      phase = Phase.GATHER;
    }
    if (phase == Phase.GATHER) {
      left = gathering.gather(left);
      if (left == 0) {
        return 0;
      }
      walk = gathering.walk();
      phase = Phase.EMIT;
    }
    if (phase == Phase.EMIT) {
      left = emit(window, left);
      if (left <= 0) {
        return left;
      }
      walk = null;
      gathering.end(window);
      phase = Phase.FORGET;
    }
    left = gathering.forget(left);
    if (left > 0) {
      phase = Phase.BEGIN;
      Window next = assigner.next(window);
      firing = next == null ? null : due(next);
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
    GroupTimes before = context.groupTimes();
    for (int left = budget; left > 0; left--) {
      if (context.full()) {
        return -1;
      }
      if (!entries.next()) {
        return left;
      }
      if (before != null && window.endMillis() <= before.of(entries.hash())) {
        continue;
      }
      Object key = entries.key();
      Object result = entries.result();
      keyContext.key = key;
      keyContext.hash = entries.hash();
      output.process(key, new Windowed<>(window, result), window.lastMillis(), null);
    }
    return 0;
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    Slice slice = recent.newer();
    if (slice != null) {
      slice.table.touch(hashes, from, to);
    }
  }
}
