package io.streamforge.function;

import java.io.Serializable;

/** Makes one value of two; associative. Neither argument may be changed. */
@FunctionalInterface
public interface Reducer<V> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  V apply(V left, V right) throws Exception;
}
