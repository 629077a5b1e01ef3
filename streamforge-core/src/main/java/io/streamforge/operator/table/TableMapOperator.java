package io.streamforge.operator.table;

import io.streamforge.function.KeyValueMapper;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Makes one row of one; null is none. */
@Specialised
final class TableMapOperator implements Operator {
  private final KeyValueMapper<Object, Object, Object> mapper;
  private final Output output;
  private final NodeCounters counters;

  TableMapOperator(KeyValueMapper<Object, Object, Object> mapper, OperatorContext context) {
    this.mapper = mapper;
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Change<Object> change = Values.cast(value);
    Object before = mapped(key, change.before());
    Object after = mapped(key, change.after());
    counters.processed++;
    output.process(key, new Change<>(before, after, change.current()), timestampMillis, headers);
  }

  private @Nullable Object mapped(@Nullable Object key, @Nullable Object row) throws Exception {
    return row == null ? null : mapper.apply(Values.cast(key), row);
  }
}
