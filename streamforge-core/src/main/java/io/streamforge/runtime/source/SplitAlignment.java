package io.streamforge.runtime.source;

import io.streamforge.record.Timestamps;
import io.streamforge.scheduler.Waker;
import java.util.Arrays;

/**
 * Keeps the splits of a source together in event time, across its tasks: each states the smallest
 * watermark of its splits that have delivered something and are not idle; a split that is further
 * ahead of the smallest of all than the bound is not read. Thread-safe.
 */
public final class SplitAlignment {
  private final long maxDriftMillis;
  private final long[] slowest;
  private final boolean[] waiting;
  private final Waker[] tasks;
  private volatile long limit = Timestamps.MAX;

  /** For this many tasks. */
  public SplitAlignment(long maxDriftMillis, int tasks) {
    this.maxDriftMillis = maxDriftMillis;
    slowest = new long[tasks];
    Arrays.fill(slowest, Timestamps.MAX);
    waiting = new boolean[tasks];
    this.tasks = new Waker[tasks];
    Arrays.fill(this.tasks, (Waker) () -> {});
  }

  /** Who is woken when a paused split may go on; before the first use. */
  public void connect(int task, Waker waker) {
    tasks[task] = waker;
  }

  /**
   * A task states its slowest split.
   *
   * @param watermark {@link Timestamps#MAX} when it has none that counts
   * @param waits whether it has paused splits and wants to be woken when the limit moves
   */
  public synchronized void state(int task, long watermark, boolean waits) {
    waiting[task] = waits;
    if (slowest[task] == watermark) {
      return;
    }
    slowest[task] = watermark;
    long min = Timestamps.MAX;
    for (long w : slowest) {
      min = Math.min(min, w);
    }
    long newLimit = min == Timestamps.MAX ? Timestamps.MAX : Timestamps.plus(min, maxDriftMillis);
    if (newLimit != limit) {
      limit = newLimit;
      for (int i = 0; i < tasks.length; i++) {
        if (waiting[i] && i != task) {
          waiting[i] = false;
          tasks[i].wake();
        }
      }
    }
  }

  /** A split with a watermark above this is not read. */
  public long limit() {
    return limit;
  }
}
