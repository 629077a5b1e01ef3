package io.streamforge.state;

import io.streamforge.window.Window;
import java.util.List;

/**
 * The tables of one node in one task. A table is made when it is first asked for, with what was
 * restored, and is the same object afterwards; it is asked for in one way only.
 */
public interface KeyedStates {
  /** The table of a state. */
  <V> KeyedTable<V> table(StateDescriptor<V> state);

  /**
   * The table of a state that belongs to a slice of time (or a window); it goes when {@link #drop}
   * says so.
   */
  <V> KeyedTable<V> table(StateDescriptor<V> state, Window slice);

  /** The table of a state that is so many longs a key. */
  ColumnTable columns(ColumnsDescriptor state);

  /** As {@link #columns(ColumnsDescriptor)} for a slice of time. */
  ColumnTable columns(ColumnsDescriptor state, Window slice);

  /**
   * Forgets the table of a slice with everything in it. Whoever still has it must not use it any
   * more: it may serve another slice.
   */
  void drop(String state, Window slice);

  /** The slices of a state that were restored and have not been asked for yet, in their order. */
  List<Window> restoredSlices(String state);
}
