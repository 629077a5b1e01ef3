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
final class IndexSource<T> implements Source<T, Position, Boolean> {
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
  public SourceReader<T, Position> createReader(SourceReaderContext context) {
    return new IndexReader<>(
        context.getIndexOfSubtask(), context.currentParallelism(), makers.maker(), clocks.clock());
  }

  @Override
  public SplitEnumerator<Position, Boolean> createEnumerator(
      SplitEnumeratorContext<Position> context) {
    return new Position.Enumerator();
  }

  @Override
  public SplitEnumerator<Position, Boolean> restoreEnumerator(
      SplitEnumeratorContext<Position> context, Boolean checkpoint) {
    return new Position.Enumerator();
  }

  @Override
  public SimpleVersionedSerializer<Position> getSplitSerializer() {
    return new Position.Serializer();
  }

  @Override
  public SimpleVersionedSerializer<Boolean> getEnumeratorCheckpointSerializer() {
    return new Position.NoStateSerializer();
  }
}
