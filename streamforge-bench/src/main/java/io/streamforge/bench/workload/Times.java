package io.streamforge.bench.workload;

/**
 * Event times of the records: 100 records a millisecond, each up to {@code outOfOrderMillis} less
 * than an earlier one. Never negative.
 */
public record Times(int outOfOrderMillis) {
  /** Records a second of event time. */
  public static final long PER_SECOND = 100_000;

  private static final long PER_MILLI = PER_SECOND / 1_000;

  /** Epoch milliseconds of the event time of an index. */
  public long of(long index) {
    long inOrder = index / PER_MILLI;
    return outOfOrderMillis == 0
        ? inOrder
        : inOrder + outOfOrderMillis - Mix.below(Mix.of(~index), outOfOrderMillis);
  }

  /**
   * The first index of those that a task of {@code tasks} reads whose time is at least this; before
   * it, the task's watermark cannot have passed {@code millis − outOfOrderMillis}.
   */
  public long firstAtLeast(long millis, int task, int tasks) {
    long earliest = Math.max(0, (millis - outOfOrderMillis) * PER_MILLI);
    long index = (earliest + tasks - 1) / tasks * tasks + task;
    while (of(index) < millis) {
      index += tasks;
    }
    return index;
  }
}
