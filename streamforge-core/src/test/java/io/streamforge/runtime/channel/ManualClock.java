package io.streamforge.runtime.channel;

import io.streamforge.time.Clock;

/** Time that passes only when it is told to. */
final class ManualClock implements Clock {
  private long nanos = 1_000_000_000;

  @Override
  public long wallMillis() {
    return nanos / 1_000_000;
  }

  @Override
  public long monotonicNanos() {
    return nanos;
  }

  void pass(long duration) {
    nanos += duration;
  }
}
