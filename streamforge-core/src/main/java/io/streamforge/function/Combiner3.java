package io.streamforge.function;

import java.io.Serializable;

/** Makes one result of three; see {@link Aggregates#three}. */
@FunctionalInterface
public interface Combiner3<A, B, C, R> extends Serializable {
  /** Applied whenever a result is emitted, by one thread at a time for each task. */
  R apply(A first, B second, C third) throws Exception;
}
