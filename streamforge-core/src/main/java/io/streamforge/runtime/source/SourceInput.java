package io.streamforge.runtime.source;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Output;
import io.streamforge.operator.Rejections;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.record.Timestamps;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.task.Deadlines;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Waker;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.Clock;
import io.streamforge.time.WatermarkStrategy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the splits that a task has been assigned and hands their records to the operators. A reader
 * that never waits is called right here and emits straight into the operators; a blocking one is
 * called by a {@link Fetcher}.
 */
@Specialised
public final class SourceInput implements SplitInput, RecordOutput<Object, Object> {
  private final String node;
  private final SourceReader<Object, Object> reader;
  private final @Nullable Fetcher fetcher;
  private final @Nullable Pacer pacer;
  private final SplitTimes times;
  private final Clock clock;
  private final Gate gate;
  private final NodeCounters counters;
  private final Output head;

  private boolean lastSplits;
  private boolean drained;
  private boolean closed;
  private boolean[] sharedPauses = {};
  private boolean readsNothing;
  private long currentPosition;
  private int left;
  private boolean punctuated;
  private long pollNanos = Long.MAX_VALUE;
  private long unreadSince = Long.MIN_VALUE;

  private @Nullable FetchBatch inHand;
  private int next;

  private int currentSplit;
  private @Nullable Object currentKey;
  private @Nullable Object currentValue;
  private long currentTimestamp;
  private boolean current;
  private boolean failedInOperators;
  private boolean paceLimited;

  /** Null where what is rejected fails the job. */
  private final @Nullable Rejections rejections;

  /** Whether an operator may ask for the position of a record that is on its way. */
  private boolean tracking;

  /**
   * The input of one task.
   *
   * @param fetchSize records that a blocking reader may read ahead at a time
   * @param rejections what becomes of records that are rejected; null: they fail the job
   * @param onFailure told what a blocking reader throws
   */
  public SourceInput(
      String node,
      SourceReader<?, ?> reader,
      WatermarkStrategy<?, ?> strategy,
      boolean hasTimestamps,
      @Nullable Pacer pacer,
      @Nullable SplitAlignment alignment,
      int task,
      int fetchSize,
      Scheduler scheduler,
      Waker self,
      Gate gate,
      NodeCounters counters,
      Output head,
      @Nullable Rejections rejections,
      Consumer<Throwable> onFailure) {
    this.node = node;
    this.rejections = rejections;
    this.reader = Values.cast(reader);
    this.pacer = pacer;
    this.clock = scheduler.clock();
    this.gate = gate;
    this.counters = counters;
    this.head = head;
    this.times = new SplitTimes(node, strategy, hasTimestamps, alignment, task, clock);
    this.fetcher =
        reader.blocking()
            ? new Fetcher(this.reader, fetchSize, scheduler, "read " + node, self, onFailure)
            : null;
  }

  @Override
  public void addSplits(List<Manifest.SplitPart> splits, boolean last) {
    for (Manifest.SplitPart part : splits) {
      times.add(part);
      Split split = new Split(part.id(), part.position());
      if (fetcher != null) {
        fetcher.add(split);
      } else {
        try {
          reader.add(split);
        } catch (Exception e) {
          throw SourceFailures.of(node, e);
        }
      }
    }
    lastSplits |= last;
    pollNanos = Long.MAX_VALUE;
  }

  @Override
  public void sourceWoken() {
    if (fetcher != null) {
      fetcher.wake();
    }
  }

  @Override
  public boolean step(int budget) throws Exception {
    current = false;
    currentKey = null;
    currentValue = null;
    readsNothing = false;
    if (drained || ended()) {
      return false;
    }
    times.beginStep();
    long now = clock.monotonicNanos();
    if (unreadSince != Long.MIN_VALUE) {
      times.notRead(now - unreadSince);
      unreadSince = Long.MIN_VALUE;
    }
    int allowed = pacer == null ? budget : pacer.take(budget, now);
    paceLimited = allowed == 0;
    boolean worked = false;
    boolean waiting = false;
    if (allowed > 0) {
      left = allowed;
      if (fetcher == null) {
        waiting = readDirectly(now);
      } else {
        waiting = drainFetched(now);
      }
      worked = left < allowed || (fetcher == null && !waiting);
      if (pacer != null && left > 0) {
        pacer.giveBack(left);
      }
    }
    times.update(now);
    sharePauses();
    readsNothing = waiting && !gate.closed;
    if (readsNothing) {
      times.findIdle(now);
    }
    if (gate.closed || paceLimited) {
      // From here until the next step nothing is read although there may be something.
      unreadSince = now;
    }
    return worked;
  }

  /** Whether the reader has nothing more just now. */
  private boolean readDirectly(long now) throws Exception {
    if (times.count() == 0) {
      return true;
    }
    ReadStatus status;
    try {
      status = reader.read(this);
    } catch (Exception e) {
      if (failedInOperators) {
        // A record was on its way through the operators: not the reader's failure.
        throw e;
      }
      throw SourceFailures.of(node, e);
    } finally {
      punctuated = false;
    }
    boolean waiting = status != ReadStatus.MORE;
    pollNanos =
        status == ReadStatus.WAITING ? now + reader.pollMillis() * 1_000_000 : Long.MAX_VALUE;
    return waiting;
  }

  private boolean drainFetched(long now) throws Exception {
    Fetcher fetcher = this.fetcher;
    if (fetcher == null) {
      return true;
    }
    while (left > 0 && !gate.closed && !punctuated) {
      FetchBatch batch = inHand;
      if (batch == null) {
        boolean emptyHanded = fetcher.emptyHanded();
        boolean resting = fetcher.resting();
        batch = fetcher.channel().poll();
        if (batch == null) {
          if (!resting) {
            pollNanos = Long.MAX_VALUE;
          } else if (pollNanos == Long.MAX_VALUE) {
            pollNanos = now + reader.pollMillis() * 1_000_000;
          } else if (now - pollNanos >= 0) {
            pollNanos = Long.MAX_VALUE;
            fetcher.wake();
          }
          return emptyHanded;
        }
        pollNanos = Long.MAX_VALUE;
        inHand = batch;
        next = 0;
      }
      while (next < batch.size && left > 0 && !gate.closed && !punctuated) {
        take(batch, next++);
      }
      if (next == batch.size) {
        inHand = null;
        batch.clear();
        fetcher.channel().giveBack(batch);
      }
    }
    punctuated = false;
    return false;
  }

  private void take(FetchBatch batch, int at) throws Exception {
    int split = batch.splits[at];
    switch (batch.kinds[at]) {
      case RECORD ->
          emit(
              split,
              batch.keys[at],
              batch.values[at],
              batch.timestamps[at],
              batch.headers[at],
              batch.positions[at]);
      case REJECTED ->
          reject(
              split,
              (byte[]) Objects.requireNonNull(batch.keys[at]),
              (StreamForgeException) Objects.requireNonNull(batch.values[at]),
              batch.positions[at]);
      case SKIP -> skip(split, String.valueOf(batch.values[at]), batch.positions[at]);
      case WATERMARK -> watermark(split, batch.positions[at]);
      case END -> end(split);
      case BACKLOG -> backlog(split, batch.positions[at]);
    }
  }

  private void sharePauses() {
    if (fetcher == null || (!times.anyPaused() && sharedPauses.length == 0)) {
      return;
    }
    boolean[] paused = new boolean[times.anyPaused() ? times.count() : 0];
    for (int i = 0; i < paused.length; i++) {
      paused[i] = times.paused(i);
    }
    // Only when it differs: the reader is woken by it, and wakes the task in turn.
    if (!Arrays.equals(paused, sharedPauses)) {
      sharedPauses = paused;
      fetcher.paused(paused);
    }
  }

  @Override
  public boolean full() {
    return left <= 0 || gate.closed || punctuated;
  }

  @Override
  public boolean paused(int split) {
    return times.paused(split);
  }

  @Override
  public void emit(
      int split,
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers,
      long nextPosition) {
    // Hot path: what errors need to know of the record is kept only when there is one.
    left--;
    counters.in++;
    long timestamp = timestampMillis;
    if (tracking) {
      currentSplit = split;
      currentPosition = times.position(split);
    }
    try {
      timestamp = times.timestamp(key, value, timestampMillis);
      counters.processed++;
      head.process(key, value, timestamp, headers);
      if (gate.closed) {
        keep(split, key, value, timestamp);
      }
      if (times.processed(split, key, value, timestamp, nextPosition)) {
        punctuated = true;
      }
    } catch (Throwable e) {
      keep(split, key, value, timestamp);
      failedInOperators = true;
      Rejections policy = rejections;
      // What does not balance are the source's own books: the record got no timestamp.
      if (policy == null
          || counters.balanced()
          || !(e instanceof Exception failure)
          || !Rejections.covers(failure)) {
        throw rethrown(e);
      }
      try {
        policy.record(key, value, timestampMillis, headers, failure);
      } catch (Exception another) {
        throw rethrown(another);
      }
      failedInOperators = false;
      current = gate.closed;
      times.skipped(split, nextPosition);
    }
  }

  @Override
  public void reject(int split, byte[] original, StreamForgeException failure, long nextPosition) {
    Rejections policy = rejections;
    if (policy == null) {
      throw failure;
    }
    left--;
    counters.in++;
    keep(split, null, original, NO_TIMESTAMP);
    try {
      policy.record(null, original, NO_TIMESTAMP, null, failure);
    } catch (Exception another) {
      failedInOperators = true;
      throw rethrown(another);
    }
    current = gate.closed;
    times.skipped(split, nextPosition);
  }

  @Override
  public void trackPositions() {
    tracking = true;
  }

  /** Remembers the record that the operators have in hand. */
  private void keep(int split, @Nullable Object key, @Nullable Object value, long timestampMillis) {
    currentSplit = split;
    currentPosition = times.position(split);
    currentKey = key;
    currentValue = value;
    currentTimestamp = timestampMillis;
    current = true;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> RuntimeException rethrown(Throwable e) throws E {
    throw (E) e;
  }

  @Override
  public void skip(int split, String reason, long nextPosition) {
    left--;
    counters.in++;
    counters.dropped(reason).count++;
    times.skipped(split, nextPosition);
  }

  @Override
  public void watermark(int split, long watermarkMillis) {
    times.promised(split, watermarkMillis);
    punctuated = true;
  }

  @Override
  public void end(int split) {
    times.end(split);
  }

  @Override
  public void backlog(int split, long records) {
    times.backlog(split, records);
  }

  @Override
  public long watermark() {
    return ended() ? Timestamps.MAX : times.watermark();
  }

  @Override
  public boolean idle() {
    return !ended() && times.idle();
  }

  @Override
  public boolean ended() {
    return drained || (lastSplits && times.allEnded() && inHand == null);
  }

  @Override
  public List<Manifest.SplitPart> splits() {
    return times.parts(drained);
  }

  @Override
  public boolean hasBacklog() {
    return inHand != null || times.anyPaused();
  }

  @Override
  public long deadlineNanos() {
    if (ended()) {
      return Long.MAX_VALUE;
    }
    if (pacer != null && paceLimited) {
      // The reader is not asked before there is a permit.
      return Deadlines.earlier(times.deadlineNanos(false), pacer.nextNanos());
    }
    return Deadlines.earlier(times.deadlineNanos(readsNothing), pollNanos);
  }

  @Override
  public void drain() {
    drained = true;
    times.leaveAlignment();
  }

  @Override
  public String position() {
    return times.describe(currentSplit, currentPosition);
  }

  @Override
  public @Nullable Object recordInHand() {
    return current
        ? new Record<Object, Object>(
            Values.cast(currentKey), Values.cast(currentValue), currentTimestamp, null)
        : null;
  }

  @Override
  public List<EventTimeReport.SplitTime> splitTimes(String task) {
    return times.report(task);
  }

  @Override
  public @Nullable String holder() {
    return times.holder();
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public void close() throws Exception {
    if (closed) {
      return;
    }
    closed = true;
    if (rejections != null) {
      rejections.close();
    }
    times.leaveAlignment();
    if (fetcher != null) {
      fetcher.close();
    } else {
      reader.close();
    }
  }

  @Override
  public void release() throws Exception {
    close();
    if (fetcher != null) {
      fetcher.release();
    }
  }
}
