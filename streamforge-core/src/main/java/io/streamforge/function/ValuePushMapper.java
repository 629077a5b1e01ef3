package io.streamforge.function;

import java.io.Serializable;

/**
 * Emits any number of values for one; what is emitted faster than it is consumed is held, and
 * spilled to disk beyond a limit.
 */
@FunctionalInterface
public interface ValuePushMapper<V, VOut> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  void apply(V value, ValueCollector<VOut> output) throws Exception;
}
