package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.plan.Planner;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.time.WatermarkStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a batch that is not full is sent, and what a full one does not wait for. */
class FlushTest {
  private static final Duration NEVER = Duration.ofMinutes(1);
  private static final Duration DELAY = Duration.ofMillis(5);
  private static final long NO_TIMESTAMP = RecordOutput.NO_TIMESTAMP;

  private final VirtualClock clock = new VirtualClock(0);
  private final SteppedScheduler scheduler = new SteppedScheduler(clock, 7);
  private final List<Integer> arrived = new ArrayList<>();
  private JobRuntime job;
  private int read;

  @AfterEach
  void close() {
    job.close();
  }

  private static TopologyBuilder builder() {
    return Topology.builder("flush");
  }

  private void start(TestSources.Read reading, int batchSize, Duration maxBatchDelay) {
    start(reading, WatermarkStrategy.none(), batchSize, maxBatchDelay);
  }

  private void start(
      TestSources.Read reading,
      WatermarkStrategy<String, Integer> strategy,
      int batchSize,
      Duration maxBatchDelay) {
    TopologyBuilder builder = builder();
    builder
        .source("in", new TestSources.Reading(false, reading), strategy)
        .typed(String.class, Integer.class)
        .rebalance("spread")
        .peek("seen", (key, value) -> arrived.add(value))
        .sink("out", Sinks.none());
    start(builder.build(), batchSize, maxBatchDelay);
  }

  private void start(Topology topology, int batchSize, Duration maxBatchDelay) {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .workers(1)
            .keyGroups(16)
            .batchSize(batchSize)
            .maxBatchDelay(maxBatchDelay)
            .build();
    job =
        JobRuntime.start(
            Planner.plan(topology.graph(), 1, 16), config, scheduler, RuntimeHooks.NONE);
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      scheduler.step();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8})
  void fullBatchWaitsForNothing(int batchSize) {
    start(
        output -> {
          output.emit(0, "k", read++, NO_TIMESTAMP, null, read);
          return ReadStatus.MORE;
        },
        batchSize,
        NEVER);

    for (int i = 0; i < 1_000; i++) {
      scheduler.step();
      assertThat(arrived.size() % batchSize).isZero();
    }

    assertThat(arrived).hasSizeGreaterThan(100);
  }

  @Test
  void batchIsSentWhenInputRunsDry() {
    start(
        output -> {
          if (read == 3) {
            return ReadStatus.WAITING;
          }
          output.emit(0, "k", read++, NO_TIMESTAMP, null, read);
          return ReadStatus.MORE;
        },
        512,
        NEVER);

    scheduler.runUntilQuiet(1_000);

    assertThat(arrived).containsExactly(0, 1, 2);
    assertThat(clock.monotonicNanos()).isZero();
  }

  @Test
  void batchIsSentWhenItHasWaitedLongEnoughWhileInputGoesOn() {
    start(
        output -> {
          if (read < 3) {
            output.emit(0, "k", read++, NO_TIMESTAMP, null, read);
          }
          return ReadStatus.MORE;
        },
        512,
        DELAY);
    steps(1_000);
    clock.advance(DELAY.minusNanos(1));
    steps(1_000);
    assertThat(arrived).isEmpty();

    clock.advance(Duration.ofNanos(1));
    steps(1_000);

    assertThat(arrived).containsExactly(0, 1, 2);
  }

  @Test
  void batchIsSentWhenItHasWaitedLongEnoughWhileAnOperatorHasWorkInHand() {
    Iterable<Integer> endless = () -> IntStream.iterate(0, i -> i + 1).iterator();
    TopologyBuilder builder = builder();
    builder
        .source(
            "in",
            new TestSources.Reading(
                false,
                output -> {
                  if (read == 0) {
                    output.emit(0, "k", read++, NO_TIMESTAMP, null, read);
                  }
                  return ReadStatus.MORE;
                }),
            WatermarkStrategy.none())
        .typed(String.class, Integer.class)
        .flatMapValues("endless", value -> endless)
        .typed(String.class, Integer.class)
        .filter("first", (key, value) -> value == 0)
        .rebalance("spread")
        .peek("seen", (key, value) -> arrived.add(value))
        .sink("out", Sinks.none());
    start(builder.build(), 512, DELAY);
    steps(1_000);
    assertThat(arrived).isEmpty();

    clock.advance(DELAY);
    steps(100);

    assertThat(arrived).containsExactly(0);
  }

  @Test
  void watermarkGoesBehindTheRecordsBeforeItAndNoLaterThanABatchMayWait() {
    Iterator<Long> watermarks = List.of(100L, 200L).iterator();
    start(
        output -> {
          if (read == 0) {
            output.emit(0, "k", read++, 50, null, read);
            output.watermark(0, watermarks.next());
          } else if (read == 1 && clock.monotonicNanos() >= DELAY.toNanos()) {
            read++;
            output.watermark(0, watermarks.next());
          }
          return ReadStatus.MORE;
        },
        WatermarkStrategy.monotonous(),
        512,
        DELAY);
    steps(1_000);
    assertThat(arrived).isEmpty();
    assertThat(watermarkSeen()).isEqualTo(Long.MIN_VALUE);

    // The batch takes the watermark along.
    clock.advance(DELAY);
    steps(1_000);
    assertThat(arrived).containsExactly(0);
    assertThat(watermarkSeen()).isEqualTo(100);

    // A watermark without a record goes alone.
    clock.advance(DELAY);
    steps(1_000);
    assertThat(watermarkSeen()).isEqualTo(200);
  }

  private long watermarkSeen() {
    return job.metrics().node("seen").watermarkMillis();
  }
}
