package io.streamforge.function;

/**
 * Takes the values that a {@link ValuePushMapper} emits; valid only during the call it is passed
 * to.
 */
@FunctionalInterface
public interface ValueCollector<V> {
  /** Emits a value with the key, the timestamp and the headers of the record being mapped. */
  void emit(V value);
}
