package io.streamforge.runtime.task;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.metrics.EventTimeReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reading end of a task: the channels of its exchanges, or the splits of its source. Used by
 * the task's thread only.
 */
public interface TaskInput {
  /**
   * Takes up to {@code budget} records into the operators; stops when the gate closes.
   *
   * @return whether anything was done
   */
  boolean step(int budget) throws Exception;

  /** Event time of the input; grows. */
  long watermark();

  /** Whether the input is idle, so that it should not hold event time back downstream. */
  boolean idle();

  /** Whether nothing will come any more; then the watermark is the final one. */
  boolean ended();

  /**
   * The checkpoint whose barrier has been reached: nothing is read until it is settled; 0: none.
   */
  default long barrier() {
    return 0;
  }

  /**
   * A checkpoint is taken now although not all of its barriers have come.
   *
   * @return records what is on its way to the operators now and comes before the barriers, until
   *     these have come or the next call
   */
  default InFlightRecorder overtake(long checkpoint) {
    throw new IllegalStateException("nothing is on its way to a source");
  }

  /** When the barriers came that end here; null where none do. */
  default @Nullable BarrierTimes barrierTimes() {
    return null;
  }

  /** Whose barriers of a checkpoint have not come; any thread may ask, a little late. */
  default List<Sender> awaited(long checkpoint) {
    return List.of();
  }

  /** All checkpoints up to this one have been taken here, or given up. */
  default void settled(long checkpoint) {}

  /** How far the splits of a source have been read into the operators. */
  default List<Manifest.SplitPart> splits() {
    return List.of();
  }

  /** Whether records are there that the gate or an alignment keeps from being read. */
  default boolean hasBacklog() {
    return false;
  }

  /** When to step again even if nobody wakes the task, as monotonic nanoseconds. */
  long deadlineNanos();

  /** Ends the input as if there were no more records. */
  default void drain() {}

  /**
   * From now on {@link #position} is that of the record on its way to the operators, also while
   * they process it.
   */
  default void trackPositions() {}

  /** Where the record in hand stands. */
  String position();

  /** The record in hand, for errors; null when there is none. */
  @Nullable Object recordInHand();

  /** How event time of the splits of a source stands; empty for other inputs. */
  default List<EventTimeReport.SplitTime> splitTimes(String task) {
    return List.of();
  }

  /** Who sends the input that holds event time back; null when none does, or it is a source. */
  default @Nullable Sender sender() {
    return null;
  }

  /** Which input holds event time back; null when none does. */
  @Nullable String holder();

  /** The task's node where something of the input itself fails, such as a timestamp extractor. */
  @Nullable String node();

  /** Releases what it holds; after the last step. */
  void close() throws Exception;

  /** Closes it, and releases what other threads held for it, which run no more. */
  default void release() throws Exception {
    close();
  }
}
