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
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.window.Window;
import java.util.ArrayDeque;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the exchange to a window node and sends, instead of records, what those of a key
 * and slice add up to: less to send, and a key that has most of the records burdens no task more
 * than others. The node's operator merges the parts.
 */
@Specialised
public final class CombineOperator implements Operator {
  /*
   * Invariant: a part goes out before the task tells that event time has reached the end of a window
   * that contains its slice, and before it tells that its input is idle, since either lets the
   * receiver close that window. So no part is ever late. While the task was idle, event time went on
   * without it, nobody here knows how far: from then on all records go on as they are. And parts go
   * out before the barrier of a checkpoint, since what is here is not saved. A record of a slice of which a window has
   * closed here goes on as it is, and the receiver decides about it.
   *
   * Records combined here are counted here; those that go on as they are, where they arrive.
   */
  private static final String SLICES = "combined";

  /** Keys of a slice; with more it is sent before it is complete. */
  private static final int MAX_KEYS = 1 << 15;

  /** Slices open at a time, in streams far out of order; beyond it the oldest is sent. */
  private static final int MAX_SLICES = 256;

  /** With fewer records a part than this, combining costs more than it saves. */
  private static final int WORTHWHILE = 2;

  /** How many times the records of a vain attempt go on as they are until the next one. */
  private static final int PATIENCE = 32;

  private static final class Slice {
    final Window window;

    /** The watermark that closes the first window that contains it. */
    final long due;

    final Accumulation.Table table;
    long records;
    int parts;

    Slice(Window window, long due, Accumulation.Table table) {
      this.window = window;
      this.due = due;
      this.table = table;
    }
  }

  private final WindowAssigner assigner;
  private final Accumulation accumulation;
  private final KeyedStates states;
  private final OperatorContext context;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final Output output;

  /** By start; slices that begin later are not due earlier. */
  private final TreeMap<Long, Slice> slices = new TreeMap<>();

  private final RecentSlices<Slice> recent = new RecentSlices<>();

  /** To be sent. */
  private final ArrayDeque<Slice> sending = new ArrayDeque<>();

  private Accumulation.@Nullable Walk walk;

  /** Records that go on as they are before combining is tried again. */
  private long toPass;

  /** Whether the receivers may be ahead of this task. */
  private boolean behind;

  /** Works for one task that sends to {@code node}. */
  public CombineOperator(Node.WindowNode node, OperatorContext context) {
    this.assigner = WindowAssigner.of(node.windowing().windows());
    this.states = context.states();
    this.accumulation = Accumulation.of(Values.cast(node.aggregation().aggregator()), context);
    this.context = context;
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.output = context.output();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    Slice slice = behind ? null : toPass > 0 ? passing() : slice(timestampMillis);
    if (slice == null) {
      output.process(key, value, timestampMillis, headers);
      return;
    }
    counters.in++;
    slice.table.add(Values.cast(key), keyContext.hash, value);
    slice.records++;
    counters.processed++;
    if (slice.table.size() >= MAX_KEYS) {
      send(slice);
      context.suspend();
    }
  }

  private @Nullable Slice passing() {
    toPass--;
    return null;
  }

  /** The slice of the instant; null when there is none, or when one of its windows has closed. */
  private @Nullable Slice slice(long timestampMillis) {
    Slice slice = recent.find(timestampMillis);
    if (slice != null) {
      return slice;
    }
    Window window = assigner.slice(timestampMillis);
    Window first = window == null ? null : assigner.first(window.startMillis());
    if (window == null || first == null || first.endMillis() <= context.watermark()) {
      return null;
    }
    slice =
        slices.computeIfAbsent(
            window.startMillis(),
            start ->
                new Slice(window, first.endMillis(), accumulation.derivedTable(SLICES, window)));
    recent.add(slice, window);
    if (slices.size() > MAX_SLICES) {
      send(slices.firstEntry().getValue());
      context.suspend();
    }
    return slice;
  }

  private void send(Slice slice) {
    slices.remove(slice.window.startMillis());
    recent.remove(slice);
    sending.add(slice);
  }

  @Override
  public void onWatermark(long watermark) {
    while (!slices.isEmpty() && slices.firstEntry().getValue().due <= watermark) {
      send(slices.firstEntry().getValue());
    }
  }

  @Override
  public void onIdle() {
    behind = true;
    sendAll();
  }

  @Override
  public void beforeCheckpoint() {
    sendAll();
  }

  private void sendAll() {
    while (!slices.isEmpty()) {
      send(slices.firstEntry().getValue());
    }
  }

  @Override
  public boolean pending() {
    return !sending.isEmpty();
  }

  @Override
  public void resume(int budget) throws Exception {
    int left = budget;
    for (Slice slice; (slice = sending.peek()) != null; ) {
      Accumulation.Walk entries = walk == null ? slice.table.walk() : walk;
      walk = entries;
      for (; left > 0 && !context.full() && entries.next(); left--) {
        slice.parts++;
        Object key = entries.key();
        keyContext.key = key;
        keyContext.hash = entries.hash();
        output.process(key, entries.part(), slice.window.startMillis(), null);
      }
      if (left == 0 || context.full()) {
        return;
      }
      sending.remove();
      walk = null;
      states.drop(SLICES, slice.window);
      if (slice.records < (long) slice.parts * WORTHWHILE) {
        toPass = slice.records * PATIENCE;
      }
    }
  }
}
