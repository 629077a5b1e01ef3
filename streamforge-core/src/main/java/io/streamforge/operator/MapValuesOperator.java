package io.streamforge.operator;

import io.streamforge.function.ValueMapper;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Makes one value of one. */
@Specialised
public final class MapValuesOperator implements Operator {
  private final ValueMapper<Object, Object> mapper;
  private final Output output;
  private final NodeCounters counters;

  /** Works for one task. */
  public MapValuesOperator(ValueMapper<Object, Object> mapper, OperatorContext context) {
    this.mapper = mapper;
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object result = mapper.apply(Values.cast(value));
    counters.processed++;
    output.process(key, result, timestampMillis, headers);
  }
}
