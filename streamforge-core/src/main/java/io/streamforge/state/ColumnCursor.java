package io.streamforge.state;

/** A resumable walk over a {@link ColumnTable}. */
public interface ColumnCursor {
  /** Goes to the next entry; false when there is none. */
  boolean next();

  /** Key of the entry. */
  Object key();

  /** Hash of its key. */
  long hash();

  /** Position of its first long in {@link ColumnTable#columns}. */
  int position();
}
