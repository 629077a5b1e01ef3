package io.streamforge.operator;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Gives each record its key and hashes it, right before the exchange. */
@Specialised
public final class GroupByOperator implements Operator {
  private final @Nullable KeyValueMapper<Object, Object, Object> selector;
  private final KeyKind<Object> keyKind;
  private final KeyContext keyContext;
  private final Output output;
  private final NodeCounters counters;
  private final String node;

  /** Works for one task; without a selector the key stays. */
  public GroupByOperator(
      @Nullable KeyValueMapper<Object, Object, Object> selector,
      KeyKind<Object> keyKind,
      OperatorContext context) {
    this.selector = selector;
    this.keyKind = keyKind;
    this.keyContext = context.keyContext();
    this.output = context.output();
    this.counters = context.counters();
    this.node = context.node();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    Object newKey = selector == null ? key : selector.apply(Values.cast(key), Values.cast(value));
    if (newKey == null) {
      throw new StreamForgeException(
          ErrorCode.NULL_KEY, ErrorContext.node(node), "a record has no key to group it by");
    }
    keyContext.hash = keyKind.hash(newKey);
    counters.processed++;
    output.process(newKey, value, timestampMillis, headers);
  }
}
