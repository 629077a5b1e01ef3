package io.streamforge.function;

import java.io.Serializable;

/** Whether a record has a property. */
@FunctionalInterface
public interface Predicate<K, V> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  boolean test(K key, V value) throws Exception;
}
