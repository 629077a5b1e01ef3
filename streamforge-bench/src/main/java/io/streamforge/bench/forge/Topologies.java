package io.streamforge.bench.forge;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;
import io.streamforge.function.Aggregates;
import io.streamforge.record.KeyValue;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;

/** Makes the topology of a workload. */
final class Topologies {
  /** Name of the source of the keyed workloads. */
  static final String CLICKS = "clicks";

  private Topologies() {}

  static Topology of(Workload workload) {
    String name = workload.id();
    Shape shape = workload.shape();
    Input input = workload.input();
    if (shape instanceof Shape.Stateless) {
      return stateless(name);
    }
    if (shape instanceof Shape.Chain chain) {
      return chain(name, chain.length());
    }
    if (shape instanceof Shape.CachedStateless) {
      return CachedStateless.topology(name);
    }
    if (shape instanceof Shape.Exchange) {
      return exchange(name, input);
    }
    if (shape instanceof Shape.RunningCount count) {
      return count.byName() ? countByName(name, input) : runningCount(name, input);
    }
    if (shape instanceof Shape.CheckpointedCount) {
      CommittedChecksumSink<Long, Long> sink =
          new CommittedChecksumSink<>((user, count) -> Mix.of(user, count));
      return counts(name, input)
          .sink("checksum", workload.measure() == Measure.STALL ? new WatchedSink<>(sink) : sink)
          .build();
    }
    if (shape instanceof Shape.LatestText latest) {
      return latestText(name, input, latest.length());
    }
    if (shape instanceof Shape.ThrottledCount throttled) {
      return counts(name, input)
          .sink("throttled", new ThrottledSink<>(throttled.recordsPerSecond()))
          .build();
    }
    if (shape instanceof Shape.TimeWindows windows) {
      return windowed(
          workload,
          Windows.sliding(
              Duration.ofMillis(windows.sizeMillis()), Duration.ofMillis(windows.slideMillis())));
    }
    if (shape instanceof Shape.Sessions sessions) {
      return windowed(workload, Windows.session(Duration.ofMillis(sessions.gapMillis())));
    }
    throw new IllegalArgumentException("no topology for " + shape);
  }

  private static Topology stateless(String name) {
    return Topology.builder(name)
        .source("numbers", new IndexSource<>(Long.class, Input::number, index -> index))
        .mapValues("tripled", number -> number * 3)
        .filter("positive", (key, number) -> number >= 0)
        .mapValues("folded", number -> number ^ number >>> 17)
        .<Long>flatMapValuesTo(
            "doubled",
            (number, output) -> {
              output.emit(number);
              output.emit(number + 1);
            })
        .sink("checksum", new ChecksumSink<Void, Long>((key, number) -> Mix.of(number)))
        .build();
  }

  private static Topology chain(String name, int length) {
    Stream<Void, Long> stream =
        Topology.builder(name)
            .source("numbers", new IndexSource<>(Long.class, Input::number, index -> index));
    for (int i = 0; i < length; i += 2) {
      long step = i;
      stream =
          stream
              .mapValues("map-" + i, number -> number * 3 + step)
              .filter("filter-" + i, (key, number) -> number != step);
    }
    return stream
        .sink("checksum", new ChecksumSink<Void, Long>((key, number) -> Mix.of(number)))
        .build();
  }

  private static Stream<Void, Click> clicks(String name, Input input) {
    return Topology.builder(name)
        .source(
            CLICKS,
            new IndexSource<>(Click.class, index -> Click.of(input, index), index -> index));
  }

  private static Stream<Long, Long> counts(String name, Input input) {
    return clicks(name, input).groupBy("by-user", (key, click) -> click.user()).count("count");
  }

  private static Topology exchange(String name, Input input) {
    return clicks(name, input)
        .groupBy("by-user", (key, click) -> click.user())
        .process("pass", Pass::new)
        .sink("checksum", new ChecksumSink<Long, Long>(Mix::of))
        .build();
  }

  private static Topology countByName(String name, Input input) {
    return clicks(name, input)
        .groupBy("by-name", (key, click) -> Input.name(click.user()))
        .count("count")
        .sink("checksum", new ChecksumSink<String, Long>(Mix::count))
        .build();
  }

  private static Topology latestText(String name, Input input, int length) {
    return clicks(name, input)
        .map("text", (key, click) -> KeyValue.of(click.user(), Input.text(click.user(), length)))
        .typed(Long.class, String.class)
        .groupByKey("by-user")
        .reduce("latest", Input::latest)
        .sink(
            "checksum",
            new ChecksumSink<Long, String>((user, text) -> Mix.of(user, text.hashCode())))
        .build();
  }

  private static Topology runningCount(String name, Input input) {
    return counts(name, input)
        .sink("checksum", new ChecksumSink<Long, Long>((user, count) -> Mix.of(user, count)))
        .build();
  }

  private static Topology windowed(Workload workload, Windows windows) {
    Input input = workload.input();
    return Topology.builder(workload.id())
        .source(
            CLICKS,
            new IndexSource<>(Click.class, index -> Click.of(input, index), input::timestamp),
            WatermarkStrategy.boundedOutOfOrderness(
                Duration.ofMillis(input.times().outOfOrderMillis())))
        .groupBy("by-user", (key, click) -> click.user())
        .window(windows)
        .aggregate(
            "count-and-sum",
            Aggregates.<Click, Long, Long, CountAndSum>both(
                Aggregates.count(), Aggregates.sum(Click::amount), CountAndSum::new))
        .sink(
            "checksum",
            new ChecksumSink<Long, Windowed<CountAndSum>>(
                workload.measure() == Measure.LATENCY ? Topologies::timed : Topologies::hash))
        .build();
  }

  private static long timed(Long user, Windowed<CountAndSum> result) {
    Feed.current().windowResult(result.startMillis());
    return hash(user, result);
  }

  private static long hash(Long user, Windowed<CountAndSum> result) {
    CountAndSum value = result.value();
    if (value == null) {
      throw new IllegalStateException("a window was taken back, but no record is late");
    }
    return Mix.window(user, result.startMillis(), value.count(), value.sum());
  }
}
