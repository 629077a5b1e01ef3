package io.streamforge.function;

import java.io.Serializable;

/** Makes a result of a value. */
@FunctionalInterface
public interface ValueMapper<V, R> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  R apply(V value) throws Exception;
}
