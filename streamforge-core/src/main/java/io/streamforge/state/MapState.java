package io.streamforge.state;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A map for each key, iterated in the order of first insertion. Values are not changed in place: a
 * checkpoint would miss that. Scoped to the key in hand.
 */
public interface MapState<F, T> {
  /** The value of the field; null when there is none. */
  @Nullable T get(F field);

  /** Sets the value of the field. */
  void put(F field, T value);

  /** Removes the field. */
  void remove(F field);

  /** An unmodifiable view of all fields, or a copy where they expire; empty when there are none. */
  Map<F, T> entries();

  /** Removes all fields. */
  void clear();
}
