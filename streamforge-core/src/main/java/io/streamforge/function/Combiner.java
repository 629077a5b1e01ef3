package io.streamforge.function;

import java.io.Serializable;

/** Makes one result of two; see {@link Aggregates#both}. */
@FunctionalInterface
public interface Combiner<A, B, R> extends Serializable {
  /** Applied whenever a result is emitted, by one thread at a time for each task. */
  R apply(A first, B second) throws Exception;
}
