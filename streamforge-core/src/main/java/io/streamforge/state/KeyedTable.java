package io.streamforge.state;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One entry for each key of a task's key groups; what keyed state of every kind is made of. The
 * caller passes the key's hash along, since it knows it already. Not thread-safe.
 *
 * @param <V> values; what {@code get} returns may be the object that was put or another one of the
 *     same content. It is changed in place only by who has just put or got it, before another key
 *     of the table is asked for, or by who has said so to the cursor: other changes would be missed
 */
public interface KeyedTable<V> {
  /** The value of the key, which the caller may change in place; null when there is none. */
  @Nullable V get(Object key, long hash);

  /** The value of the key, which the caller does not change; null when there is none. */
  @Nullable V read(Object key, long hash);

  /** Sets the value of the key. */
  void put(Object key, long hash, V value);

  /** Removes the entry of the key; no effect when there is none. */
  void remove(Object key, long hash);

  /** Number of entries; may look at all of them. */
  int size();

  /**
   * Goes on with an endless walk over all entries by so many places, each of which may have one,
   * and removes those that have expired. Only between other calls, and not during a walk of a
   * {@link #cursor}.
   *
   * @param expired looks at a value and does not change it
   */
  void purge(int places, Predicate<? super V> expired);

  /** See {@link ColumnTable#touch}. */
  void touch(long[] hashes, int from, int to);

  /**
   * A walk over all entries in the order of their key groups; the order is the same for the same
   * history of calls. Unless the walk is finished or abandoned the table may be changed only
   * through the cursor.
   */
  TableCursor<V> cursor();
}
