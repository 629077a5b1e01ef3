package io.streamforge.operator.table;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Operator;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Change;
import io.streamforge.record.Headers;
import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/**
 * Gives each row another key, right before the exchange. A change becomes one that takes the row
 * away from its old key and one that adds it to the new one; a single one where the key stays.
 */
@Specialised
final class RegroupOperator implements Operator {
  private final KeyValueMapper<Object, Object, Object> selector;
  private final KeyKind<Object> keyKind;
  private final OperatorContext context;
  private final KeyContext keyContext;
  private final Output output;
  private final NodeCounters counters;

  /** The addition for which there was no room; null: none waits. */
  private @Nullable Change<Object> addition;

  private Object key = "";
  private long timestampMillis;
  private @Nullable Headers headers;

  RegroupOperator(
      KeyValueMapper<Object, Object, Object> selector,
      KeyKind<Object> keyKind,
      OperatorContext context) {
    this.selector = selector;
    this.keyKind = keyKind;
    this.context = context;
    this.keyContext = context.keyContext();
    this.output = context.output();
    this.counters = context.counters();
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
    Object before = change.before();
    Object after = change.after();
    Object old = before == null ? null : group(key, before);
    Object now = after == null ? null : group(key, after);
    counters.processed++;
    if (old == null || now == null || keyKind.same(old, now)) {
      emit(Values.cast(old == null ? now : old), change, timestampMillis, headers);
      return;
    }
    emit(old, Change.of(before, null), timestampMillis, headers);
    Change<Object> added = Change.of(null, after);
    if (!context.full()) {
      emit(now, added, timestampMillis, headers);
      return;
    }
    this.addition = added;
    this.key = now;
    this.timestampMillis = timestampMillis;
    this.headers = headers;
    context.suspend();
  }

  private Object group(@Nullable Object key, Object row) throws Exception {
    Object group = selector.apply(Values.cast(key), row);
    if (Values.cast(group) == null) {
      throw new StreamForgeException(
          ErrorCode.NULL_KEY, ErrorContext.node(context.node()), "a row has no key to group it by");
    }
    return group;
  }

  private void emit(
      Object group, Change<Object> change, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    keyContext.hash = keyKind.hash(group);
    output.process(group, change, timestampMillis, headers);
  }

  @Override
  public boolean pending() {
    return addition != null;
  }

  @Override
  public void resume(int budget) throws Exception {
    Change<Object> waiting = addition;
    if (waiting != null && !context.full()) {
      Headers ofWaiting = headers;
      addition = null;
      headers = null;
      emit(key, waiting, timestampMillis, ofWaiting);
    }
  }
}
