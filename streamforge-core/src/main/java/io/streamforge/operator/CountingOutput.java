package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Counts what a node emits to a consumer whose own books do not tell. */
@Specialised
public final class CountingOutput implements Output {
  private final NodeCounters counters;
  private final Output next;

  /** From the node with these counters to {@code next}. */
  public CountingOutput(NodeCounters counters, Output next) {
    this.counters = counters;
    this.next = next;
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.out++;
    next.process(key, value, timestampMillis, headers);
  }
}
