package io.streamforge.function;

import java.lang.reflect.Type;

/**
 * An aggregator whose accumulator and result are one long, which begins at 0. Hosts that know this
 * interface keep the accumulator unboxed and call the primitive methods; the others are defined by
 * them.
 *
 * @param <V> values
 */
public interface LongAggregator<V> extends Aggregator<V, Long, Long> {
  /** The accumulator after one more value. */
  long addTo(long accumulator, V value) throws Exception;

  /** The accumulator of both; associative. */
  long mergeLongs(long into, long from) throws Exception;

  /** The inverse of {@link #mergeLongs}; called when {@link #subtractable()} only. */
  long subtractLongs(long from, long part) throws Exception;

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
