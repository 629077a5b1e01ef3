package io.streamforge.function;

/**
 * The form of an {@link Aggregator} whose accumulators are a fixed number of longs, all of which
 * begin as 0. Hosts keep them unboxed in arrays of their own and say where an accumulator begins.
 * The methods do what those of the same name without "At" do. The order of values and of merges
 * makes no difference to the result.
 *
 * @param <V> values
 * @param <R> results
 */
public interface ColumnAggregator<V, R> {
  /** How many longs an accumulator has. */
  int columns();

  /**
   * What the longs mean, such as {@code count}: state that was stored with another form is refused.
   * Empty: nothing is said, and only their number is compared.
   */
  default String form() {
    return "";
  }

  /** Adds a value to the accumulator that begins at {@code at}. */
  void addAt(long[] accumulators, int at, V value) throws Exception;

  /** Adds what another accumulator has seen later in event time; that one is not changed. */
  void mergeAt(long[] into, int at, long[] from, int fromAt) throws Exception;

  /** Takes what another accumulator has seen away; called when {@link #subtractable} only. */
  void subtractAt(long[] from, int at, long[] part, int partAt) throws Exception;

  /** Whether {@link #subtractAt} works. */
  boolean subtractable();

  /** The result of the accumulator that begins at {@code at}; a new or an immutable object. */
  R resultAt(long[] accumulators, int at) throws Exception;
}
