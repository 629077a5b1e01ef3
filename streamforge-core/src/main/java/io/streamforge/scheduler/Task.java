package io.streamforge.scheduler;

/** Something that runs in bounded steps. Steps of one task never overlap. */
public interface Task {
  /** How a step ended. */
  enum Progress {
    /** There is more to do: run again soon. */
    WORKED,
    /** Nothing to do until woken or until the deadline. */
    IDLE,
    /** Never run again. */
    DONE
  }

  /** One step: a bounded amount of work. Does not throw; failures are the task's own business. */
  Progress run();

  /**
   * When to run an idle task even if nobody wakes it, as {@link
   * io.streamforge.time.Clock#monotonicNanos}; {@link Long#MAX_VALUE}: never. Asked after a step
   * that ended {@link Progress#IDLE}, by the thread that ran it.
   */
  long deadlineNanos();
}
