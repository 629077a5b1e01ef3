package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** Writes records on the task's own thread, to a sink that never waits. */
@Specialised
public final class SinkOperator implements Operator {
  private final SinkWriter<Object, Object> writer;
  private final NodeCounters counters;

  /** Works for one task. */
  public SinkOperator(SinkWriter<Object, Object> writer, OperatorContext context) {
    this.writer = writer;
    this.counters = context.counters();
  }

  @Override
  public void process(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    counters.in++;
    writer.write(key, value, timestampMillis, headers);
    counters.processed++;
  }

  @Override
  public void beforeCheckpoint() throws Exception {
    writer.flush();
  }

  @Override
  public void finish() throws Exception {
    writer.finish();
  }

  @Override
  public void close() throws Exception {
    writer.close();
  }
}
