package io.streamforge.testkit;

import io.streamforge.time.Clock;
import java.time.Duration;

/** Time that passes only when it is told to. Not thread-safe. */
public final class VirtualClock implements Clock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private long wallNanosOffset;
  private long nanos;

  /** A clock whose wall time is {@code wallMillis}. */
  public VirtualClock(long wallMillis) {
    this.wallNanosOffset = wallMillis * NANOS_PER_MILLI;
  }

  @Override
  public long wallMillis() {
    return Math.floorDiv(wallNanosOffset + nanos, NANOS_PER_MILLI);
  }

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  /** Lets time pass; not negative. */
  public void advance(Duration duration) {
    advanceNanos(duration.toNanos());
  }

  void advanceNanos(long duration) {
    if (duration < 0) {
      throw new IllegalArgumentException("time does not pass backwards: " + duration + " ns");
    }
    nanos += duration;
  }

  /**
   * Sets the wall clock, forwards or backwards, as an operator of the machine may; durations go on.
   */
  public void jumpTo(long wallMillis) {
    wallNanosOffset = wallMillis * NANOS_PER_MILLI - nanos;
  }
}
