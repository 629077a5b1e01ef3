package io.streamforge.state;

import java.util.List;

/**
 * A list for each key, in the order of additions. Elements are not changed in place: a checkpoint
 * would miss that. Scoped to the key in hand.
 */
public interface ListState<T> {
  /**
   * An unmodifiable view of the elements, or a copy where they expire; empty when there are none.
   */
  List<T> get();

  /** Appends. */
  void add(T element);

  /** Replaces all elements by a copy of these. */
  void set(List<T> elements);

  /** Removes all elements. */
  void clear();
}
