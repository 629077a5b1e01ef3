package io.streamforge.record;

import org.jspecify.annotations.Nullable;

/**
 * A whole record as one object, where a user meets it: in collections, test outputs and callbacks.
 * Inside the engine its parts travel separately.
 *
 * @param key may be null where no node needs a key
 * @param value may be null
 * @param timestampMillis epoch milliseconds, may be negative, see {@link Timestamps}
 * @param headers null when there are none
 */
public record Record<K extends @Nullable Object, V extends @Nullable Object>(
    K key, V value, long timestampMillis, @Nullable Headers headers) {

  /** A record without headers. */
  public static <K extends @Nullable Object, V extends @Nullable Object> Record<K, V> of(
      K key, V value, long timestampMillis) {
    return new Record<>(key, value, timestampMillis, null);
  }

  @Override
  public String toString() {
    return key + "=" + value + "@" + timestampMillis + (headers == null ? "" : headers.toString());
  }
}
