package io.streamforge.function;

/** What a sum of longs does when it leaves the range of a long. */
public enum Overflow {
  /** It fails, and the error says what overflowed. */
  FAIL,
  /** It wraps around as {@code +} does. */
  WRAP
}
