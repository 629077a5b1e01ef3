package io.streamforge.testkit;

import io.streamforge.record.Headers;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * What has come out at a sink or a side output, in the order of arrival; reading removes. Order
 * between keys is promised only at parallelism 1.
 */
public final class TestOutput<K, V> implements Sink<K, V> {
  private final String name;
  private final boolean blocking;
  private final ArrayDeque<Record<K, V>> records = new ArrayDeque<>();

  TestOutput(String name, boolean blocking) {
    this.name = name;
    this.blocking = blocking;
  }

  /** Whether nothing is there to read. */
  public boolean isEmpty() {
    return records.isEmpty();
  }

  /**
   * The next record.
   *
   * @throws NoSuchElementException when there is none
   */
  public Record<K, V> read() {
    Record<K, V> next = records.poll();
    if (next == null) {
      throw new NoSuchElementException("nothing to read at '" + name + "'");
    }
    return next;
  }

  /** All records. */
  public List<Record<K, V>> readAll() {
    List<Record<K, V>> all = new ArrayList<>(records);
    records.clear();
    return all;
  }

  /** Keys and values of all records. */
  public List<KeyValue<K, V>> readKeyValues() {
    return readAll().stream().map(r -> KeyValue.of(r.key(), r.value())).toList();
  }

  /** Values of all records. */
  public List<V> readValues() {
    List<V> values = new ArrayList<>();
    readAll().forEach(record -> values.add(record.value()));
    return values;
  }

  @Override
  public SinkWriter<K, V> writer(SinkContext context) {
    return new SinkWriter<>() {
      @Override
      public void write(
          @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
        records.add(record(key, value, timestampMillis, headers));
      }
    };
  }

  @SuppressWarnings("NullAway") // keys and values are as nullable as the topology makes them
  private static <K, V> Record<K, V> record(
      @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
    return new Record<>(key, value, timestampMillis, headers);
  }

  @Override
  public boolean blocking() {
    return blocking;
  }

  @Override
  public String describe() {
    return "test output";
  }
}
