package io.streamforge.operator;

import io.streamforge.function.Predicate;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Keeps the records that pass. */
@Specialised
public final class FilterOperator implements Operator {
  private final Predicate<Object, Object> predicate;
  private final boolean negated;
  private final Output output;
  private final NodeCounters counters;

  /** Works for one task. */
  public FilterOperator(
      Predicate<Object, Object> predicate, boolean negated, OperatorContext context) {
    this.predicate = predicate;
    this.negated = negated;
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    boolean keep = predicate.test(Values.cast(key), Values.cast(value)) != negated;
    counters.processed++;
    if (keep) {
      output.process(key, value, timestampMillis, headers);
    }
  }
}
