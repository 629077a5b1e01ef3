package io.streamforge.scheduler;

import io.streamforge.time.Clock;

/** The machine's clocks. */
public final class SystemClock implements Clock {
  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }
}
