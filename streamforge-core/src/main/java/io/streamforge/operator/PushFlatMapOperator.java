package io.streamforge.operator;

import io.streamforge.function.PushMapper;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * Lets a function emit any number of records for one; what finds no room is held by the outputs.
 */
@Specialised
public final class PushFlatMapOperator implements Operator {
  private final PushMapper<Object, Object, Object, Object> mapper;
  private final Output output;
  private final NodeCounters counters;

  /** Works for one task. */
  public PushFlatMapOperator(
      PushMapper<Object, Object, Object, Object> mapper, OperatorContext context) {
    this.mapper = mapper;
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    mapper.apply(
        Values.cast(key),
        Values.cast(value),
        (newKey, newValue) -> emit(newKey, newValue, timestampMillis, headers));
    counters.processed++;
  }

  private void emit(
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers) {
    try {
      output.process(key, value, timestampMillis, headers);
    } catch (Exception e) {
      throw Rethrow.unchecked(e);
    }
  }
}
