package io.streamforge.operator.table;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Folds the rows of each key; a key without rows has no result. */
@Specialised
final class TableAggregateOperator implements Operator {
  private final Groups groups;
  private final Output output;
  private final NodeCounters counters;
  private final KeyContext keyContext;

  TableAggregateOperator(Groups groups, OperatorContext context) {
    this.groups = groups;
    this.output = context.output();
    this.counters = context.counters();
    this.keyContext = context.keyContext();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Change<Object> change = Values.cast(value);
    if (!change.shows()) {
      counters.processed++;
      return;
    }
    Object present = Values.cast(key);
    long hash = keyContext.hash;
    Object before = groups.result(present, hash);
    groups.change(present, hash, change.before(), change.after());
    Object after = groups.result(present, hash);
    counters.processed++;
    output.process(key, Change.of(before, after), timestampMillis, headers);
  }

  @Override
  public @Nullable Object read(String state, Object key, long hash, long eventTimeMillis)
      throws Exception {
    return groups.result(key, hash);
  }

  @Override
  public void touch(long[] hashes, int from, int to) {
    groups.touch(hashes, from, to);
  }
}
