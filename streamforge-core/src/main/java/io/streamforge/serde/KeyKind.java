package io.streamforge.serde;

import java.util.Comparator;

/**
 * Identity of the keys of one type: a hash and an equality that depend only on the serialised form
 * of a key, so that they are the same in every JVM. Never calls {@code hashCode} or {@code equals}
 * of a user's class. Not thread-safe: each task uses its own.
 *
 * @param <K> keys; never null
 */
public interface KeyKind<K> extends Comparator<K> {
  /** A well-mixed 64-bit hash; key groups are contiguous ranges of it read as unsigned. */
  long hash(K key);

  /** Whether no two keys have the same hash, so that {@link #keyOf} gives the key back. */
  default boolean hashIsKey() {
    return false;
  }

  /**
   * The key with this hash.
   *
   * @throws UnsupportedOperationException unless {@link #hashIsKey}
   */
  default K keyOf(long hash) {
    throw new UnsupportedOperationException(serde().name() + " keys do not follow from their hash");
  }

  /** Whether the two are the same key. */
  boolean same(K left, K right);

  /**
   * A total order of keys, consistent with {@link #same}; what it is beyond that is unspecified.
   */
  @Override
  int compare(K left, K right);

  /** The serde that defines the identity. */
  Serde<K> serde();
}
