package io.streamforge.source;

import io.streamforge.time.WatermarkStrategy;

/**
 * How a source is read.
 *
 * @param watermarks its event time
 * @param maxRate records a second that all its tasks together read at most; 0: as fast as possible
 */
public record SourceOptions<K, V>(WatermarkStrategy<K, V> watermarks, double maxRate) {
  /** With this event time, as fast as possible. */
  public static <K, V> SourceOptions<K, V> watermarks(WatermarkStrategy<K, V> watermarks) {
    return new SourceOptions<>(watermarks, 0);
  }

  /** Without event time, as fast as possible. */
  public static <K, V> SourceOptions<K, V> defaults() {
    return new SourceOptions<>(WatermarkStrategy.none(), 0);
  }

  /** The same, read at this rate at most. */
  public SourceOptions<K, V> maxRate(double recordsPerSecond) {
    return new SourceOptions<>(watermarks, recordsPerSecond);
  }
}
