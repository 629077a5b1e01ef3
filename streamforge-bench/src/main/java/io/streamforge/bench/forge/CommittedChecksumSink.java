package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Outputs;
import io.streamforge.record.Headers;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingSink;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.Ownership;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sink on the tasks' own threads that adds the hashes of what it gets; the sum of each epoch is
 * prepared, and counts for the {@link Outputs} when it is committed.
 */
record CommittedChecksumSink<K, V>(ChecksumSink.Hash<K, V> hash) implements CommittingSink<K, V> {
  @Override
  public CommittingWriter<K, V> writer(SinkContext context) {
    return new Writer<>(hash);
  }

  @Override
  public List<WriterMarker> fence(SinkContext context, List<WriterState> writers) {
    return List.of();
  }

  @Override
  public void recover(SinkContext context, List<WriterState> writers, Ownership ownership) {}

  @Override
  public boolean blocking() {
    return false;
  }

  @Override
  public String describe() {
    return "committed checksum";
  }

  private static final class Writer<K, V> implements CommittingWriter<K, V> {
    private final ChecksumSink.Hash<K, V> hash;
    private final Outputs outputs = new Outputs();
    private long sum;
    private long count;
    private long committedSum;
    private long committedCount;

    Writer(ChecksumSink.Hash<K, V> hash) {
      this.hash = hash;
    }

    @Override
    @SuppressWarnings("NullAway") // all records of the workload have both
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
      sum += hash.of(key, value);
      count++;
    }

    @Override
    public List<Committable> prepare(long checkpoint) {
      byte[] content = ByteBuffer.allocate(2 * Long.BYTES).putLong(sum).putLong(count).array();
      sum = 0;
      count = 0;
      return List.of(new Committable(checkpoint, content));
    }

    @Override
    public CommitResult commit(Committable committable) {
      ByteBuffer content = ByteBuffer.wrap(committable.content());
      committedSum += content.getLong();
      committedCount += content.getLong();
      outputs.visible(committedCount);
      return new CommitResult.Committed();
    }

    @Override
    public void close() {
      outputs.end(committedSum, committedCount);
    }
  }
}
