package io.streamforge.connector.collection;

import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what it is given in memory, in the order in which its tasks write. Thread-safe; may be read
 * while the job runs.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class CollectingSink<K, V> implements Sink<K, V> {
  private final List<Record<K, V>> records = new ArrayList<>();

  /** What has been written so far; a copy. */
  public List<Record<K, V>> records() {
    synchronized (records) {
      return new ArrayList<>(records);
    }
  }

  /** The values of {@link #records()}. */
  public List<V> values() {
    synchronized (records) {
      List<V> values = new ArrayList<>(records.size());
      for (Record<K, V> record : records) {
        values.add(record.value());
      }
      return values;
    }
  }

  @Override
  public SinkWriter<K, V> writer(SinkContext context) {
    return this::add;
  }

  @SuppressWarnings("NullAway") // A record takes null where the types of the job allow it.
  private void add(
      @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
    Record<K, V> record = new Record<>(key, value, timestampMillis, headers);
    synchronized (records) {
      records.add(record);
    }
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String describe() {
    return "collection in memory";
  }
}
