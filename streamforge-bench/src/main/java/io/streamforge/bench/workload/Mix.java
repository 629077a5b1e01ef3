package io.streamforge.bench.workload;

/** Cheap pseudo-random numbers of an index, and hashes of outputs. */
public final class Mix {
  private static final long GOLDEN_GAMMA = 0x9E37_79B9_7F4A_7C15L;

  private Mix() {}

  /** Well mixed in its upper half. */
  public static long of(long number) {
    long z = number * GOLDEN_GAMMA;
    return (z ^ (z >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
  }

  /** Of two numbers, in this order. */
  public static long of(long first, long second) {
    return of(first + of(second));
  }

  /** Of the result of a window. */
  public static long window(long user, long startMillis, long count, long sum) {
    return of(of(user, startMillis), of(count, sum));
  }

  /** Of the count of a user. */
  public static long count(String name, long count) {
    return of(name.hashCode(), count);
  }

  /** A number from 0 to {@code bound} − 1 made of a mixed one, without a division. */
  public static long below(long mixed, long bound) {
    return (mixed >>> 32) * bound >>> 32;
  }
}
