package io.streamforge.state;

import org.jspecify.annotations.Nullable;

/** One value for each key. Scoped to the key in hand; not thread-safe. */
public interface ValueState<T> {
  /** The value of the key in hand; null when there is none. */
  @Nullable T get();

  /** Sets the value; null clears it. */
  void set(@Nullable T value);

  /** Removes the value. */
  void clear();
}
