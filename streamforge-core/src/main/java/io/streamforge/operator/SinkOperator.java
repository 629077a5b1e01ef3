package io.streamforge.operator;

import io.streamforge.metrics.NodeCounters;
import io.streamforge.record.Headers;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.Specialised;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes records on the task's own thread, to a sink that never waits. */
@Specialised
public final class SinkOperator implements Operator {
  private final Supplier<SinkWriter<Object, Object>> opening;
  private final NodeCounters counters;

  @SuppressWarnings("NullAway.Init") // before the first record
  private SinkWriter<Object, Object> writer;

  /**
   * Works for one task.
   *
   * @param opening opens the writer, in {@link #open}
   */
  public SinkOperator(Supplier<SinkWriter<Object, Object>> opening, OperatorContext context) {
    this.opening = opening;
    this.counters = context.counters();
  }

  @Override
  public void open() {
    writer = opening.get();
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
    // A job that could not start closes operators that it has never opened.
    if (writer != null) {
      writer.close();
    }
  }
}
