package io.streamforge.connector;

import io.streamforge.time.Clock;

/** Time that passes only when a test says so. */
public final class FakeClock implements Clock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private long nanos;

  @Override
  public long wallMillis() {
    return nanos / NANOS_PER_MILLI;
  }

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  /** Lets time pass. */
  public void advanceMillis(long millis) {
    nanos += millis * NANOS_PER_MILLI;
  }
}
