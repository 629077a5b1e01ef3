package io.streamforge.function;

import java.io.Serializable;

/**
 * Emits any number of records for one; what is emitted faster than it is consumed is held, and
 * spilled to disk beyond a limit.
 */
@FunctionalInterface
public interface PushMapper<K, V, KOut, VOut> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  void apply(K key, V value, Collector<KOut, VOut> output) throws Exception;
}
