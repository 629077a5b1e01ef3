package io.streamforge.operator;

import io.streamforge.record.Headers;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.Specialised;
import org.jspecify.annotations.Nullable;

/** A writer on the task's own thread that may reject a record. */
@Specialised
final class GuardedWriter implements SinkWriter<Object, Object> {
  private final SinkWriter<Object, Object> inner;
  private final Guard.Thrown thrown;

  GuardedWriter(SinkWriter<Object, Object> inner, Guard.Thrown thrown) {
    this.inner = inner;
    this.thrown = thrown;
  }

  @Override
  public void write(
      @Nullable Object key, @Nullable Object value, long timestampMillis, @Nullable Headers headers)
      throws Exception {
    try {
      inner.write(key, value, timestampMillis, headers);
    } catch (Exception e) {
      if (inner.refuses(e)) {
        throw thrown.instead(e);
      }
      throw e;
    }
  }

  @Override
  public void flush() throws Exception {
    inner.flush();
  }

  @Override
  public void tick() throws Exception {
    inner.tick();
  }

  @Override
  public void finish() throws Exception {
    inner.finish();
  }

  @Override
  public void close() throws Exception {
    inner.close();
  }
}
