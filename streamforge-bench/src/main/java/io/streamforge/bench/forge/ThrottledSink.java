package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Outputs;
import io.streamforge.record.Headers;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A sink that waits as a slow system would: its tasks share so many records a second. */
record ThrottledSink<K, V>(int recordsPerSecond) implements Sink<K, V> {
  @Override
  public SinkWriter<K, V> writer(SinkContext context) {
    return new Writer<>(1_000_000_000L * context.parallelism() / recordsPerSecond);
  }

  @Override
  public String describe() {
    return recordsPerSecond + " records a second";
  }

  private static final class Writer<K, V> implements SinkWriter<K, V> {
    /** How far the writer may be behind before it counts as having had nothing to do. */
    private static final long SLACK_NANOS = 10_000_000;

    /** Sleeping for less is not worth it. */
    private static final long EARLY_NANOS = 500_000;

    private final Outputs outputs = new Outputs();
    private final long nanosPerRecord;
    private long dueNanos = System.nanoTime();

    Writer(long nanosPerRecord) {
      this.nanosPerRecord = nanosPerRecord;
    }

    @Override
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
      long now = System.nanoTime();
      dueNanos = Math.max(dueNanos + nanosPerRecord, now - SLACK_NANOS);
      while (now < dueNanos - EARLY_NANOS) {
        LockSupport.parkNanos(dueNanos - now);
        now = System.nanoTime();
      }
      outputs.add(1);
    }

    @Override
    public void finish() {
      outputs.end();
    }
  }
}
