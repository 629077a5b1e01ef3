package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobStatus;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Jobs whose checkpoints do not wait: what they go on from, and at which parallelism. */
class UnalignedCheckpointTest {
  private static final int KEYS = 7;
  private static final int RECORDS = 300;

  private final SteppedJobs jobs = new SteppedJobs();
  private final MarkedSink<String, Long> sink = new MarkedSink<>();

  /** A count behind a node that keeps no state and is not keyed. */
  private static Topology counting(MarkedSink<String, Long> sink) {
    return Topology.builder("counting")
        .source("in", SteppedJobs.numbers(RECORDS, KEYS), WatermarkStrategy.none())
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

  /** C05: unaligned, at another parallelism, with a node that keeps no state in the middle. */
  @Test
  void c05RecordsInFlightGoToTheTasksThatHaveTheirKeysAtAnotherParallelism() {
    Topology topology = counting(sink);
    jobs.killWithRecordsInFlight(jobs.start(topology, 4, SteppedJobs::atOnce));
    SteppedJobs.Running fewer = jobs.start(topology, 2, SteppedJobs::atOnce);
    assertThat(fewer.job.restoredFrom()).isPositive();
    jobs.killWithRecordsInFlight(fewer);
    SteppedJobs.Running more = jobs.start(topology, 3, SteppedJobs::atOnce);
    assertThat(more.job.restoredFrom()).isPositive();
    jobs.finish(more);
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void recordsInFlightAreProcessedWhenCheckpointsAreAlignedAgain() {
    Topology topology = counting(sink);
    jobs.killWithRecordsInFlight(jobs.start(topology, 2, SteppedJobs::atOnce));
    SteppedJobs.Running aligned = jobs.start(topology, 2, CheckpointConfig::aligned);
    jobs.run(aligned, () -> aligned.checkpoints().published() > 0);

    assertThat(aligned.checkpoints().inFlightBytes()).isZero();
    jobs.finish(aligned);
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void checkpointThatIsCompleteBeforeTheDelayOvertakesNothing() {
    SteppedJobs.Running running =
        jobs.start(counting(sink), 2, config -> config.unalignedAfter(Duration.ofHours(1)));
    jobs.run(running, () -> running.checkpoints().inFlightBytes() > 0);

    assertThat(running.job.status()).isEqualTo(JobStatus.FINISHED);
    assertThat(running.checkpoints().published()).isGreaterThan(3);
  }

  @Test
  void savepointIsAlignedWhateverCheckpointsAre() throws Exception {
    Topology topology = counting(sink);
    SteppedJobs.Running running = jobs.start(topology, 2, SteppedJobs::atOnce);
    jobs.run(running, () -> running.checkpoints().inFlightBytes() > 0);
    CheckpointLog savepoint = jobs.savepoint(running, false);

    Manifest manifest = Objects.requireNonNull(savepoint.read().usable().checkpoint()).manifest();
    assertThat(manifest.nodes()).flatExtracting(Manifest.NodePart::inFlight).isEmpty();
    jobs.finish(running);
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void tasksAtDifferentEventTimesAreRestoredAtTheSameParallelismOnly() {
    Topology topology =
        Topology.builder("windows")
            .source(
                "in",
                SteppedJobs.numbers(RECORDS, KEYS),
                WatermarkStrategy.boundedOutOfOrderness(Duration.ZERO))
            .typed(Object.class, Object.class)
            .map("typed", (k, v) -> KeyValue.of((String) k, (Integer) v))
            .typed(String.class, Integer.class)
            .groupByKey("keys")
            .window(Windows.tumbling(Duration.ofMillis(100)))
            .count("count")
            .mapValues("counted", w -> w.value())
            .sink("out", sink)
            .build();
    SteppedJobs.Running running = jobs.start(topology, 4, SteppedJobs::atOnce);
    jobs.run(
        running,
        () -> running.checkpoints().inFlightBytes() > 0 && timesDiffer(running.checkpoints()));
    running.connection.kill();

    assertThatThrownBy(() -> jobs.start(topology, 2, CheckpointConfig::aligned))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("different event times")
        .hasMessageContaining("Start with parallelism 4 and 16 key groups")
        .hasMessageContaining("take a savepoint, which is aligned");
    SteppedJobs.Running same = jobs.start(topology, 4, CheckpointConfig::aligned);
    assertThat(same.job.restoredFrom()).isPositive();
    jobs.finish(same);
    assertThat(sink.records()).extracting(Record::value).hasSize(RECORDS * 10 / 100 * KEYS);
  }

  private boolean timesDiffer(CheckpointMetrics checkpoints) {
    return SteppedJobs.published(jobs.storage()).stream()
        .filter(published -> published.number() == checkpoints.lastNumber())
        .flatMap(published -> published.manifest().nodes().stream())
        .anyMatch(
            node ->
                node.times().stream().map(Manifest.GroupTime::firedUpToMillis).distinct().count()
                    > 1);
  }

  @Test
  void typesThatCannotBeWrittenAreNamedBeforeAnythingIsRead() {
    Topology topology =
        Topology.builder("untyped")
            .source("in", SteppedJobs.numbers(RECORDS, KEYS))
            .typed(Object.class, Object.class)
            .map("objects", (k, v) -> KeyValue.of((Object) k, (Object) v))
            .rebalance("spread")
            .sink("out", new MarkedSink<>())
            .build();

    assertThatThrownBy(() -> jobs.start(topology, 2, SteppedJobs::atOnce))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .hasMessageContaining("records on their way between tasks cannot be part of a checkpoint:")
        .hasMessageContaining("keys of 'spread': ")
        .hasMessageContaining("values of 'spread': ");
    SteppedJobs.Running aligned = jobs.start(topology, 2, CheckpointConfig::aligned);
    assertThat(aligned.job.status()).isEqualTo(JobStatus.RUNNING);
  }

  @Test
  void atLeastOnceNothingIsLostWhateverIsReadAgain() {
    Topology topology = counting(sink);
    SteppedJobs.Running first = jobs.start(topology, 3, CheckpointConfig::atLeastOnce);
    jobs.run(first, () -> first.checkpoints().published() > 2);
    first.connection.kill();
    SteppedJobs.Running again = jobs.start(topology, 3, CheckpointConfig::atLeastOnce);
    assertThat(again.job.restoredFrom()).isPositive();
    jobs.finish(again);
    assertThat(shown()).containsAll(counts());
  }

  /** Where a checkpoint would have counted records behind its barriers, a savepoint does not. */
  @Test
  void atLeastOnceSavepointIsExact() {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedStorage source = jobs.newStorage(seed);
      Topology topology = counting(sink);
      SteppedJobs.Running running =
          jobs.start(topology, 3, CheckpointConfig::atLeastOnce, source, null);
      jobs.run(running, () -> running.checkpoints().published() > 0);
      CheckpointLog savepoint = jobs.savepoint(running, false);

      running.connection.kill();
      MarkedSink<String, Long> elsewhere = new MarkedSink<>();
      SteppedJobs.Running again =
          jobs.start(
              counting(elsewhere),
              3,
              CheckpointConfig::atLeastOnce,
              jobs.newStorage(seed),
              savepoint);
      assertThat(again.job.restoredFrom()).isPositive();
      jobs.finish(again);
      assertThat(elsewhere.records())
          .as("seed %d", seed)
          .allMatch(count -> count.value() <= (RECORDS + KEYS - 1) / KEYS);
    }
  }
}
