package io.streamforge.state;

import org.jspecify.annotations.Nullable;

/** One value for each key. Scoped to the key in hand; not thread-safe. */
public interface ValueState<T> {
  /**
   * The value of the key in hand; null when there is none. It may be changed in place until the
   * call of the processor returns, not later: a checkpoint would miss that.
   */
  @Nullable T get();

  /** Sets the value; null clears it. */
  void set(@Nullable T value);

  /** Removes the value. */
  void clear();
}
