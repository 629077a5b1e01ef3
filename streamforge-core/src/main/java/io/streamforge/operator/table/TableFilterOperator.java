package io.streamforge.operator.table;

import io.streamforge.function.Predicate;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Keeps the rows that pass; a change of one that does not is passed on as one of nothing. */
@Specialised
final class TableFilterOperator implements Operator {
  private final Predicate<Object, Object> predicate;
  private final boolean negated;
  private final Output output;
  private final NodeCounters counters;

  TableFilterOperator(
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
    Change<Object> change = Values.cast(value);
    Object before = kept(key, change.before());
    Object after = kept(key, change.after());
    counters.processed++;
    output.process(key, new Change<>(before, after, change.current()), timestampMillis, headers);
  }

  private @Nullable Object kept(@Nullable Object key, @Nullable Object row) throws Exception {
    return row != null && predicate.test(Values.cast(key), row) != negated ? row : null;
  }
}
