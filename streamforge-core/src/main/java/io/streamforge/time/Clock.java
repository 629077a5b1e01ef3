package io.streamforge.time;

/**
 * Where all time comes from. Absolute processing times use the wall clock, which may jump;
 * durations, idleness and pacing use the monotonic one. Thread-safe.
 */
public interface Clock {
  /** Epoch milliseconds. */
  long wallMillis();

  /** Nanoseconds since an arbitrary origin; never goes back. */
  long monotonicNanos();
}
