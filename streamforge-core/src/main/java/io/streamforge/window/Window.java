package io.streamforge.window;

import io.streamforge.record.Timestamps;

/**
 * The half-open interval [start, end) of event time, epoch milliseconds. At the ends of the time
 * axis the bounds are clamped to {@link Timestamps#MIN} and {@link Timestamps#MAX}.
 */
public record Window(long startMillis, long endMillis) implements Comparable<Window> {
  /** All of time. */
  public static final Window GLOBAL = new Window(Timestamps.MIN, Timestamps.MAX);

  public Window {
    if (endMillis <= startMillis) {
      throw new IllegalArgumentException(
          "a window must end after it starts: [" + startMillis + ", " + endMillis + ")");
    }
  }

  /** The timestamp of its results: the last instant that belongs to it. */
  public long lastMillis() {
    return endMillis - 1;
  }

  /** Whether the instant belongs to it. */
  public boolean contains(long timestampMillis) {
    return startMillis <= timestampMillis && timestampMillis < endMillis;
  }

  /** Whether the two share an instant; windows that only touch do not. */
  public boolean overlaps(Window other) {
    return startMillis < other.endMillis && other.startMillis < endMillis;
  }

  /** The smallest window that contains both. */
  public Window span(Window other) {
    return new Window(
        Math.min(startMillis, other.startMillis), Math.max(endMillis, other.endMillis));
  }

  /** By end, then by start: the order in which windows close. */
  @Override
  public int compareTo(Window other) {
    int byEnd = Long.compare(endMillis, other.endMillis);
    return byEnd != 0 ? byEnd : Long.compare(startMillis, other.startMillis);
  }

  @Override
  public String toString() {
    return equals(GLOBAL) ? "[global)" : "[" + startMillis + "," + endMillis + ")";
  }
}
