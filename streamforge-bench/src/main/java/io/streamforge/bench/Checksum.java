package io.streamforge.bench;

import io.streamforge.record.Headers;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The sum of the hashes of all outputs of a run. */
final class Checksum {
  private final LongAdder sum = new LongAdder();

  /** Hash of an output. */
  @FunctionalInterface
  interface Hash<K, V> {
    long of(K key, V value);
  }

  /** The sum, once the run has ended. */
  long value() {
    return sum.sum();
  }

  /** A sink on the tasks' own threads that adds what it gets. */
  <K, V> Sink<K, V> sink(Hash<K, V> hash) {
    return new HashingSink<>(hash, sum);
  }

  private record HashingSink<K, V>(Hash<K, V> hash, LongAdder sum) implements Sink<K, V> {
    @Override
    public SinkWriter<K, V> writer(SinkContext context) {
      return new HashingWriter<>(hash, sum);
    }

    @Override
    public boolean blocking() {
      return false;
    }

    @Override
    public String describe() {
      return "checksum";
    }
  }

  private static final class HashingWriter<K, V> implements SinkWriter<K, V> {
    private final Hash<K, V> hash;
    private final LongAdder total;
    private long sum;

    HashingWriter(Hash<K, V> hash, LongAdder total) {
      this.hash = hash;
      this.total = total;
    }

    @Override
    @SuppressWarnings("NullAway") // the workloads hash no key where there is none
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
      sum += hash.of(key, value);
    }

    @Override
    public void finish() {
      total.add(sum);
    }
  }
}
