package io.streamforge.state;

/** One primitive long for each key; 0 until it is set. Scoped to the key in hand. */
public interface LongState {
  /** The value of the key in hand. */
  long get();

  /** Sets the value. */
  void set(long value);

  /** Adds, wrapping on overflow, and returns the sum. */
  long add(long delta);

  /** Back to 0, and the entry is removed. */
  void clear();
}
