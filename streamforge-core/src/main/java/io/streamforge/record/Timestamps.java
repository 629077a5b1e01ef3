package io.streamforge.record;

/**
 * Arithmetic of event times. A timestamp is epoch milliseconds strictly between {@link
 * Long#MIN_VALUE} and {@link Long#MAX_VALUE}; these two mean "before everything" and "after
 * everything" and occur only as watermarks and window bounds. Sums saturate there.
 */
public final class Timestamps {
  /** Before every timestamp: the watermark of an input that has not yet said anything. */
  public static final long MIN = Long.MIN_VALUE;

  /** After every timestamp: the final watermark of an input that has ended. */
  public static final long MAX = Long.MAX_VALUE;

  private Timestamps() {}

  /** Whether a record may carry this timestamp. */
  public static boolean isValid(long timestampMillis) {
    return timestampMillis != MIN && timestampMillis != MAX;
  }

  /** The sum, or the extreme value that it passed. */
  public static long plus(long timestampMillis, long durationMillis) {
    long sum = timestampMillis + durationMillis;
    if (((timestampMillis ^ sum) & (durationMillis ^ sum)) < 0) {
      return durationMillis < 0 ? MIN : MAX;
    }
    return sum;
  }

  /** The difference, or the extreme value that it passed. */
  public static long minus(long timestampMillis, long durationMillis) {
    long difference = timestampMillis - durationMillis;
    if (((timestampMillis ^ durationMillis) & (timestampMillis ^ difference)) < 0) {
      return durationMillis > 0 ? MIN : MAX;
    }
    return difference;
  }
}
