package io.streamforge.operator;

import io.streamforge.function.Aggregator;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Folds the records of each key and emits the result after every one. */
@Specialised
public final class AggregateOperator implements Operator {
  private final Output output;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final Accumulation.Table table;

  /** Works for one task. */
  public AggregateOperator(Aggregator<Object, Object, Object> aggregator, OperatorContext context) {
    this.output = context.output();
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.table = Accumulation.of(aggregator, context).table("aggregate");
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object result = table.addAndGet(Values.cast(key), keyContext.hash, value);
    counters.processed++;
    output.process(key, result, timestampMillis, headers);
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    return table.get(key, hash);
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    table.touch(hashes, from, to);
  }
}
