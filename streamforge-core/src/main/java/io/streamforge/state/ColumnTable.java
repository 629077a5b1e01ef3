package io.streamforge.state;

import java.util.function.IntPredicate;

/**
 * As {@link KeyedTable}, with a fixed number of longs a key instead of an object. They lie side by
 * side in an array that the caller reads directly, and writes where {@link #locate} has just said;
 * that array and all positions are valid until the next call of this table. Not thread-safe.
 */
public interface ColumnTable {
  /** The array in which the longs of all keys lie. */
  long[] columns();

  /**
   * Position of the key's first long in {@link #columns}, for a change; a key that was not there
   * begins with 0.
   */
  int locate(Object key, long hash);

  /**
   * Position of the key's first long in {@link #columns}, to be read only; -1 when the key is not
   * there.
   */
  int seek(Object key, long hash);

  /** Removes the entry of the key; no effect when there is none. */
  void remove(Object key, long hash);

  /**
   * As {@link KeyedTable#purge}.
   *
   * @param expired is given the position of an entry's first long in {@link #columns}
   */
  void purge(int places, IntPredicate expired);

  /** Number of entries; may look at all of them. */
  int size();

  /**
   * Tells that the keys with these hashes, from {@code from} to {@code to} − 1, come next, so that
   * what is slow to reach can be fetched ahead. Changes nothing.
   */
  void touch(long[] hashes, int from, int to);

  /**
   * A walk over all entries in the order of their key groups. Unless the walk is finished or
   * abandoned, no key may be added or removed.
   */
  ColumnCursor cursor();
}
