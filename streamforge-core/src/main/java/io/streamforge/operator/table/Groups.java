package io.streamforge.operator.table;

import io.streamforge.function.Aggregator;
import io.streamforge.function.ColumnAggregator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * An accumulator for each key of an aggregated table, and how many rows it is of. It goes with its
 * last row, so that the next one begins with a new accumulator: what an aggregate does not take
 * back exactly does not stay.
 */
@Specialised
interface Groups {
  /** In the form that suits the aggregator, which subtracts. */
  static Groups of(Aggregator<Object, Object, Object> aggregator, OperatorContext context) {
    ColumnAggregator<Object, Object> columnar = aggregator.columnar();
    return columnar == null
        ? new ObjectGroups(aggregator, context)
        : new ColumnGroups(columnar, context.states());
  }

  /** The result of a key; null when it has no rows. */
  @Nullable Object result(Object key, long hash) throws Exception;

  /** Takes a row back, then adds one; null: none. */
  void change(Object key, long hash, @Nullable Object before, @Nullable Object after)
      throws Exception;

  /** See {@link io.streamforge.state.KeyedTable#touch}. */
  void touch(long[] hashes, int from, int to);
}
