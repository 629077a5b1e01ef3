package io.streamforge.function;

import java.io.Serializable;

/** A double that a value holds. */
@FunctionalInterface
public interface ToDouble<V> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  double apply(V value) throws Exception;
}
