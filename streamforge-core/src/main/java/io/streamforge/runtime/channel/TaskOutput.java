package io.streamforge.runtime.channel;

import io.streamforge.operator.Output;

/** Where records leave a task. Used by the task's thread only. */
public interface TaskOutput extends Output {
  /** Sends what is held, as far as there are credits; whether nothing is held any more. */
  boolean drainHeld();

  /**
   * Event time behind all that has been emitted. It goes with the next batch; {@link #flush} sends
   * it at once.
   */
  void eventTime(long watermark, boolean idle);

  /**
   * Sends all that has been emitted, and the barrier of a checkpoint behind it. Nothing may be
   * held. Where there is no room the gate closes until {@link #drainHeld} has sent it.
   */
  void barrier(long checkpoint);

  /** Nothing will be emitted any more. */
  void end();

  /**
   * Sends unfinished batches and control events.
   *
   * @return false when a control event found no room: call again when woken
   */
  boolean flush();

  /**
   * As {@link #flush}, but leaves batches alone that are {@linkplain Channel#betterFilled better
   * filled} first: for a task that will be called again.
   */
  void flushUseful();

  /** Records a second that the receivers together take; 0: not measured yet. For metrics. */
  double recordsPerSecondTaken();

  /** Batches that could still be filled; for metrics. */
  int creditsAtHand();

  /** Lets go of what is held; the job has stopped. */
  void close();
}
