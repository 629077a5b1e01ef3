package io.streamforge.function;

import java.lang.reflect.Type;

/**
 * An aggregator whose accumulator and result are one long, which begins at 0. All methods are
 * defined by the primitive ones.
 *
 * @param <V> values
 */
public interface LongAggregator<V> extends Aggregator<V, Long, Long>, ColumnAggregator<V, Long> {
  /** The accumulator after one more value. */
  long addTo(long accumulator, V value) throws Exception;

  /** The accumulator of both; associative. */
  long mergeLongs(long into, long from) throws Exception;

  /** The inverse of {@link #mergeLongs}; called when {@link #subtractable()} only. */
  long subtractLongs(long from, long part) throws Exception;

  @Override
  default boolean subtractable() {
    return false;
  }

  @Override
  default ColumnAggregator<V, Long> columnar() {
    return this;
  }

  @Override
  default int columns() {
    return 1;
  }

  @Override
  default void addAt(long[] accumulators, int at, V value) throws Exception {
    accumulators[at] = addTo(accumulators[at], value);
  }

  @Override
  default void mergeAt(long[] into, int at, long[] from, int fromAt) throws Exception {
    into[at] = mergeLongs(into[at], from[fromAt]);
  }

  @Override
  default void subtractAt(long[] from, int at, long[] part, int partAt) throws Exception {
    from[at] = subtractLongs(from[at], part[partAt]);
  }

  @Override
  default Long resultAt(long[] accumulators, int at) {
    return accumulators[at];
  }

  @Override
  default Long create() {
    return 0L;
  }

  @Override
  default Long add(Long accumulator, V value) throws Exception {
    return addTo(accumulator, value);
  }

  @Override
  default Long merge(Long into, Long from) throws Exception {
    return mergeLongs(into, from);
  }

  @Override
  default Long subtract(Long from, Long part) throws Exception {
    return subtractLongs(from, part);
  }

  @Override
  default Long result(Long accumulator) {
    return accumulator;
  }

  @Override
  default Type accumulatorType() {
    return Long.class;
  }

  @Override
  default Type resultType() {
    return Long.class;
  }
}
