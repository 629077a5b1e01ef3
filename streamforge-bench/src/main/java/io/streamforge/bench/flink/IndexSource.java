package io.streamforge.bench.flink;

import java.io.Serializable;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Records made of their index. A reader knows its share of the indexes by its number, so there are
 * no splits to assign.
 */
final class IndexSource<T> implements Source<T, NoSplit, Boolean> {
  private static final long serialVersionUID = 1;

  /** Makes the record of an index; it may return the same object again. */
  @FunctionalInterface
  interface Maker<T> {
    T make(long index);
  }

  /** Gives each reader a maker of its own, in the task. */
  @FunctionalInterface
  interface MakerFactory<T> extends Serializable {
    Maker<T> maker();
  }

  /** Event time of an index. */
  @FunctionalInterface
  interface Clock {
    long millis(long index);
  }

  /** Gives each reader its clock, in the task. */
  @FunctionalInterface
  interface ClockFactory extends Serializable {
    Clock clock();
  }

  private final MakerFactory<T> makers;
  private final ClockFactory clocks;

  IndexSource(MakerFactory<T> makers, ClockFactory clocks) {
    this.makers = makers;
    this.clocks = clocks;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SourceReader<T, NoSplit> createReader(SourceReaderContext context) {
    return new IndexReader<>(
        context.getIndexOfSubtask(), context.currentParallelism(), makers.maker(), clocks.clock());
  }

  @Override
  public SplitEnumerator<NoSplit, Boolean> createEnumerator(
      SplitEnumeratorContext<NoSplit> context) {
    return new NoSplit.Enumerator();
  }

  @Override
  public SplitEnumerator<NoSplit, Boolean> restoreEnumerator(
      SplitEnumeratorContext<NoSplit> context, Boolean checkpoint) {
    return new NoSplit.Enumerator();
  }

  @Override
  public SimpleVersionedSerializer<NoSplit> getSplitSerializer() {
    return new NoSplit.Serializer<>(new NoSplit());
  }

  @Override
  public SimpleVersionedSerializer<Boolean> getEnumeratorCheckpointSerializer() {
    return new NoSplit.Serializer<>(true);
  }
}
