package io.streamforge.state;

import io.streamforge.window.Window;

/**
 * The tables of one node in one task. A table is made empty when it is first asked for and is the
 * same object afterwards; it is asked for in one way only.
 */
public interface KeyedStates {
  /** The table of a state. */
  <V> KeyedTable<V> table(String state);

  /**
   * The table of a state that belongs to a slice of time (or a window); it goes when {@link #drop}
   * says so.
   */
  <V> KeyedTable<V> table(String state, Window slice);

  /** The table of a state that is so many longs a key. */
  ColumnTable columns(String state, int columns);

  /** As {@link #columns(String, int)} for a slice of time. */
  ColumnTable columns(String state, int columns, Window slice);

  /**
   * Forgets the table of a slice with everything in it. Whoever still has it must not use it any
   * more: it may serve another slice.
   */
  void drop(String state, Window slice);
}
