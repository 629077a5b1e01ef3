package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Standstills;
import io.streamforge.record.Headers;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingSink;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.Ownership;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Another sink, whose outputs are watched for {@link Standstills}. */
record WatchedSink<K, V>(CommittingSink<K, V> sink) implements CommittingSink<K, V> {
  @Override
  public CommittingWriter<K, V> writer(SinkContext context) throws Exception {
    return new Writer<>(sink.writer(context));
  }

  @Override
  public List<WriterMarker> fence(SinkContext context, List<WriterState> writers) throws Exception {
    return sink.fence(context, writers);
  }

  @Override
  public void recover(SinkContext context, List<WriterState> writers, Ownership ownership)
      throws Exception {
    sink.recover(context, writers, ownership);
  }

  @Override
  public boolean blocking() {
    return sink.blocking();
  }

  @Override
  public String describe() {
    return sink.describe();
  }

  private static final class Writer<K, V> implements CommittingWriter<K, V> {
    private final CommittingWriter<K, V> writer;
    private final Standstills.Watch watch = Feed.current().standstills().watch();

    Writer(CommittingWriter<K, V> writer) {
      this.writer = writer;
    }

    @Override
    public void write(
        @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers)
        throws Exception {
      watch.output();
      writer.write(key, value, timestampMillis, headers);
    }

    @Override
    public List<Committable> prepare(long checkpoint) throws Exception {
      return writer.prepare(checkpoint);
    }

    @Override
    public CommitResult commit(Committable committable) throws Exception {
      return writer.commit(committable);
    }

    @Override
    public void close() throws Exception {
      writer.close();
    }
  }
}
