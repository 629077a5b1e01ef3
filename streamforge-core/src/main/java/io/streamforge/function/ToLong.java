package io.streamforge.function;

import java.io.Serializable;

/** A long that a value holds. */
@FunctionalInterface
public interface ToLong<V> extends Serializable {
  /** Applied once to each record, by one thread at a time for each task. */
  long apply(V value) throws Exception;
}
