package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hands each record to any number of consumers, none included. */
@Specialised
public final class FanOutOutput implements Output {
  private final NodeCounters counters;
  private final KeyContext keyContext;
  private final Output[] outputs;

  /** From the node with these counters; what the outputs count themselves is not the node's. */
  public FanOutOutput(NodeCounters counters, KeyContext keyContext, List<Output> outputs) {
    this.counters = counters;
    this.keyContext = keyContext;
    this.outputs = outputs.toArray(new Output[0]);
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.out++;
    long hash = keyContext.hash;
    for (Output output : outputs) {
      keyContext.hash = hash;
      output.process(key, value, timestampMillis, headers);
    }
  }
}
