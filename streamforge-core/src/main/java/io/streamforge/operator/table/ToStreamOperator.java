package io.streamforge.operator.table;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Emits what the table has after each change; null where there was a row before. */
@Specialised
final class ToStreamOperator implements Operator {
  private final Output output;
  private final NodeCounters counters;

  ToStreamOperator(OperatorContext context) {
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Change<Object> change = Values.cast(value);
    counters.processed++;
    if (change.shows()) {
      output.process(key, change.after(), timestampMillis, headers);
    }
  }
}
