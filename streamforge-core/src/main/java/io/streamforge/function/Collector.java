package io.streamforge.function;

/**
 * Takes the records that a {@link PushMapper} emits; valid only during the call it is passed to.
 */
@FunctionalInterface
public interface Collector<K, V> {
  /** Emits a record with the timestamp and the headers of the record being mapped. */
  void emit(K key, V value);
}
