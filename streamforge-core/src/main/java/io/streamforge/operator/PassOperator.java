package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Passes each record on: a merge, a rebalance, a grouping by the key that is there already. */
@Specialised
public final class PassOperator implements Operator {
  private final Output output;
  private final NodeCounters counters;

  /** Works for one task. */
  public PassOperator(OperatorContext context) {
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    counters.processed++;
    output.process(key, value, timestampMillis, headers);
  }
}
