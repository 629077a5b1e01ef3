package io.streamforge.function;

import java.io.Serializable;

/** Makes a result of a key and a value. */
@FunctionalInterface
public interface KeyValueMapper<K, V, R> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  R apply(K key, V value) throws Exception;
}
