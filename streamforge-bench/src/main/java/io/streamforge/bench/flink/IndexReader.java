package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Chunks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/**
 * Emits several records a call: one, as most readers do, would measure the loop around the reader.
 */
final class IndexReader<T> implements SourceReader<T, Position> {
  private static final int RECORDS_PER_CALL = 128;

  /** Asked for only after {@link InputStatus#NOTHING_AVAILABLE}, and at the start. */
  private static final Executor IN_A_MILLISECOND =
      CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run);

  private final Chunks chunks;
  private final int reader;
  private final int stride;
  private final IndexSource.Maker<T> maker;
  private final IndexSource.Clock clock;
  private long index;

  IndexReader(int first, int stride, IndexSource.Maker<T> maker, IndexSource.Clock clock) {
    this.chunks = new Chunks(first, stride);
    this.reader = first;
    this.stride = stride;
    this.maker = maker;
    this.clock = clock;
    this.index = first;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) {
    if (index >= chunks.to() && !chunks.advance()) {
      return InputStatus.END_OF_INPUT;
    }
    if (chunks.from() == chunks.to()) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    long end = Math.min(chunks.to(), index + (long) RECORDS_PER_CALL * stride);
    for (long at = index; at < end; at += stride) {
      output.collect(maker.make(at), clock.millis(at));
    }
    index = end;
    return InputStatus.MORE_AVAILABLE;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return CompletableFuture.runAsync(() -> {}, IN_A_MILLISECOND);
  }

  @Override
  public void start() {}

  @Override
  public List<Position> snapshotState(long checkpoint) {
    return List.of(new Position(reader, index));
  }

  @Override
  public void addSplits(List<Position> splits) {
    for (Position restored : splits) {
      if (restored.reader() != reader) {
        throw new IllegalStateException(restored + " came to reader " + reader);
      }
      chunks.goOn(restored.index());
      index = restored.index();
    }
  }

  @Override
  public void notifyNoMoreSplits() {}

  @Override
  public void close() {}
}
