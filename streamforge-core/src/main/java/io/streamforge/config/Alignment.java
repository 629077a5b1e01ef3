package io.streamforge.config;

import java.time.Duration;

/**
 * What a task does with its other inputs when one of them has come to a checkpoint: how exact a
 * checkpoint is, and how long it takes where a part of the job is slow.
 */
public sealed interface Alignment {
  /**
   * It waits for all of them and reads none further meanwhile. State after a restart is exact, and
   * checkpoints are small; one takes as long as all that is queued in the job.
   */
  record Aligned() implements Alignment {}

  /**
   * When the checkpoint is not complete after this delay, tasks take it without waiting, and the
   * records on their way to them become part of it. State after a restart is as exact. Keys and
   * values that go from task to task need serdes. Savepoints are aligned.
   *
   * @param delay 0, for at once, to 1 day
   */
  record UnalignedAfter(Duration delay) implements Alignment {}

  /**
   * It waits for all of them but reads on. After a restart no record is lost, and some count twice:
   * in state and in the output of every sink, also of one that commits by checkpoints. For a
   * savepoint the sources pause instead, so it is as exact as an aligned one, but for what timers
   * of processing time emit in that time.
   */
  record AtLeastOnce() implements Alignment {}
}
