package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobStatus;
import io.streamforge.state.ListState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
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

  /** Keeps the values of each key, and says how many there are. */
  private static final class Keeping implements Processor<String, Integer, String, Long> {
    private ListState<Integer> values;

    @Override
    public void states(StateDeclarations states) {
      values = states.list("values", Integer.class);
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, Long> context) {
      values.add(value);
      context.emit(key, (long) values.get().size());
    }
  }

  /**
   * C06: what each task of a start sees of a checkpoint, splits, writers and records in flight, one
   * of them goes on with; the next checkpoint has it once, and so do lists of keyed state.
   */
  @Test
  void c06WhatAllTasksSeeIsOwnedByOneAndNotMultipliedByFurtherCheckpoints() {
    Topology topology =
        Topology.builder("keeping")
            .source("in", SteppedJobs.numbers(RECORDS, KEYS), WatermarkStrategy.none())
            .typed(Object.class, Object.class)
            .map("typed", (k, v) -> KeyValue.of((String) k, (Integer) v))
            .typed(String.class, Integer.class)
            .rebalance("spread")
            .groupByKey("keys")
            .process("keep", Keeping::new)
            .sink("out", sink)
            .build();
    long read = 0;
    for (int parallelism : new int[] {2, 4, 1, 3}) {
      SteppedJobs.Running running = jobs.start(topology, parallelism, SteppedJobs::atOnce);
      jobs.killWithRecordsInFlight(running);
      Manifest manifest = jobs.newest();

      Manifest.NodePart source = part(manifest, "in");
      assertThat(source.splits())
          .as("splits at parallelism %d", parallelism)
          .extracting(Manifest.SplitPart::id)
          .containsExactly("0", "1", "2");
      long now = source.splits().stream().mapToLong(Manifest.SplitPart::position).sum();
      assertThat(now).as("what has been read").isBetween(read, (long) RECORDS);
      read = now;
      assertThat(part(manifest, "out").writers())
          .as("writers at parallelism %d", parallelism)
          .extracting(Manifest.WriterPart::writer)
          .doesNotHaveDuplicates();
    }
    jobs.finish(jobs.start(topology, 2, SteppedJobs::atOnce));

    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  private static Manifest.NodePart part(Manifest manifest, String node) {
    return manifest.nodes().stream().filter(n -> n.node().equals(node)).findFirst().orElseThrow();
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
  void tasksAtDifferentEventTimesAreRestoredWhereNoGroupHasHadTwo() {
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

    // A tenth of the keys has had two event times, a twelfth has had one.
    assertThatThrownBy(() -> jobs.start(topology, 2, 10, CheckpointConfig::aligned))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining(
            "the tasks of node 'count' had come to different event times, as with idle inputs or"
                + " where it is not aligned: it cannot be restored with this number of key groups")
        .hasMessageContaining("Start with 16 key groups, or a multiple")
        .hasMessageContaining("take a savepoint, which is aligned");
    SteppedJobs.Running fewer = jobs.start(topology, 2, 12, CheckpointConfig::aligned);
    assertThat(fewer.job.restoredFrom()).isPositive();
    jobs.finish(fewer);
    assertThat(sink.records()).extracting(Record::value).hasSize(RECORDS * 10 / 100 * KEYS);
  }

  /** One record becomes many, and all of them have to be sent before the barrier can be. */
  @Test
  void checkpointIsGivenUpWhenMoreIsOnItsWayThanItMayHoldAndTheJobGoesOn() throws Exception {
    int burst = 70_000;
    String kilobyte = "x".repeat(1_000);
    Topology topology =
        Topology.builder("burst")
            .source("in", SteppedJobs.numbers(6, 1), WatermarkStrategy.none())
            .typed(Object.class, Object.class)
            .map("typed", (k, v) -> KeyValue.of((String) k, (Integer) v))
            .typed(String.class, Integer.class)
            .flatMapValues("burst", v -> Collections.nCopies(v == 0 ? burst : 1, kilobyte))
            .typed(String.class, String.class)
            .groupByKey("keys")
            .count("count")
            .sink("out", sink)
            .build();
    SteppedJobs.Running running = jobs.start(topology, 2, SteppedJobs::atOnce);
    jobs.run(running, () -> running.checkpoints().abandoned() > 0);

    assertThat(running.job.status()).isEqualTo(JobStatus.RUNNING);
    assertThat(CheckpointLog.openExisting(jobs.storage().connect()).read().entries())
        .filteredOn(LogEntry.Aborted.class::isInstance)
        .singleElement()
        .asInstanceOf(type(LogEntry.Aborted.class))
        .extracting(LogEntry.Aborted::reason)
        .asString()
        .startsWith("the state of 1[")
        .endsWith(
            "more than 64 MiB of records were on their way to it, and 1 of its inputs have not"
                + " brought the barrier");
    long published = running.checkpoints().published();
    jobs.finish(running);
    assertThat(running.checkpoints().published()).isGreaterThan(published);
    assertThat(running.checkpoints().abandoned()).isEqualTo(1);
    assertThat(shown())
        .isEqualTo(IntStream.rangeClosed(1, burst + 5).mapToObj(i -> "k0=" + i).toList());
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
