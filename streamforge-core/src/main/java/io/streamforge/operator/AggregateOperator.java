package io.streamforge.operator;

import io.streamforge.function.Aggregator;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import org.jspecify.annotations.Nullable;

/** Folds the records of each key and emits the result after every one. */
@Specialised
public final class AggregateOperator implements Operator {
  private final Aggregator<Object, Object, Object> aggregator;
  private final Output output;
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final KeyedTable<Object> table;

  /** Works for one task. */
  public AggregateOperator(Aggregator<Object, Object, Object> aggregator, OperatorContext context) {
    this.aggregator = aggregator;
    this.output = context.output();
    this.counters = context.counters();
    this.keyContext = context.keyContext();
    this.table = context.states().table("aggregate");
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    Object before = table.get(present, hash);
    Object after =
        aggregator.add(before == null ? aggregator.create() : before, Values.cast(value));
    if (after != before) {
      table.put(present, hash, after);
    }
    Object result = aggregator.result(after);
    counters.processed++;
    output.process(key, result, timestampMillis, headers);
  }
}
