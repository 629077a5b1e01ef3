package io.streamforge.function;

import java.io.Serializable;

/**
 * Makes a result of a value of each side of a join. In a left join the right value is null where
 * there is none, in an outer join either may be, but not both; a stream that has null values does
 * not let a join tell them from that.
 */
@FunctionalInterface
public interface ValueJoiner<V, W, R> extends Serializable {
  /** Applied once to each result, by one thread at a time for each task. */
  R apply(V left, W right) throws Exception;
}
