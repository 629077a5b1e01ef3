package io.streamforge.runtime.task;

import io.streamforge.time.Clock;
import java.util.concurrent.TimeUnit;

/** How long a job has been running, in all its starts. Thread-safe. */
public final class JobTime {
  private final Clock clock;
  private final long startedNanos;
  private final long beforeMillis;

  /**
   * Goes on now.
   *
   * @param beforeMillis how long the job had been running when the checkpoint was taken that it
   *     goes on from
   */
  public JobTime(Clock clock, long beforeMillis) {
    this.clock = clock;
    this.startedNanos = clock.monotonicNanos();
    this.beforeMillis = beforeMillis;
  }

  /** Up to now. */
  public long millis() {
    return beforeMillis + TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - startedNanos);
  }
}
