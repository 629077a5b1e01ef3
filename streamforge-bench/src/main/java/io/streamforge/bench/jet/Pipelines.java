package io.streamforge.bench.jet;

import com.hazelcast.jet.Traversers;
import com.hazelcast.jet.aggregate.AggregateOperations;
import com.hazelcast.jet.datamodel.KeyedWindowResult;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.WindowDefinition;
import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;
import java.util.function.LongFunction;

/** Makes the pipeline of a workload. */
final class Pipelines {
  private Pipelines() {}

  static Pipeline of(Workload workload) {
    Shape shape = workload.shape();
    if (shape instanceof Shape.Stateless) {
      return stateless();
    }
    if (shape instanceof Shape.RunningCount count) {
      return count.byName() ? countByName(workload.id()) : runningCount(workload.id());
    }
    if (shape instanceof Shape.TimeWindows windows) {
      return windowed(
          workload, WindowDefinition.sliding(windows.sizeMillis(), windows.slideMillis()));
    }
    if (shape instanceof Shape.Sessions sessions) {
      return windowed(workload, WindowDefinition.session(sessions.gapMillis()));
    }
    throw new IllegalArgumentException("no pipeline for " + shape);
  }

  private static Pipeline stateless() {
    Pipeline pipeline = Pipeline.create();
    pipeline
        .readFrom(IndexProcessor.<Long>batch(() -> Input::number))
        .map(number -> number * 3)
        .filter(number -> number >= 0)
        .map(number -> number ^ number >>> 17)
        .flatMap(number -> Traversers.traverseItems(number, number + 1))
        .writeTo(ChecksumProcessor.<Long>sink(Mix::of));
    return pipeline;
  }

  private static LongFunction<Click> clicks(String workload) {
    Input input = Workload.of(workload).input();
    return index -> Click.of(input, index);
  }

  private static Pipeline runningCount(String workload) {
    Pipeline pipeline = Pipeline.create();
    pipeline
        .readFrom(IndexProcessor.batch(() -> clicks(workload)))
        .groupingKey(Click::user)
        .rollingAggregate(AggregateOperations.counting())
        .writeTo(ChecksumProcessor.sink(update -> Mix.of(update.getKey(), update.getValue())));
    return pipeline;
  }

  private static Pipeline countByName(String workload) {
    Pipeline pipeline = Pipeline.create();
    pipeline
        .readFrom(IndexProcessor.batch(() -> clicks(workload)))
        .groupingKey(click -> Input.name(click.user()))
        .rollingAggregate(AggregateOperations.counting())
        .writeTo(ChecksumProcessor.sink(update -> Mix.count(update.getKey(), update.getValue())));
    return pipeline;
  }

  private static Pipeline windowed(Workload workload, WindowDefinition window) {
    String id = workload.id();
    Pipeline pipeline = Pipeline.create();
    pipeline
        .readFrom(IndexProcessor.stream(id, () -> clicks(id)))
        .withNativeTimestamps(workload.input().times().outOfOrderMillis())
        .groupingKey(Click::user)
        .window(window)
        .aggregate(CountAndSum.aggregate())
        .writeTo(
            workload.measure() == Measure.LATENCY
                ? ChecksumProcessor.sink(Pipelines::timed)
                : ChecksumProcessor.sink(Pipelines::hash));
    return pipeline;
  }

  private static long timed(KeyedWindowResult<Long, CountAndSum> result) {
    Feed.current().windowResult(result.start());
    return hash(result);
  }

  private static long hash(KeyedWindowResult<Long, CountAndSum> result) {
    CountAndSum value = result.result();
    return Mix.window(result.key(), result.start(), value.count, value.sum);
  }
}
