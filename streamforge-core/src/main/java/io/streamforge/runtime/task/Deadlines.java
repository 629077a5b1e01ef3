package io.streamforge.runtime.task;

import io.streamforge.time.Clock;

/** Arithmetic of deadlines. */
public final class Deadlines {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private Deadlines() {}

  /** When the wall clock will show a time, as monotonic nanoseconds. */
  public static long nanosAt(Clock clock, long wallMillis) {
    return after(clock, wallMillis - clock.wallMillis());
  }

  /** Monotonic nanoseconds in this many milliseconds. */
  public static long after(Clock clock, long millis) {
    long now = clock.monotonicNanos();
    if (millis <= 0) {
      return now;
    }
    // A deadline beyond a century would overflow; nobody waits for it.
    return now + Math.min(millis, 36_525L * 86_400_000) * NANOS_PER_MILLI;
  }

  /** The earlier of two deadlines, of which {@link Long#MAX_VALUE} means never. */
  public static long earlier(long left, long right) {
    return left == Long.MAX_VALUE ? right : right == Long.MAX_VALUE ? left : Math.min(left, right);
  }
}
