package io.streamforge.function;

import java.io.Serializable;

/** Looks at a record; must not change it. */
@FunctionalInterface
public interface ForeachAction<K, V> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  void apply(K key, V value) throws Exception;
}
