package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.metrics.TaskMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.record.Headers;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Endless sources before slow receivers: what is under way, and what comes out. */
class FlowControlTest {
  private static final long SECOND = 1_000_000_000L;

  /** What a step of a task takes. */
  private static final Duration STEP = Duration.ofNanos(2_000);

  private final VirtualClock clock = new VirtualClock(0);
  private final SteppedScheduler scheduler = new SteppedScheduler(clock, 1);
  private long made;
  private long written;

  /** A sink that takes its time for each record, in which the other tasks go on. */
  private final class SlowSink<K, V> implements Sink<K, V> {
    private final long nanosPerRecord;

    SlowSink(long recordsPerSecond) {
      nanosPerRecord = SECOND / recordsPerSecond;
    }

    @Override
    public SinkWriter<K, V> writer(SinkContext context) {
      return new SinkWriter<>() {
        @Override
        public void write(
            @Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers) {
          waitUntil(clock.monotonicNanos() + nanosPerRecord);
          written++;
        }
      };
    }

    @Override
    public String describe() {
      return "slow";
    }
  }

  private void waitUntil(long nanos) {
    while (nanos - clock.monotonicNanos() > STEP.toNanos() && scheduler.step()) {
      clock.advance(STEP);
    }
    clock.advance(Duration.ofNanos(Math.max(0, nanos - clock.monotonicNanos())));
  }

  private JobRuntime start(Topology topology, EngineConfig config) {
    return JobRuntime.start(
        Planner.plan(topology.graph(), config.parallelism(), config.keyGroups()),
        config.validate(),
        scheduler,
        RuntimeHooks.NONE);
  }

  private void run(Duration duration) {
    long end = clock.monotonicNanos() + duration.toNanos();
    while (clock.monotonicNanos() < end && scheduler.step()) {
      clock.advance(STEP);
    }
  }

  private static EngineConfig config() {
    return EngineConfig.builder().parallelism(1).workers(1).keyGroups(16).build();
  }

  private static long bound(long rate) {
    // 1.5 times what is drained within 50 ms, at least a record in each of two batches, and the
    // record that has found no room.
    return Math.max(2, rate * 75 / 1_000) + 1;
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 1_000, 30_000, 100_000})
  void slowSinkIsKeptBusyWithFewRecordsUnderWay(long rate) {
    TopologyBuilder builder = Topology.builder("slow-sink");
    builder
        .source("in", Sources.generator((index, random) -> ++made))
        .sink("out", new SlowSink<>(rate));
    JobRuntime job = start(builder.build(), config());
    run(Duration.ofSeconds(2));

    long before = written;
    long begin = clock.monotonicNanos();
    long most = 0;
    while (clock.monotonicNanos() - begin < SECOND) {
      run(Duration.ofMillis(5));
      most = Math.max(most, made - written);
    }
    double elapsed = (clock.monotonicNanos() - begin) / 1e9;
    TaskMetrics source = job.metrics().tasks().get(0);
    job.close();

    assertThat(source.pace()).isBetween(0.95 * rate, 1.05 * rate);
    assertThat(source.blockedShare()).isGreaterThan(0.8);
    assertThat(source.busyShare() + source.blockedShare() + source.idleShare())
        .isBetween(0.99, 1.01);
    assertThat(most).isLessThanOrEqualTo(bound(rate));
    assertThat((written - before) / elapsed).isGreaterThanOrEqualTo(0.97 * rate);
  }

  @ParameterizedTest
  @CsvSource({"1000, 1", "100000, 1", "100000, 2"})
  void everyChannelOnTheWayToASlowSinkIsBounded(long rate, int parallelism) {
    TopologyBuilder builder = Topology.builder("slow-count");
    builder
        .source("in", Sources.generator((index, random) -> ++made))
        .groupBy("by-key", (key, value) -> value % 1_000)
        .count("count")
        .sink("out", new SlowSink<>(rate));
    JobRuntime job = start(builder.build(), config().toBuilder().parallelism(parallelism).build());
    run(Duration.ofSeconds(3));

    long before = written;
    long begin = clock.monotonicNanos();
    long mostToCount = 0;
    long mostToSink = 0;
    while (clock.monotonicNanos() - begin < SECOND) {
      run(Duration.ofMillis(5));
      JobMetrics metrics = job.metrics();
      mostToCount =
          Math.max(mostToCount, metrics.node("by-key").out() - metrics.node("count").in());
      mostToSink = Math.max(mostToSink, metrics.node("count").out() - written);
    }
    double elapsed = (clock.monotonicNanos() - begin) / 1e9;
    job.close();

    // One sink writes after the other here: together they are as fast as one.
    assertThat(mostToCount).isLessThanOrEqualTo(parallelism * parallelism + bound(rate));
    assertThat(mostToSink).isLessThanOrEqualTo(parallelism + bound(rate));
    assertThat((written - before) / elapsed).isGreaterThanOrEqualTo(0.97 * rate);
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 100_000})
  void slowOperatorBehindAnExchangeIsBounded(long rate) {
    TopologyBuilder builder = Topology.builder("slow-map");
    builder
        .source("in", Sources.generator((index, random) -> ++made))
        .typed(Void.class, Long.class)
        .rebalance("spread")
        .peek(
            "slow",
            (key, value) -> {
              clock.advance(Duration.ofNanos(SECOND / rate));
              written++;
            })
        .sink("out", Sinks.none());
    JobRuntime job = start(builder.build(), config());
    run(Duration.ofSeconds(2));

    long most = 0;
    for (int i = 0; i < 1_000; i++) {
      scheduler.step();
      most = Math.max(most, made - written);
    }
    job.close();

    assertThat(most).isLessThanOrEqualTo(bound(rate));
    assertThat(most).isGreaterThanOrEqualTo(rate / 25);
  }
}
