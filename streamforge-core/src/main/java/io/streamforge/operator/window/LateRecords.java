package io.streamforge.operator.window;

import io.streamforge.graph.Node;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.record.Headers;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Where records go that no window accepts: counted, and late ones emitted where that was asked. */
@Specialised
public final class LateRecords {
  private final NodeCounters counters;
  private final NodeCounters.Dropped inNoWindow;
  private final @Nullable Output output;

  /** For a node with this windowing. */
  public LateRecords(Node.Windowing windowing, OperatorContext context) {
    counters = context.counters();
    inNoWindow = counters.dropped("in no window");
    output = windowing.lateOutput() == null ? null : context.output(windowing.lateOutput().name());
  }

  /** All windows of the record are gone. */
  public void late(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.late++;
    if (output != null) {
      output.process(key, value, timestampMillis, headers);
    }
  }

  /** The record has no window. */
  public void inNoWindow() {
    inNoWindow.count++;
  }
}
