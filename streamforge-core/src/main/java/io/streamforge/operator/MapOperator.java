package io.streamforge.operator;

import io.streamforge.function.KeyValueMapper;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.record.KeyValue;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Makes one record of one. */
@Specialised
public final class MapOperator implements Operator {
  private final KeyValueMapper<Object, Object, KeyValue<?, ?>> mapper;
  private final Output output;
  private final NodeCounters counters;

  /** Works for one task. */
  public MapOperator(
      KeyValueMapper<Object, Object, KeyValue<?, ?>> mapper, OperatorContext context) {
    this.mapper = mapper;
    this.output = context.output();
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    KeyValue<?, ?> result = mapper.apply(Values.cast(key), Values.cast(value));
    if (result == null) {
      throw new NullPointerException("the mapper returned null instead of a KeyValue");
    }
    counters.processed++;
    output.process(result.key(), result.value(), timestampMillis, headers);
  }
}
