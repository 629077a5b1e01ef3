package io.streamforge.runtime.task;

/**
 * How a task has spent its time, in nanoseconds since it began. Written by the task, read by anyone
 * a little late.
 */
public final class TaskClock {
  /** Running. */
  public long busyNanos;

  /** Waiting for room downstream. */
  public long blockedNanos;

  /** Waiting for input. */
  public long idleNanos;

  private long since;
  private boolean blocked;
  private boolean started;

  /** A step begins. */
  void begin(long nowNanos) {
    if (started) {
      if (blocked) {
        blockedNanos += nowNanos - since;
      } else {
        idleNanos += nowNanos - since;
      }
    }
    started = true;
    since = nowNanos;
  }

  /** A step has ended. */
  void end(long nowNanos, boolean waitsForRoom) {
    busyNanos += nowNanos - since;
    since = nowNanos;
    blocked = waitsForRoom;
  }
}
