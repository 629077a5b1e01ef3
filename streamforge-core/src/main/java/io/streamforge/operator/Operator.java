package io.streamforge.operator;

import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A node at work in one task. Written once for every host: workers, test driver, simulator.
 *
 * <p>The host calls {@link #open} first and {@link #close} last. Between them it calls one method
 * at a time, always from one thread at a time, and calls {@link #process} or {@link #onWatermark}
 * only while {@link #pending} is false here and in all operators downstream in the task. An
 * exception that escapes fails the job.
 *
 * <p>Books: an operator adds 1 to {@code counters.in} when it takes a record and, before it emits,
 * to exactly one of {@code processed}, {@code late} or a drop reason once the user's function has
 * returned. So when something throws, the failing node is the last one whose books do not balance.
 */
public interface Operator extends Output {
  /** Before the first record. */
  default void open() throws Exception {}

  /** One record. */
  @Override
  void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception;

  /**
   * Where the records of an input go. The operator itself, unless it tells its inputs apart.
   *
   * @param index of the input of the node, counted from 0
   */
  default Operator input(int index) {
    return this;
  }

  /**
   * Tells that records whose keys have these hashes, from {@code from} to {@code to} − 1, come
   * next: an operator with state may fetch ahead what is slow to reach.
   */
  default void touch(long[] hashes, int from, int to) {}

  /**
   * Event time has advanced to {@code watermark}; strictly greater at each call. What fires is done
   * here or, when it may be long, in {@link #resume}.
   */
  default void onWatermark(long watermark) throws Exception {}

  /**
   * The watermark that is forwarded once the operator has reached {@code watermark} and fired all
   * that was due: nothing that it emits from then on has an earlier time, but for refinements of
   * closed windows. Never goes back, and is {@link Long#MAX_VALUE} when {@code watermark} is.
   */
  default long outputWatermark(long watermark) {
    return watermark;
  }

  /**
   * The task's input has gone idle and does not hold event time back any more: what is kept for
   * later event time and belongs to earlier one goes on now, here or in {@link #resume}.
   */
  default void onIdle() throws Exception {}

  /**
   * State is about to be saved: what is kept only to be sent later, and is no part of it, is
   * emitted now, here or in {@link #resume}. Called again until nothing is {@link #pending} behind
   * it.
   */
  default void beforeCheckpoint() throws Exception {}

  /** Whether there is work in hand that {@link #resume} goes on with. */
  default boolean pending() {
    return false;
  }

  /**
   * Goes on with the work in hand; called only while {@link #pending}. Returns when it is done,
   * when {@code budget} steps have been taken, or when an output is full.
   */
  default void resume(int budget) throws Exception {}

  /**
   * All input has been processed: complete what is still open. Not called when the job stops early.
   */
  default void finish() throws Exception {}

  /**
   * What a state holds for a key, for a query; null when that is nothing. Called between two other
   * calls, with work in hand or without, and changes nothing. What it returns may be the state
   * itself: the host copies it before it calls anything else.
   *
   * @param state one of {@link io.streamforge.graph.LogicalGraph#queriedStates}
   * @param eventTimeMillis event time up to which the operator has fired all that was due
   */
  default @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    throw new IllegalStateException("there is no state '" + state + "' to read");
  }

  /** After the last record; also when the job has failed. */
  default void close() throws Exception {}
}
