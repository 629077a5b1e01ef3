package io.streamforge.state;

/** A resumable walk over a {@link KeyedTable}. */
public interface TableCursor<V> {
  /** Goes to the next entry; false when there is none. */
  boolean next();

  /** Key of the entry. */
  Object key();

  /** Hash of its key. */
  long hash();

  /** Its value, which the caller does not change. */
  V value();

  /** Its value, which the caller may change in place. */
  V valueToChange();

  /** Replaces the value of the entry. */
  void replace(V value);
}
