package io.streamforge.record;

import org.jspecify.annotations.Nullable;

/** A key and a value, as {@code map} and {@code flatMap} return them. */
public record KeyValue<K extends @Nullable Object, V extends @Nullable Object>(K key, V value) {
  /** The pair of the two. */
  public static <K extends @Nullable Object, V extends @Nullable Object> KeyValue<K, V> of(
      K key, V value) {
    return new KeyValue<>(key, value);
  }
}
