package io.streamforge.operator;

import io.streamforge.function.KeyValueMapper;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Gives each record another key. */
@Specialised
public final class SelectKeyOperator implements Operator {
  private final KeyValueMapper<Object, Object, Object> selector;
  private final Output output;
  private final NodeCounters counters;

  /** Works for one task. */
  public SelectKeyOperator(
      KeyValueMapper<Object, Object, Object> selector, OperatorContext context) {
    this.selector = selector;
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object newKey = selector.apply(Values.cast(key), Values.cast(value));
    counters.processed++;
    output.process(newKey, value, timestampMillis, headers);
  }
}
