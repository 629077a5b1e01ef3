package io.streamforge.runtime.source;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.operator.Values;
import io.streamforge.record.Timestamps;
import io.streamforge.runtime.task.Deadlines;
import io.streamforge.runtime.task.WatermarkTracker;
import io.streamforge.source.RecordOutput;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.Clock;
import io.streamforge.time.Punctuator;
import io.streamforge.time.TimestampExtractor;
import io.streamforge.time.WatermarkStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Event time of the splits of one task: what each record's timestamp is, each split's watermark,
 * idleness and alignment.
 *
 * <p>A split is idle when it has had no record for the timeout although it was being read: time in
 * which it is paused, has a known backlog, or has records that were read but not processed, does
 * not count. The idle clock is monotonic.
 */
@Specialised
final class SplitTimes {
  private static final int CLAMP_POLL_MILLIS = 100;

  /** Asking the clock costs more than all else that is done to a record here. */
  private static final int RECORDS_PER_CLOCK_READING = 32;

  private static final class SplitState {
    final String id;
    long position;
    long maxTimestamp = Timestamps.MIN;

    /** Of the record with that timestamp. */
    long maxPosition;

    /** When its watermark last moved, or it was added. */
    long movedNanos;

    long punctuated = Timestamps.MIN;
    long activeNanos;
    long backlog;
    boolean dirty;
    boolean delivered;
    boolean paused;

    SplitState(Manifest.SplitPart part, long nowNanos) {
      this.id = part.id();
      this.position = part.position();
      this.punctuated = part.watermarkMillis();
      this.delivered = punctuated > Timestamps.MIN;
      this.activeNanos = nowNanos;
      this.movedNanos = nowNanos;
    }
  }

  private final String node;
  private final WatermarkStrategy<Object, Object> strategy;
  private final @Nullable TimestampExtractor<Object, Object> extractor;
  private final @Nullable Punctuator<Object, Object> punctuator;
  private final boolean hasEventTime;
  private final boolean hasTimestamps;
  private final long outOfOrderMillis;
  private final long idleNanos;
  private final long maxAheadMillis;
  private final @Nullable SplitAlignment alignment;
  private final int task;
  private final Clock clock;
  private SplitState[] splits = {};
  private final WatermarkTracker tracker = new WatermarkTracker();
  private long nowMillis;
  private int clockUses;
  private boolean clamped;
  private int pausedCount;

  SplitTimes(
      String node,
      WatermarkStrategy<?, ?> strategy,
      boolean hasTimestamps,
      @Nullable SplitAlignment alignment,
      int task,
      Clock clock) {
    this.node = node;
    this.strategy = Values.cast(strategy);
    this.extractor = this.strategy.timestamps();
    this.punctuator = this.strategy.punctuator();
    this.hasEventTime = strategy.hasEventTime();
    this.hasTimestamps = hasTimestamps;
    this.outOfOrderMillis = strategy.outOfOrderness().toMillis();
    Duration idleAfter = strategy.idleAfter();
    this.idleNanos = idleAfter == null ? Long.MAX_VALUE : idleAfter.toNanos();
    Duration maxAhead = strategy.maxAhead();
    this.maxAheadMillis = maxAhead == null ? -1 : maxAhead.toMillis();
    this.alignment = hasEventTime ? alignment : null;
    this.task = task;
    this.clock = clock;
  }

  /** Adds a split that has not ended. */
  void add(Manifest.SplitPart part) {
    SplitState split = new SplitState(part, clock.monotonicNanos());
    splits = Arrays.copyOf(splits, splits.length + 1);
    splits[splits.length - 1] = split;
    int index = tracker.add();
    if (split.delivered && hasEventTime) {
      advance(index, split);
    }
    // Idle or not before: what has come meanwhile has not been looked at yet.
  }

  /**
   * How far the splits are.
   *
   * @param drained whether none is to be read any further
   */
  List<Manifest.SplitPart> parts(boolean drained) {
    List<Manifest.SplitPart> parts = new ArrayList<>();
    if (drained) {
      parts.add(Manifest.SplitPart.DRAINED);
    }
    for (int i = 0; i < splits.length; i++) {
      SplitState split = splits[i];
      parts.add(
          new Manifest.SplitPart(
              split.id, split.position, promised(split), tracker.isIdle(i), tracker.isEnded(i)));
    }
    return parts;
  }

  int count() {
    return splits.length;
  }

  /**
   * The timestamp of a record that is about to be processed.
   *
   * @throws StreamForgeException when it is out of range
   */
  long timestamp(@Nullable Object key, @Nullable Object value, long stated) throws Exception {
    if (!hasEventTime) {
      return now();
    }
    long timestamp = stated;
    if (stated == RecordOutput.NO_TIMESTAMP && !hasTimestamps) {
      timestamp = now();
    }
    if (extractor != null) {
      timestamp = extractor.extract(Values.cast(key), Values.cast(value), timestamp);
    }
    if (!Timestamps.isValid(timestamp)) {
      throw new StreamForgeException(
          ErrorCode.TIMESTAMP_OUT_OF_RANGE,
          ErrorContext.node(node),
          "a record has the timestamp "
              + timestamp
              + ", expected "
              + (Timestamps.MIN + 1)
              + " to "
              + (Timestamps.MAX - 1));
    }
    return timestamp;
  }

  /** The wall clock, read anew in each step and after so many records. */
  private long now() {
    if (clockUses-- == 0) {
      clockUses = RECORDS_PER_CLOCK_READING - 1;
      nowMillis = clock.wallMillis();
    }
    return nowMillis;
  }

  /** Records are about to be read; nothing that was known of the clock counts any more. */
  void beginStep() {
    clockUses = 0;
  }

  /** A record has been processed; whether it carried a watermark, which takes effect right away. */
  boolean processed(
      int index, @Nullable Object key, @Nullable Object value, long timestamp, long nextPosition)
      throws Exception {
    SplitState split = splits[index];
    if (timestamp > split.maxTimestamp) {
      split.maxTimestamp = timestamp;
      split.maxPosition = split.position;
    }
    split.position = nextPosition;
    split.dirty = true;
    if (punctuator != null) {
      long mark = punctuator.watermark(Values.cast(key), Values.cast(value), timestamp);
      if (mark != Punctuator.NONE) {
        split.punctuated = Math.max(split.punctuated, mark);
        return true;
      }
    }
    return false;
  }

  void promised(int index, long watermark) {
    SplitState split = splits[index];
    split.punctuated = Math.max(split.punctuated, watermark);
    split.dirty = true;
  }

  void skipped(int index, long nextPosition) {
    splits[index].position = nextPosition;
  }

  void end(int index) {
    tracker.end(index);
  }

  void backlog(int index, long records) {
    splits[index].backlog = records;
  }

  boolean paused(int index) {
    return splits[index].paused;
  }

  boolean anyPaused() {
    return pausedCount > 0;
  }

  /** Records were there but could not be read for a while: that time does not make splits idle. */
  void notRead(long nanos) {
    for (SplitState split : splits) {
      split.activeNanos += nanos;
    }
  }

  /** Brings watermarks up to date with the records since the last call. */
  void update(long nowNanos) {
    if (!hasEventTime) {
      return;
    }
    clamped = false;
    for (int i = 0; i < splits.length; i++) {
      SplitState split = splits[i];
      if (split.dirty) {
        split.activeNanos = nowNanos;
        split.delivered = true;
        long before = tracker.watermark(i);
        advance(i, split);
        if (tracker.watermark(i) > before) {
          split.movedNanos = nowNanos;
        }
      }
    }
    align(nowNanos);
  }

  private void advance(int index, SplitState split) {
    long watermark = promised(split);
    split.dirty = false;
    if (maxAheadMillis >= 0) {
      long bound = Timestamps.plus(clock.wallMillis(), maxAheadMillis);
      if (watermark > bound) {
        watermark = bound;
        split.dirty = true;
        clamped = true;
      }
    }
    tracker.advance(index, watermark);
  }

  /** The watermark of a split, however far ahead of the clock it is. */
  private long promised(SplitState split) {
    return switch (strategy.kind()) {
      case BOUNDED ->
          Math.max(split.punctuated, Timestamps.minus(split.maxTimestamp, outOfOrderMillis));
      case PUNCTUATED -> split.punctuated;
      case NONE -> Timestamps.MIN;
    };
  }

  private void align(long nowNanos) {
    if (alignment == null) {
      return;
    }
    long slowest = Timestamps.MAX;
    for (int i = 0; i < splits.length; i++) {
      if (splits[i].delivered && !tracker.isEnded(i) && !tracker.isIdle(i)) {
        slowest = Math.min(slowest, tracker.watermark(i));
      }
    }
    alignment.state(task, slowest, pausedCount > 0);
    long limit = alignment.limit();
    pausedCount = 0;
    for (int i = 0; i < splits.length; i++) {
      SplitState split = splits[i];
      boolean pause = tracker.watermark(i) > limit && !tracker.isEnded(i);
      if (split.paused && !pause) {
        split.activeNanos = nowNanos;
      }
      split.paused = pause;
      pausedCount += pause ? 1 : 0;
    }
    if (pausedCount > 0) {
      alignment.state(task, slowest, true);
    }
  }

  /** Finds splits that have gone idle; to be called when all that was read has been processed. */
  void findIdle(long nowNanos) {
    if (idleNanos == Long.MAX_VALUE || !hasEventTime) {
      return;
    }
    for (int i = 0; i < splits.length; i++) {
      SplitState split = splits[i];
      if (split.paused || split.backlog > 0) {
        split.activeNanos = nowNanos;
      } else if (!tracker.isEnded(i)
          && !tracker.isIdle(i)
          && nowNanos - split.activeNanos >= idleNanos) {
        tracker.idle(i);
      }
    }
    align(nowNanos);
  }

  /**
   * When something changes by time alone.
   *
   * @param beingRead whether the idle clocks run
   */
  long deadlineNanos(boolean beingRead) {
    long deadline = Long.MAX_VALUE;
    if (beingRead && idleNanos != Long.MAX_VALUE && hasEventTime) {
      for (int i = 0; i < splits.length; i++) {
        if (!tracker.isEnded(i) && !tracker.isIdle(i)) {
          deadline = Math.min(deadline, splits[i].activeNanos + idleNanos);
        }
      }
    }
    if (clamped) {
      deadline = Math.min(deadline, Deadlines.after(clock, CLAMP_POLL_MILLIS));
    }
    return deadline;
  }

  /** Event time of all splits. */
  long watermark() {
    return tracker.current();
  }

  /** Whether no split is active. */
  boolean idle() {
    return tracker.isIdle();
  }

  /** Whether all splits have ended; also when there is none. */
  boolean allEnded() {
    return splits.length == 0 || tracker.allEnded();
  }

  /** What the task's splits have to say to alignment when the task has ended: nothing. */
  void leaveAlignment() {
    if (alignment != null) {
      alignment.state(task, Timestamps.MAX, false);
    }
  }

  /** Where the next record of a split stands. */
  long position(int index) {
    return splits[index].position;
  }

  String describe(int index, long position) {
    return "split " + splits[index].id + ", position " + position;
  }

  String splitId(int index) {
    return splits[index].id;
  }

  /** How event time of the splits stands, as read in this task. */
  List<EventTimeReport.SplitTime> report(String taskId) {
    List<EventTimeReport.SplitTime> all = new ArrayList<>();
    for (int i = 0; i < splits.length; i++) {
      SplitState split = splits[i];
      all.add(
          new EventTimeReport.SplitTime(
              node,
              taskId,
              split.id,
              stateOf(i),
              tracker.watermark(i),
              Duration.ofNanos(clock.monotonicNanos() - split.movedNanos),
              split.maxTimestamp,
              split.maxPosition));
    }
    return all;
  }

  private EventTimeReport.SplitState stateOf(int index) {
    if (tracker.isEnded(index)) {
      return EventTimeReport.SplitState.ENDED;
    }
    if (tracker.isIdle(index)) {
      return EventTimeReport.SplitState.IDLE;
    }
    return splits[index].paused
        ? EventTimeReport.SplitState.PAUSED
        : EventTimeReport.SplitState.ACTIVE;
  }

  /** The split that holds event time back; null when none does. */
  @Nullable String holder() {
    int holder = tracker.holder();
    return holder < 0 || !hasEventTime ? null : "split " + splits[holder].id;
  }
}
