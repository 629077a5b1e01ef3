package io.streamforge.runtime.channel;

/**
 * How many records may be under way to a receiver: as many as it drains within the target delay.
 * The receiver reports what it has drained and how long that took, without the time in which there
 * was nothing to drain, so a receiver that waits for input is not taken for a slow one.
 */
// The rate is sampled each time an eighth of the target delay has been measured. A sample counts
// as much as it covers of the target delay, and entirely when it covers more: the window follows
// with a time constant of the target delay, and at once when a receiver has become so slow that
// one batch lasts longer.
//
// Growing by samples alone would take long where the window is small and the receiver fast, since
// hardly any time is measured: therefore the window doubles when four windows have been drained
// before a sample is due, that is, at 32 times the rate that it stands for. It begins small, so a
// slow receiver never has much before it, and a fast one is at the full window after some thousand
// records.
final class DrainWindow {
  /** Records under way before anything has been measured. */
  private static final double FIRST = 128;

  private static final int SAMPLES_PER_DELAY = 8;
  private static final int WINDOWS_FOR_DOUBLING = 4;
  private static final double NANOS_PER_SECOND = 1e9;

  private final double targetNanos;
  private final double most;
  private double window;
  private double pace;
  private long records;
  private long nanos;

  /**
   * Nothing measured yet.
   *
   * @param most records that may be under way however fast the receiver is
   */
  DrainWindow(long targetNanos, double most) {
    this.targetNanos = targetNanos;
    this.most = most;
    this.window = Math.min(FIRST, most);
  }

  /**
   * Adds to the measure.
   *
   * @return whether the window has changed
   */
  boolean drained(int drainedRecords, long tookNanos) {
    records += drainedRecords;
    nanos += tookNanos;
    if (nanos * SAMPLES_PER_DELAY >= targetNanos) {
      double sample = records * targetNanos / nanos;
      double weight = Math.min(1, nanos / targetNanos);
      pace = pace == 0 ? sample : pace + (sample - pace) * weight;
      window = Math.min(most, window + (sample - window) * weight);
    } else if (records >= WINDOWS_FOR_DOUBLING * window && window < most) {
      window = Math.min(most, window * 2);
    } else {
      return false;
    }
    records = 0;
    nanos = 0;
    return true;
  }

  /** Records that may be under way. */
  double records() {
    return window;
  }

  /** Records a second that the receiver drains while it has any; 0: not measured yet. */
  double recordsPerSecond() {
    return pace / targetNanos * NANOS_PER_SECOND;
  }
}
