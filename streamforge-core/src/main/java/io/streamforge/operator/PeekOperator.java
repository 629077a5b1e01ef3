package io.streamforge.operator;

import io.streamforge.function.ForeachAction;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Shows each record to a function and passes it on. */
@Specialised
public final class PeekOperator implements Operator {
  private final ForeachAction<Object, Object> action;
  private final Output output;
  private final NodeCounters counters;

  /** Works for one task. */
  public PeekOperator(ForeachAction<Object, Object> action, OperatorContext context) {
    this.action = action;
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    action.apply(Values.cast(key), Values.cast(value));
    counters.processed++;
    output.process(key, value, timestampMillis, headers);
  }
}
