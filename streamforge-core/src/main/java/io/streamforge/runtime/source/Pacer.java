package io.streamforge.runtime.source;

/**
 * Permits for the records of a source, at a fixed rate, shared by its tasks. At most a tenth of a
 * second's permits are saved up. Thread-safe.
 */
public final class Pacer {
  private static final double NANOS_PER_SECOND = 1e9;

  private final double perNano;
  private final double burst;
  private double permits;
  private long lastNanos;
  private boolean started;

  /** Permits at this rate; positive. */
  public Pacer(double recordsPerSecond) {
    perNano = recordsPerSecond / NANOS_PER_SECOND;
    burst = Math.max(1, recordsPerSecond / 10);
    permits = 1;
  }

  /** Takes up to {@code wanted} permits; how many. */
  public synchronized int take(int wanted, long nowNanos) {
    if (started) {
      permits = Math.min(burst, permits + (nowNanos - lastNanos) * perNano);
    }
    started = true;
    lastNanos = nowNanos;
    int taken = (int) Math.min(wanted, permits);
    permits -= taken;
    return taken;
  }

  /** Gives permits back that were not needed. */
  public synchronized void giveBack(int unused) {
    permits = Math.min(burst, permits + unused);
  }

  /** When a permit will be there. */
  public synchronized long nextNanos() {
    return permits >= 1 ? lastNanos : lastNanos + (long) Math.ceil((1 - permits) / perNano);
  }
}
