package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sources;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jobs whose checkpoints do not wait: what they go on from, and at which parallelism. */
class UnalignedCheckpointTest {
  private static final int KEYS = 7;
  private static final int RECORDS = 300;

  private final VirtualClock clock = new VirtualClock(0);
  private final SimulatedStorage storage = new SimulatedStorage(1, clock);
  private final MarkedSink<String, Long> sink = new MarkedSink<>();
  private long token;

  private static final class Running {
    final SimulatedStorage.Connection connection;
    final SteppedScheduler scheduler;
    final JobRuntime job;

    Running(SimulatedStorage.Connection connection, SteppedScheduler scheduler, JobRuntime job) {
      this.connection = connection;
      this.scheduler = scheduler;
      this.job = job;
    }

    CheckpointMetrics checkpoints() {
      return Objects.requireNonNull(job.metrics().checkpoints());
    }
  }

  private static ReplayedSource numbers() {
    List<List<Record<Object, Object>>> partitions = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      List<Record<Object, Object>> partition = new ArrayList<>();
      for (int i = p; i < RECORDS; i += 3) {
        partition.add(new Record<>("k" + i % KEYS, i, i * 10L, null));
      }
      partitions.add(partition);
    }
    return new ReplayedSource(Sources.collection(List.of(Record.of("k", 1, 0))), partitions, false);
  }

  /** A count behind a node that keeps no state and is not keyed. */
  private static Topology counting(MarkedSink<String, Long> sink) {
    return Topology.builder("counting")
        .source("in", numbers(), WatermarkStrategy.none())
        .typed(Object.class, Object.class)
        .map("typed", (k, v) -> KeyValue.of((String) k, (Integer) v))
        .typed(String.class, Integer.class)
        .rebalance("spread")
        .mapValues("negative", v -> -v)
        .groupByKey("keys")
        .count("count")
        .sink("out", sink)
        .build();
  }

  private static List<String> counts() {
    List<String> counts = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      counts.add("k" + i % KEYS + "=" + (i / KEYS + 1));
    }
    return counts;
  }

  private List<String> shown() {
    return sink.records().stream().map(r -> r.key() + "=" + r.value()).toList();
  }

  private Running start(
      Topology topology, int parallelism, UnaryOperator<CheckpointConfig> alignment) {
    return start(topology, parallelism, alignment, storage, null);
  }

  private Running start(
      Topology topology,
      int parallelism,
      UnaryOperator<CheckpointConfig> alignment,
      SimulatedStorage in,
      @Nullable CheckpointLog from) {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(parallelism)
            .workers(1)
            .keyGroups(16)
            .batchSize(2)
            .stepBudget(2)
            .specialise(false)
            .checkpoints(
                alignment.apply(CheckpointConfig.at("simulated").every(Duration.ofMillis(5))))
            .build();
    SimulatedStorage.Connection connection = in.connect();
    SteppedScheduler scheduler = new SteppedScheduler(clock, ++token);
    return new Running(
        connection,
        scheduler,
        JobRuntime.start(
            Planner.plan(topology.graph(), parallelism, 16),
            config,
            new CheckpointPlace(
                CheckpointLog.open(connection, topology.name()),
                () -> ++token,
                "start " + token,
                from),
            scheduler,
            RuntimeHooks.NONE));
  }

  private void run(Running running, BooleanSupplier until) {
    for (int i = 0; running.job.status() == JobStatus.RUNNING && !until.getAsBoolean(); i++) {
      if (!running.scheduler.step()) {
        long next = running.scheduler.nextDeadlineNanos();
        clock.advance(Duration.ofNanos(Math.max(1, next - clock.monotonicNanos())));
      } else if (i % 20 == 0) {
        clock.advance(Duration.ofMillis(1));
      }
    }
  }

  /** Dies as soon as a checkpoint has been published that has records in flight. */
  private void runIntoCheckpointInFlight(Running running) {
    run(running, () -> running.checkpoints().inFlightBytes() > 0);
    assertThat(running.checkpoints().inFlightBytes()).as("records in flight").isPositive();
    running.connection.kill();
  }

  private static CheckpointConfig atOnce(CheckpointConfig config) {
    return config.unalignedAfter(Duration.ZERO);
  }

  /** C05: unaligned, at another parallelism, with a node that keeps no state in the middle. */
  @Test
  void c05RecordsInFlightGoToTheTasksThatHaveTheirKeysAtAnotherParallelism() {
    Topology topology = counting(sink);
    runIntoCheckpointInFlight(start(topology, 4, UnalignedCheckpointTest::atOnce));
    Running fewer = start(topology, 2, UnalignedCheckpointTest::atOnce);
    assertThat(fewer.job.restoredFrom()).isPositive();
    runIntoCheckpointInFlight(fewer);
    Running more = start(topology, 3, UnalignedCheckpointTest::atOnce);
    assertThat(more.job.restoredFrom()).isPositive();
    run(more, () -> false);

    assertThat(more.job.status()).isEqualTo(JobStatus.FINISHED);
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void recordsInFlightAreProcessedWhenCheckpointsAreAlignedAgain() {
    Topology topology = counting(sink);
    runIntoCheckpointInFlight(start(topology, 2, UnalignedCheckpointTest::atOnce));
    Running aligned = start(topology, 2, CheckpointConfig::aligned);
    run(aligned, () -> aligned.checkpoints().published() > 0);

    assertThat(aligned.checkpoints().inFlightBytes()).isZero();
    run(aligned, () -> false);
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void checkpointThatIsCompleteBeforeTheDelayOvertakesNothing() {
    Running running =
        start(counting(sink), 2, config -> config.unalignedAfter(Duration.ofHours(1)));
    run(running, () -> running.checkpoints().inFlightBytes() > 0);

    assertThat(running.job.status()).isEqualTo(JobStatus.FINISHED);
    assertThat(running.checkpoints().published()).isGreaterThan(3);
  }

  @Test
  void savepointIsAlignedWhateverCheckpointsAre() throws Exception {
    SimulatedStorage target = new SimulatedStorage(2, clock);
    Topology topology = counting(sink);
    Running running = start(topology, 2, UnalignedCheckpointTest::atOnce);
    run(running, () -> running.checkpoints().inFlightBytes() > 0);
    CheckpointLog log = CheckpointLog.open(target.connect(), topology.name());
    CompletableFuture<Long> savepoint =
        running.job.savepoint(new CheckpointPlace(log, () -> ++token, "savepoint"), false);
    run(running, savepoint::isDone);

    assertThat(savepoint).isCompleted();
    Manifest manifest =
        Objects.requireNonNull(
                CheckpointLog.openExisting(target.connect()).read().usable().checkpoint())
            .manifest();
    assertThat(manifest.nodes()).flatExtracting(Manifest.NodePart::inFlight).isEmpty();
    run(running, () -> false);
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void tasksAtDifferentEventTimesAreRestoredAtTheSameParallelismOnly() {
    Topology topology =
        Topology.builder("windows")
            .source("in", numbers(), WatermarkStrategy.boundedOutOfOrderness(Duration.ZERO))
            .typed(Object.class, Object.class)
            .map("typed", (k, v) -> KeyValue.of((String) k, (Integer) v))
            .typed(String.class, Integer.class)
            .groupByKey("keys")
            .window(Windows.tumbling(Duration.ofMillis(100)))
            .count("count")
            .mapValues("counted", w -> w.value())
            .sink("out", sink)
            .build();
    Running running = start(topology, 4, UnalignedCheckpointTest::atOnce);
    run(
        running,
        () -> running.checkpoints().inFlightBytes() > 0 && timesDiffer(running.checkpoints()));
    running.connection.kill();

    assertThatThrownBy(() -> start(topology, 2, CheckpointConfig::aligned))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("different event times")
        .hasMessageContaining("Start with parallelism 4 and 16 key groups")
        .hasMessageContaining("take a savepoint, which is aligned");
    Running same = start(topology, 4, CheckpointConfig::aligned);
    assertThat(same.job.restoredFrom()).isPositive();
    run(same, () -> false);
    assertThat(same.job.status()).isEqualTo(JobStatus.FINISHED);
    assertThat(sink.records()).extracting(Record::value).hasSize(RECORDS * 10 / 100 * KEYS);
  }

  private boolean timesDiffer(CheckpointMetrics checkpoints) {
    try {
      return CheckpointLog.openExisting(storage.connect()).read().published().stream()
          .filter(published -> published.number() == checkpoints.lastNumber())
          .flatMap(published -> published.manifest().nodes().stream())
          .anyMatch(
              node ->
                  node.times().stream().map(Manifest.GroupTime::firedUpToMillis).distinct().count()
                      > 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void typesThatCannotBeWrittenAreNamedBeforeAnythingIsRead() {
    Topology topology =
        Topology.builder("untyped")
            .source("in", numbers())
            .typed(Object.class, Object.class)
            .map("objects", (k, v) -> KeyValue.of((Object) k, (Object) v))
            .rebalance("spread")
            .sink("out", new MarkedSink<>())
            .build();

    assertThatThrownBy(() -> start(topology, 2, UnalignedCheckpointTest::atOnce))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .hasMessageContaining("records on their way between tasks cannot be part of a checkpoint:")
        .hasMessageContaining("keys of 'spread': ")
        .hasMessageContaining("values of 'spread': ");
    Running aligned = start(topology, 2, CheckpointConfig::aligned);
    assertThat(aligned.job.status()).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void atLeastOnceNothingIsLostWhateverIsReadAgain() {
    Topology topology = counting(sink);
    Running first = start(topology, 3, CheckpointConfig::atLeastOnce);
    run(first, () -> first.checkpoints().published() > 2);
    first.connection.kill();
    Running again = start(topology, 3, CheckpointConfig::atLeastOnce);
    assertThat(again.job.restoredFrom()).isPositive();
    run(again, () -> false);

    assertThat(again.job.status()).isEqualTo(JobStatus.FINISHED);
    assertThat(shown()).containsAll(counts());
  }

  /** Where a checkpoint would have counted records behind its barriers, a savepoint does not. */
  @Test
  void atLeastOnceSavepointIsExact() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedStorage source = new SimulatedStorage(seed, clock);
      SimulatedStorage target = new SimulatedStorage(seed, clock);
      Topology topology = counting(sink);
      Running running = start(topology, 3, CheckpointConfig::atLeastOnce, source, null);
      run(running, () -> running.checkpoints().published() > 0);
      CheckpointLog log = CheckpointLog.open(target.connect(), topology.name());
      CompletableFuture<Long> savepoint =
          running.job.savepoint(new CheckpointPlace(log, () -> ++token, "savepoint"), false);
      run(running, savepoint::isDone);
      assertThat(savepoint).isCompleted();

      running.connection.kill();
      MarkedSink<String, Long> elsewhere = new MarkedSink<>();
      Running again =
          start(
              counting(elsewhere),
              3,
              CheckpointConfig::atLeastOnce,
              new SimulatedStorage(seed, clock),
              CheckpointLog.openExisting(target.connect()));
      assertThat(again.job.restoredFrom()).isPositive();
      run(again, () -> false);
      assertThat(again.job.status()).isEqualTo(JobStatus.FINISHED);
      assertThat(elsewhere.records())
          .as("seed %d", seed)
          .allMatch(count -> count.value() <= (RECORDS + KEYS - 1) / KEYS);
    }
  }
}
