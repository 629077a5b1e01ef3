package io.streamforge.state;

/** A resumable walk over a {@link KeyedTable}. */
public interface TableCursor<V> {
  /** Goes to the next entry; false when there is none. */
  boolean next();

  /** Key of the entry. */
  Object key();

  /** Hash of its key. */
  long hash();

  /** Its value. */
  V value();

  /** Replaces the value of the entry. */
  void replace(V value);
}
