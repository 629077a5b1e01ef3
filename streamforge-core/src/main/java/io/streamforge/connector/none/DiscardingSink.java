package io.streamforge.connector.none;

import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;

/** Drops all records. */
public final class DiscardingSink<K, V> implements Sink<K, V> {
  @Override
  public SinkWriter<K, V> writer(SinkContext context) {
    return (key, value, timestampMillis, headers) -> {};
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String describe() {
    return "nothing";
  }
}
