package io.streamforge.connector.generator;

import io.streamforge.time.Clock;

/** Which elements of a source are due by now; counts from when a split is first read. */
final class Pace {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double ratePerSecond;
  private final Clock clock;
  private boolean started;
  private long startNanos;

  Pace(double ratePerSecond, Clock clock) {
    this.ratePerSecond = ratePerSecond;
    this.clock = clock;
  }

  /** How many elements of the whole source are due since the first call; one at that call. */
  long due() {
    if (ratePerSecond == 0) {
      return Long.MAX_VALUE;
    }
    long now = clock.monotonicNanos();
    if (!started) {
      started = true;
      startNanos = now;
    }
    return 1 + (long) ((now - startNanos) * ratePerSecond / NANOS_PER_SECOND);
  }
}
