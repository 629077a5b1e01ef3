package io.streamforge.state;

import org.jspecify.annotations.Nullable;

/**
 * One entry for each key of a task's key groups; what keyed state of every kind is made of. The
 * caller passes the key's hash along, since it knows it already. Not thread-safe.
 *
 * @param <V> values; the object that was put is the one that {@code get} returns, so a caller may
 *     change it in place
 */
public interface KeyedTable<V> {
  /** The value of the key; null when there is none. */
  @Nullable V get(Object key, long hash);

  /** Sets the value of the key. */
  void put(Object key, long hash, V value);

  /** Removes the entry of the key; no effect when there is none. */
  void remove(Object key, long hash);

  /** Number of entries. */
  int size();

  /** See {@link ColumnTable#touch}. */
  void touch(long[] hashes, int from, int to);

  /**
   * A walk over all entries in the order of their key groups; the order is the same for the same
   * history of calls. Unless the walk is finished or abandoned the table may be changed only
   * through the cursor.
   */
  TableCursor<V> cursor();
}
