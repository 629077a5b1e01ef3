package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Outputs;
import java.io.Serializable;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Adds the hashes of what it gets to the {@link Outputs}. */
final class ChecksumSink<T> implements Sink<T> {
  private static final long serialVersionUID = 1;

  /** Hash of an output. */
  @FunctionalInterface
  interface Hash<T> extends Serializable {
    long of(T output);
  }

  private final Hash<T> hash;

  ChecksumSink(Hash<T> hash) {
    this.hash = hash;
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    return new Writer<>(hash);
  }

  private static final class Writer<T> implements SinkWriter<T> {
    private final Hash<T> hash;
    private final Outputs outputs = new Outputs();

    Writer(Hash<T> hash) {
      this.hash = hash;
    }

    @Override
    public void write(T output, Context context) {
      outputs.add(hash.of(output));
    }

    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public void close() {
      outputs.end();
    }
  }
}
