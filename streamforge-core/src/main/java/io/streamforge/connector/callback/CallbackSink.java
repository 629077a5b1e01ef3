package io.streamforge.connector.callback;

import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls a function for each record. The function may wait; a slow one slows the job down. When the
 * sink has several tasks they call the same function at the same time.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class CallbackSink<K, V> implements Sink<K, V> {
  private final RecordCallback<K, V> callback;

  /** Calls {@code callback}. */
  public CallbackSink(RecordCallback<K, V> callback) {
    this.callback = Objects.requireNonNull(callback);
  }

  @Override
  public SinkWriter<K, V> writer(SinkContext context) {
    return new Writer<>(callback);
  }

  @Override
  public String describe() {
    return "callback";
  }

  private record Writer<K, V>(RecordCallback<K, V> callback) implements SinkWriter<K, V> {
    @Override
    @SuppressWarnings("NullAway") // A record takes null where the types of the job allow it.
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers)
        throws Exception {
      callback.accept(new Record<>(key, value, timestampMillis, headers));
    }

    @Override
    public boolean refuses(Exception failure) {
      // What it has done until then is its own business.
      return true;
    }
  }
}
