package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Outputs;
import io.streamforge.record.Headers;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import org.jspecify.annotations.Nullable;

/** A sink on the tasks' own threads that adds the hashes of what it gets to the {@link Outputs}. */
record ChecksumSink<K, V>(Hash<K, V> hash) implements Sink<K, V> {
  /** Hash of an output. */
  @FunctionalInterface
  interface Hash<K, V> {
    long of(K key, V value);
  }

  @Override
  public SinkWriter<K, V> writer(SinkContext context) {
    return new Writer<>(hash);
  }

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String describe() {
    return "checksum";
  }

  private static final class Writer<K, V> implements SinkWriter<K, V> {
    private final Hash<K, V> hash;
    private final Outputs outputs = new Outputs();

    Writer(Hash<K, V> hash) {
      this.hash = hash;
    }

    @Override
    @SuppressWarnings("NullAway") // the workloads hash no key where there is none
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
      outputs.add(hash.of(key, value));
    }

    @Override
    public void finish() {
      outputs.end();
    }
  }
}
