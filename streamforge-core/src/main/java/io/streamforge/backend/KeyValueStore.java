package io.streamforge.backend;

import io.streamforge.record.KeyValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of their keys, used on its own, outside of any job. Keys and values are kept
 * as bytes: whoever changes an object after it was put, or one that it got, changes no entry.
 *
 * <p><i>Order of keys</i>: numbers, times and dates by value, {@code false} before {@code true},
 * strings by Unicode code points, byte arrays as unsigned bytes, from the left, and a UUID as its
 * {@code compareTo} says. Keys that {@linkplain io.streamforge.serde.Serdes#mapped are written as
 * one of these} are ordered as what is written.
 *
 * <p><i>Lifetime</i>: the entries are there until {@link #close}, and not after it, wherever the
 * store keeps them. What must outlive it is written with {@link StoreSnapshot#writeTo}.
 *
 * <p>Thread-safe, for any number of readers and writers. Each call sees the entries as they are at
 * one instant between its beginning and its end, and so does a snapshot. After {@link #close} all
 * methods but {@code close} throw {@link IllegalStateException}.
 *
 * @param <K> keys; never null
 * @param <V> values; never null
 */
public interface KeyValueStore<K, V> extends AutoCloseable {
  /** Sets the value of a key. */
  void put(K key, V value);

  /** A copy of the value of a key; null when it has none. */
  @Nullable V get(K key);

  /** Removes a key and its value; no effect when it is not there. */
  void delete(K key);

  /**
   * The first entries from a key on, in the order of keys. How to go on where the limit has ended
   * it: {@link #rangeAfter} the last key.
   *
   * @param from the first key that may be among them; null: the first of all
   * @param to the key before which they end, itself not among them; null: none
   * @param limit how many at most, 1 or more
   * @return copies; empty when there are none, or when {@code to} is not behind {@code from}
   * @throws IllegalArgumentException when the limit is not positive
   */
  List<KeyValue<K, V>> range(@Nullable K from, @Nullable K to, int limit);

  /**
   * As {@link #range}, but from the first key behind {@code after}, which need not be there.
   *
   * @throws IllegalArgumentException when the limit is not positive
   */
  List<KeyValue<K, V>> rangeAfter(K after, @Nullable K to, int limit);

  /**
   * The entries as they are now, whatever is changed later. Takes no time and no memory of its own
   * at first; entries that are changed later are kept twice until it is closed.
   */
  StoreSnapshot snapshot();

  /**
   * Makes the entries of the snapshot those of the store, in place of all that it has, in one
   * instant at the end. The snapshot may be of another kind of store; values of an older type are
   * read as its schema allows, see {@link io.streamforge.serde.Serde#reading}. Whenever this
   * throws, the store is as it was.
   *
   * @param snapshot stays open
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#SNAPSHOT_DAMAGED} when it was read and its bytes are damaged
   *     or end early; with {@link io.streamforge.error.ErrorCode#STATE_INCOMPATIBLE} when its keys
   *     or values cannot be read as those of this store
   * @throws java.io.UncheckedIOException when its bytes cannot be read
   * @throws IllegalStateException when it is closed, or was read and has been used
   */
  void restore(StoreSnapshot snapshot);

  /** Lets go of all entries; snapshots of the store can be used no more. Idempotent. */
  @Override
  void close();
}
