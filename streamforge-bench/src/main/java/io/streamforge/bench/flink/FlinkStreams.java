package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Input;
import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Mix;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** Makes the streams of a workload. */
final class FlinkStreams {
  private static final TypeInformation<Tuple2<Long, Long>> CLICK =
      Types.TUPLE(Types.LONG, Types.LONG);

  private FlinkStreams() {}

  static void build(StreamExecutionEnvironment environment, Workload workload) {
    Shape shape = workload.shape();
    if (shape instanceof Shape.Stateless) {
      stateless(environment);
    } else if (shape instanceof Shape.RunningCount count) {
      if (count.byName()) {
        countByName(environment, workload.id());
      } else {
        runningCount(environment, workload.id());
      }
    } else if (shape instanceof Shape.CheckpointedCount) {
      runningCount(environment, workload.id());
    } else if (shape instanceof Shape.LatestText texts) {
      latestText(environment, workload.id(), texts.length());
    } else if (shape instanceof Shape.TimeWindows windows) {
      windowed(environment, workload, assigner(windows));
    } else if (shape instanceof Shape.Sessions sessions) {
      windowed(
          environment,
          workload,
          EventTimeSessionWindows.withGap(Duration.ofMillis(sessions.gapMillis())));
    } else {
      throw new IllegalArgumentException("no job for " + shape);
    }
  }

  private static void stateless(StreamExecutionEnvironment environment) {
    environment
        .fromSource(
            new IndexSource<>(() -> Input::number, () -> index -> index),
            WatermarkStrategy.noWatermarks(),
            "numbers",
            Types.LONG)
        .map(number -> number * 3)
        .returns(Types.LONG)
        .filter(number -> number >= 0)
        .map(number -> number ^ number >>> 17)
        .returns(Types.LONG)
        .<Long>flatMap(
            (number, collector) -> {
              collector.collect(number);
              collector.collect(number + 1);
            })
        .returns(Types.LONG)
        .sinkTo(new ChecksumSink<>(Mix::of));
  }

  private static DataStream<Tuple2<Long, Long>> clicks(
      StreamExecutionEnvironment environment,
      String workload,
      WatermarkStrategy<Tuple2<Long, Long>> watermarks) {
    return environment.fromSource(
        new IndexSource<>(
            () -> {
              Input input = Workload.of(workload).input();
              Tuple2<Long, Long> click = new Tuple2<>();
              return index -> {
                click.setFields(input.user(index), Input.amount(index));
                return click;
              };
            },
            () -> Workload.of(workload).input()::timestamp),
        watermarks,
        "clicks",
        CLICK);
  }

  private static void runningCount(StreamExecutionEnvironment environment, String workload) {
    clicks(environment, workload, WatermarkStrategy.noWatermarks())
        .keyBy(click -> click.f0, Types.LONG)
        .process(new RunningCount<>(), CLICK)
        .sinkTo(new ChecksumSink<>(update -> Mix.of(update.f0, update.f1)));
  }

  private static void countByName(StreamExecutionEnvironment environment, String workload) {
    TypeInformation<Tuple2<String, Long>> type = Types.TUPLE(Types.STRING, Types.LONG);
    environment
        .fromSource(
            new IndexSource<>(
                () -> {
                  Input input = Workload.of(workload).input();
                  Tuple2<String, Long> click = new Tuple2<>();
                  return index -> {
                    click.setFields(Input.name(input.user(index)), Input.amount(index));
                    return click;
                  };
                },
                () -> index -> index),
            WatermarkStrategy.noWatermarks(),
            "clicks",
            type)
        .keyBy(click -> click.f0, Types.STRING)
        .process(new RunningCount<>(), type)
        .sinkTo(new ChecksumSink<>(update -> Mix.count(update.f0, update.f1)));
  }

  private static void latestText(
      StreamExecutionEnvironment environment, String workload, int length) {
    TypeInformation<Tuple2<Long, String>> type = Types.TUPLE(Types.LONG, Types.STRING);
    environment
        .fromSource(
            new IndexSource<>(
                () -> {
                  Input input = Workload.of(workload).input();
                  Tuple2<Long, String> text = new Tuple2<>();
                  return index -> {
                    long user = input.user(index);
                    text.setFields(user, Input.text(user, length));
                    return text;
                  };
                },
                () -> index -> index),
            WatermarkStrategy.noWatermarks(),
            "clicks",
            type)
        .keyBy(text -> text.f0, Types.LONG)
        .process(new LatestText(), type)
        .sinkTo(new ChecksumSink<>(text -> Mix.of(text.f0, text.f1.hashCode())));
  }

  private static WindowAssigner<Object, TimeWindow> assigner(Shape.TimeWindows windows) {
    Duration size = Duration.ofMillis(windows.sizeMillis());
    return windows.sizeMillis() == windows.slideMillis()
        ? TumblingEventTimeWindows.of(size)
        : SlidingEventTimeWindows.of(size, Duration.ofMillis(windows.slideMillis()));
  }

  private static void windowed(
      StreamExecutionEnvironment environment,
      Workload workload,
      WindowAssigner<Object, TimeWindow> assigner) {
    Duration outOfOrder = Duration.ofMillis(workload.input().times().outOfOrderMillis());
    clicks(
            environment,
            workload.id(),
            WatermarkStrategy.<Tuple2<Long, Long>>forBoundedOutOfOrderness(outOfOrder))
        .keyBy(click -> click.f0, Types.LONG)
        .window(assigner)
        .aggregate(
            new CountAndSum.Aggregate(),
            new CountAndSum.ToResult(),
            CountAndSum.TYPE,
            CountAndSum.Result.TYPE)
        .sinkTo(
            workload.measure() == Measure.LATENCY
                ? new ChecksumSink<>(CountAndSum.Result::timedHash)
                : new ChecksumSink<>(CountAndSum.Result::hash));
  }
}
