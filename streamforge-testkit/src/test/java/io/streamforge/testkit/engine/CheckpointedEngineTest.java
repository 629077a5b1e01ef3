package io.streamforge.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.RestartStrategy;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobStatus;
import io.streamforge.sink.Sink;
import io.streamforge.source.Source;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.sink.SinkFaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines with checkpoints in a directory: what they go on from, and what they refuse. */
class CheckpointedEngineTest {
  private static final int RECORDS = 300;
  private static final int KEYS = 3;

  @TempDir Path temporary;
  private final Numbers numbers = new Numbers();
  private final MarkedSink<String, Long> sink = new MarkedSink<>();

  private Path checkpoints() {
    return temporary.resolve("checkpoints");
  }

  private EngineConfig.Builder settings() {
    return EngineConfig.builder()
        .parallelism(2)
        .workers(2)
        .keyGroups(16)
        .checkpoints(
            CheckpointConfig.at(checkpoints().toString()).every(Duration.ofMillis(10)).retain(1));
  }

  private static Topology counting(
      String job, String node, Source<String, Integer> source, Sink<String, Long> sink) {
    return Topology.builder(job)
        .source("numbers", source)
        .groupByKey("keys")
        .count(node)
        .sink("out", sink)
        .build();
  }

  private Topology counting() {
    return counting("counting", "count", numbers, sink);
  }

  /** Runs until the sink shows so many records, and stops where it is. */
  private CheckpointMetrics runUntilShown(int records) {
    numbers.released.set(records);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> sink.records().size() == records);
      return engine.metrics().checkpoints();
    }
  }

  private static List<String> allCounts() {
    List<String> counts = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      counts.add("k" + i % KEYS + "=" + (i / KEYS + 1));
    }
    return counts;
  }

  private static List<String> shown(MarkedSink<String, Long> sink) {
    return sink.records().stream().map(r -> r.key() + "=" + r.value()).toList();
  }

  private void finish(EngineConfig config) throws InterruptedException {
    numbers.released.set(RECORDS);
    try (Engine engine = Engine.start(counting(), config)) {
      engine.awaitCompletion();
    }
  }

  @Test
  void stoppedJobGoesOnFromItsNewestCheckpoint() throws Exception {
    CheckpointMetrics first = runUntilShown(100);
    assertThat(first.restoredFrom()).isZero();
    assertThat(first.published()).isPositive();
    assertThat(first.lastNumber()).isPositive();
    assertThat(first.fullBytes()).isPositive();

    numbers.released.set(RECORDS);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      assertThat(engine.metrics().checkpoints().restoredFrom())
          .isGreaterThanOrEqualTo(first.lastNumber());
      engine.awaitCompletion();
      assertThat(engine.status()).isEqualTo(JobStatus.FINISHED);
    }

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void sinkThatNeverWaitsIsCommittedByItsTask() throws Exception {
    MarkedSink<String, Long> direct = new MarkedSink<>(false);
    Topology topology = counting("direct", "count", numbers, direct);
    numbers.released.set(100);
    try (Engine engine = Engine.start(topology, settings().build())) {
      await().until(() -> direct.records().size() == 100);
      numbers.released.set(200);
      await().until(() -> direct.records().size() == 200);
      engine.stopWithSavepoint(savepoint());
    }
    numbers.released.set(RECORDS);
    try (Engine engine =
        Engine.start(topology, settings().checkpoints(elsewhere()).parallelism(3).build())) {
      engine.awaitCompletion();
    }

    assertThat(shown(direct)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void stoppedJobGoesOnAtAnotherParallelism() throws Exception {
    runUntilShown(100);
    finish(settings().parallelism(5).build());

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void jobThatHasFinishedFinishesAgainAtOnceAndShowsNothingMore() throws Exception {
    finish(settings().build());
    finish(settings().build());

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void drainedJobHasFinished() throws Exception {
    numbers.released.set(60);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> sink.records().size() == 60);
      engine.drain();
      engine.awaitCompletion();
    }
    finish(settings().build());

    assertThat(sink.records()).hasSize(60);
  }

  @Test
  void filesOfTheSinkAppearWithCheckpointsAndHoldEachRecordOnce() throws Exception {
    Path output = temporary.resolve("out");
    numbers.released.set(100);
    Topology topology = counting("files", "count", numbers, FileSink.lines(output));
    try (Engine engine = Engine.start(topology, settings().build())) {
      await().until(() -> lines(output).size() == 100);
      assertThat(engine.status()).isEqualTo(JobStatus.RUNNING);
    }
    numbers.released.set(RECORDS);
    try (Engine engine = Engine.start(topology, settings().build())) {
      engine.awaitCompletion();
    }

    assertThat(lines(output)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  private static List<String> lines(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file :
            files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    return lines;
  }

  @Test
  void olderCheckpointIsUsedWhereTheNewestIsDamaged() throws Exception {
    List<String> collected = new ArrayList<>();
    Sink<String, Long> plain =
        Sinks.forEach(
            record -> {
              synchronized (collected) {
                collected.add(record.key() + "=" + record.value());
              }
            });
    numbers.released.set(100);
    Topology topology = counting("plain", "count", numbers, plain);
    EngineConfig settings = retainingAll();
    long damaged;
    try (Engine engine = Engine.start(topology, settings)) {
      await().until(() -> engine.metrics().node("count").in() == 100);
      long before = engine.metrics().checkpoints().published();
      await().until(() -> engine.metrics().checkpoints().published() > before + 1);
      damaged = engine.metrics().checkpoints().lastNumber();
      numbers.released.set(200);
      await().until(() -> engine.metrics().node("count").in() == 200);
    }
    damageEntriesFrom(damaged);
    numbers.released.set(RECORDS);
    try (Engine engine = Engine.start(topology, settings)) {
      assertThat(engine.metrics().checkpoints().restoredFrom()).isPositive().isLessThan(damaged);
      engine.awaitCompletion();
    }

    // At least once: what came after that checkpoint comes again, with the same counts.
    assertThat(collected).containsAll(allCounts());
  }

  private EngineConfig retainingAll() {
    return settings()
        .checkpoints(
            CheckpointConfig.at(checkpoints().toString())
                .every(Duration.ofMillis(10))
                .retain(1_000))
        .build();
  }

  private void damageEntriesFrom(long number) throws IOException {
    try (Stream<Path> entries = Files.list(checkpoints().resolve("log"))) {
      for (Path entry :
          entries.filter(e -> Long.parseLong(e.getFileName().toString()) >= number).toList()) {
        byte[] content = Files.readAllBytes(entry);
        content[content.length / 2] ^= 1;
        Files.write(entry, content);
      }
    }
  }

  @Test
  void jobStopsWhereOutputOfADamagedCheckpointIsVisibleAlready() throws Exception {
    numbers.released.set(100);
    try (Engine engine = Engine.start(counting(), retainingAll())) {
      await().until(() -> sink.records().size() == 100);
      numbers.released.set(200);
      await().until(() -> sink.records().size() == 200);
    }
    damageEntriesFrom(Collections.max(sink.markers().values()));

    assertFails(
        () -> Engine.start(counting(), retainingAll()),
        ErrorCode.CHECKPOINT_DAMAGED,
        "the newest checkpoint that can be used is",
        "but sink 'out' shows output of checkpoint");
    assertThat(sink.records()).hasSize(200);
  }

  private static void assertFails(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable start,
      ErrorCode code,
      String... parts) {
    assertThatThrownBy(start)
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(code))
        .message()
        .contains(parts);
  }

  @Test
  void checkpointsOfAnotherJobAreRefused() {
    runUntilShown(30);

    assertFails(
        () -> Engine.start(counting("other", "count", numbers, sink), settings().build()),
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        "are of the job 'counting', not of 'other'");
  }

  @Test
  void stoppedJobGoesOnWithAnotherNumberOfKeyGroups() throws Exception {
    runUntilShown(100);
    finish(settings().keyGroups(27).parallelism(4).build());

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void stateWhoseNodeIsGoneIsNamed() {
    runUntilShown(30);

    assertFails(
        () -> Engine.start(counting("counting", "tally", numbers, sink), settings().build()),
        ErrorCode.STATE_INCOMPATIBLE,
        "has what the topology has no place for:",
        "node 'count': state '");
  }

  @Test
  void processThatHasLostTheJobStops() throws Exception {
    numbers.released.set(30);
    try (Engine first = Engine.start(counting(), settings().build())) {
      await().until(() -> sink.records().size() == 30);
      try (Engine second = Engine.start(counting(), settings().build())) {
        // Only now, or the first might finish before it is asked.
        numbers.released.set(RECORDS);
        second.awaitCompletion();
      }
      await().until(() -> first.status() != JobStatus.RUNNING);
      // It finds out by the log, or by the sink whose writers are fenced.
      assertThatThrownBy(first::awaitCompletion).isInstanceOf(StreamForgeException.class);
    }

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void settingsOfCheckpointsAreValidatedWithTheOthers() {
    CheckpointConfig wrong =
        CheckpointConfig.at(" ")
            .every(Duration.ZERO)
            .givenUpAfter(Duration.ofDays(2))
            .withPause(Duration.ofMillis(-1))
            .unalignedAfter(Duration.ofHours(25))
            .slowAfter(Duration.ZERO)
            .retain(0);

    assertFails(
        () -> settings().checkpoints(wrong).parallelism(0).build().validate(),
        ErrorCode.CONFIG_INVALID,
        "parallelism is 0",
        "checkpoints.location is empty",
        "checkpoints.interval is PT0S, expected PT0.001S to PT24H",
        "checkpoints.timeout is PT48H",
        "checkpoints.minPause is PT-0.001S, expected PT0S to PT24H",
        "checkpoints.slowAfter is PT0S, expected PT0.001S to PT24H",
        "checkpoints.retained is 0, expected 1 to 1000",
        "checkpoints.unalignedAfter is PT25H, expected PT0S to PT24H");
  }

  @Test
  void checkpointsAreSlowFromTheirIntervalOnButNotBelowASecondUnlessThatIsSet() {
    CheckpointConfig config = CheckpointConfig.at("somewhere");

    assertThat(config.every(Duration.ofMinutes(2)).slow()).isEqualTo(Duration.ofMinutes(2));
    assertThat(config.every(Duration.ofMillis(10)).slow()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.slowAfter(Duration.ofMillis(5)).every(Duration.ofMinutes(2)).slow())
        .isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void placeThatCannotBeMadeIsNamedBeforeAnythingIsRead() throws IOException {
    Path file = Files.writeString(temporary.resolve("file"), "");

    assertFails(
        () ->
            Engine.start(
                counting(), settings().checkpoints(CheckpointConfig.at(file.toString())).build()),
        ErrorCode.STORAGE_UNAVAILABLE,
        file.toString());
    assertThat(numbers.read.get()).isZero();
  }

  private String savepoint() {
    return temporary.resolve("savepoint").toString();
  }

  private CheckpointConfig elsewhere() {
    return CheckpointConfig.at(temporary.resolve("elsewhere").toString())
        .every(Duration.ofMillis(10))
        .startingFrom(savepoint());
  }

  @Test
  void jobStopsWithASavepointAndGoesOnFromItElsewhereUnderAnotherName() throws Exception {
    numbers.released.set(RECORDS - 1);
    long number;
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> engine.metrics().node("count").in() > 50);
      number = engine.stopWithSavepoint(savepoint());
      await().until(() -> engine.status() == JobStatus.CANCELLED);
    }
    numbers.released.set(RECORDS);
    Topology renamed = counting("renamed", "count", numbers, sink);
    EngineConfig settings = settings().checkpoints(elsewhere()).keyGroups(9).parallelism(3).build();
    try (Engine engine = Engine.start(renamed, settings)) {
      assertThat(engine.metrics().checkpoints().restoredFrom()).isEqualTo(number);
      engine.awaitCompletion();
    }

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void checkpointsOfItsOwnComeBeforeTheSavepointThatAJobWasStartedFrom() throws Exception {
    numbers.released.set(100);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> sink.records().size() == 100);
      engine.stopWithSavepoint(savepoint());
    }
    EngineConfig settings = settings().checkpoints(elsewhere()).build();
    numbers.released.set(200);
    try (Engine engine = Engine.start(counting(), settings)) {
      await().until(() -> sink.records().size() == 200);
    }
    finish(settings);

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void jobGoesOnBehindItsSavepointAndCannotStartFromItOnceMoreIsVisible() throws Exception {
    numbers.released.set(100);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> sink.records().size() == 100);
      long number = engine.savepoint(savepoint());
      assertThat(number).isPositive();
      numbers.released.set(RECORDS);
      engine.awaitCompletion();
    }
    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());

    assertFails(
        () -> Engine.start(counting(), settings().checkpoints(elsewhere()).build()),
        ErrorCode.CHECKPOINT_DAMAGED,
        "but sink 'out' shows output of checkpoint");
  }

  @Test
  void placeOfASavepointMustBeEmpty() throws Exception {
    numbers.released.set(10);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      engine.savepoint(savepoint());

      assertFails(
          () -> engine.savepoint(savepoint()),
          ErrorCode.CONFIG_INVALID,
          "there is a savepoint, or the beginning of one, in " + savepoint());
      assertFails(
          () -> engine.savepoint(checkpoints().toString()), ErrorCode.CONFIG_INVALID, "in ");
      assertThat(engine.status()).isEqualTo(JobStatus.RUNNING);
    }
  }

  @Test
  void savepointOfAJobThatHasEndedIsRefused() throws Exception {
    numbers.released.set(RECORDS);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      engine.awaitCompletion();

      assertFails(
          () -> engine.savepoint(savepoint()),
          ErrorCode.JOB_STOPPED,
          "the job has ended before the savepoint was complete");
    }
  }

  @Test
  void stateOfANodeIsLeftOutOnlyWhereThatIsAllowed() throws Exception {
    runUntilShown(30);
    MarkedSink<String, Long> fresh = new MarkedSink<>();
    CheckpointConfig allowing =
        CheckpointConfig.at(checkpoints().toString()).dropping("count", "out");
    numbers.released.set(RECORDS);
    try (Engine engine =
        Engine.start(
            counting("counting", "tally", numbers, fresh),
            settings().checkpoints(allowing).build())) {
      engine.awaitCompletion();
    }

    // Counted anew, from where the first one had stopped.
    assertThat(fresh.records()).hasSize(RECORDS - 30);
    assertThat(shown(fresh)).contains("k0=1", "k1=1", "k2=1").doesNotContain("k0=100");
  }

  @Test
  void sourceThatWasLeftOutIsNotInTheCheckpointsOfTheJobWithoutIt() throws Exception {
    Numbers ended = new Numbers();
    ended.released.set(RECORDS);
    MarkedSink<String, Integer> both = new MarkedSink<>();
    TopologyBuilder builder = Topology.builder("two");
    builder
        .source("numbers", numbers)
        .merge("both", builder.source("ended", ended))
        .sink("out", both);
    try (Engine engine = Engine.start(builder.build(), settings().build())) {
      await().until(() -> both.records().size() == RECORDS);
    }
    Topology one = Topology.builder("two").source("numbers", numbers).sink("out", both).build();
    CheckpointConfig allowing = CheckpointConfig.at(checkpoints().toString()).dropping("ended");
    numbers.released.set(100);
    try (Engine engine = Engine.start(one, settings().checkpoints(allowing).build())) {
      engine.savepoint(savepoint());
    }
    numbers.released.set(RECORDS);
    try (Engine engine = Engine.start(one, settings().build())) {
      engine.awaitCompletion();
    }

    assertThat(both.records()).hasSize(2 * RECORDS);
  }

  private Topology failing(AtomicInteger failures) {
    return Topology.builder("failing")
        .source("numbers", numbers)
        .mapValues(
            "fail",
            v -> {
              if (v == 150 && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("simulated");
              }
              return v;
            })
        .typed(String.class, Integer.class)
        .groupByKey("keys")
        .count("count")
        .sink("out", sink)
        .previously("count", "tally")
        .build();
  }

  @Test
  void jobThatFailsIsStartedAgainAndShowsEachRecordOnce() throws Exception {
    numbers.released.set(RECORDS);
    EngineConfig settings =
        settings().restart(RestartStrategy.fixed(3, Duration.ofMillis(1))).build();
    try (Engine engine = Engine.start(failing(new AtomicInteger(2)), settings)) {
      engine.awaitCompletion();
      assertThat(engine.restarts()).isEqualTo(2);
      assertThat(engine.status()).isEqualTo(JobStatus.FINISHED);
    }

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void jobThatIsStartedAgainMayHaveRenamedNodes() throws Exception {
    numbers.released.set(100);
    Topology before = counting("failing", "tally", numbers, sink);
    try (Engine engine = Engine.start(before, settings().build())) {
      await().until(() -> sink.records().size() == 100);
    }
    numbers.released.set(RECORDS);
    EngineConfig settings =
        settings().restart(RestartStrategy.fixed(3, Duration.ofMillis(1))).build();
    try (Engine engine = Engine.start(failing(new AtomicInteger(2)), settings)) {
      engine.awaitCompletion();
      assertThat(engine.restarts()).isEqualTo(2);
    }

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void jobFailsWhenItsRestartsAreUsedUp() throws Exception {
    numbers.released.set(RECORDS);
    EngineConfig settings =
        settings().restart(RestartStrategy.fixed(2, Duration.ofMillis(1))).build();
    try (Engine engine = Engine.start(failing(new AtomicInteger(1_000)), settings)) {
      assertFails(engine::awaitCompletion, ErrorCode.FUNCTION_FAILED, "simulated");
      assertThat(engine.restarts()).isEqualTo(2);
      assertThat(engine.status()).isEqualTo(JobStatus.FAILED);
    }
  }

  @Test
  void engineIsClosedWhileItWaitsToStartAgain() throws Exception {
    numbers.released.set(RECORDS);
    EngineConfig settings =
        settings()
            .restart(RestartStrategy.backoff(Duration.ofHours(1), Duration.ofHours(2)))
            .build();
    Engine engine = Engine.start(failing(new AtomicInteger(1)), settings);
    await().until(() -> engine.status() == JobStatus.RESTARTING);
    engine.close();

    assertFails(engine::awaitCompletion, ErrorCode.FUNCTION_FAILED, "simulated");
    assertThat(engine.status()).isEqualTo(JobStatus.FAILED);
  }

  @Test
  void jobThatAnotherProcessHasTakenOverIsNotStartedAgain() throws Exception {
    Sink<String, Long> plain = Sinks.forEach(record -> {});
    Topology topology = counting("counting", "count", numbers, plain);
    numbers.released.set(30);
    EngineConfig settings =
        settings().restart(RestartStrategy.fixed(9, Duration.ofMillis(1))).build();
    try (Engine first = Engine.start(topology, settings);
        Engine second = Engine.start(topology, settings)) {
      assertFails(
          first::awaitCompletion, ErrorCode.CHECKPOINT_FENCED, "another process runs the job");
      assertThat(first.restarts()).isZero();
      assertThat(second.status()).isEqualTo(JobStatus.RUNNING);
    }
  }

  @Test
  void restartsWithoutCheckpointsAreRefused() {
    assertFails(
        () -> settings().checkpoints(null).restart(RestartStrategy.backoff()).build().validate(),
        ErrorCode.CONFIG_INVALID,
        "restart is set, but checkpoints are not");
  }

  @Test
  void c01NothingOfACheckpointIsVisibleWhosePrepareFailsAndItsRecordsAreReadAgain()
      throws Exception {
    numbers.released.set(100);
    sink.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == SinkFaults.Call.PREPARE) {
            throw new IOException("bad row");
          }
        });
    try (Engine engine = Engine.start(counting(), settings().build())) {
      assertFails(engine::awaitCompletion, ErrorCode.SINK_FAILED, "bad row");
    }
    assertThat(sink.records()).isEmpty();

    sink.faults(SinkFaults.NONE);
    finish(settings().build());
    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void c02OneSavepointIsRestoredTwice() throws Exception {
    numbers.released.set(100);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> sink.records().size() == 100);
      engine.stopWithSavepoint(savepoint());
    }
    numbers.released.set(RECORDS);
    for (String name : List.of("first", "second")) {
      MarkedSink<String, Long> fresh = new MarkedSink<>();
      CheckpointConfig place =
          CheckpointConfig.at(temporary.resolve(name).toString()).startingFrom(savepoint());
      try (Engine engine =
          Engine.start(
              counting("counting", "count", numbers, fresh),
              settings().checkpoints(place).build())) {
        engine.awaitCompletion();
      }
      assertThat(shown(fresh))
          .as(name)
          .containsExactlyInAnyOrderElementsOf(allCounts().subList(100, RECORDS));
    }
  }

  @Test
  void c08SourceThatHasEndedIsNotReadAgainAndCheckpointsGoOn() throws Exception {
    Numbers ended = new Numbers();
    ended.released.set(RECORDS);
    numbers.released.set(100);
    MarkedSink<String, Integer> both = new MarkedSink<>();
    TopologyBuilder builder = Topology.builder("two");
    builder
        .source("numbers", numbers)
        .merge("both", builder.source("ended", ended))
        .sink("out", both);
    Topology topology = builder.build();
    try (Engine engine = Engine.start(topology, settings().build())) {
      await().until(() -> both.records().size() == RECORDS + 100);
    }
    int read = ended.read.get();
    numbers.released.set(RECORDS);
    try (Engine engine = Engine.start(topology, settings().build())) {
      engine.awaitCompletion();
    }

    assertThat(ended.read.get()).isEqualTo(read);
    List<Integer> values = both.records().stream().map(Record::value).sorted().toList();
    assertThat(values).isEqualTo(IntStream.range(0, 2 * RECORDS).map(i -> i / 2).boxed().toList());
  }

  @Test
  void c09WhatWasPreparedForACheckpointThatWasGivenUpComesWithTheNext() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    sink.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == SinkFaults.Call.PREPARE) {
            slow.await();
          }
        });
    numbers.released.set(100);
    CheckpointConfig impatient =
        CheckpointConfig.at(checkpoints().toString())
            .every(Duration.ofMillis(10))
            .givenUpAfter(Duration.ofMillis(30));
    try (Engine engine = Engine.start(counting(), settings().checkpoints(impatient).build())) {
      await().until(() -> engine.metrics().checkpoints().abandoned() >= 2);
      slow.countDown();
      await().until(() -> sink.records().size() == 100);
    }
    sink.faults(SinkFaults.NONE);
    finish(settings().build());

    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void c10WhatWasPublishedAndNotCommittedIsCommittedByTheNextStart() throws Exception {
    numbers.released.set(100);
    sink.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == SinkFaults.Call.COMMIT) {
            throw new IOException("not now");
          }
        });
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> engine.metrics().node("count").in() == 100);
      long before = engine.metrics().checkpoints().published();
      await().until(() -> engine.metrics().checkpoints().published() > before + 1);
      assertThat(engine.status()).isEqualTo(JobStatus.RUNNING);
    }
    assertThat(sink.records()).isEmpty();

    sink.faults(SinkFaults.NONE);
    try (Engine engine = Engine.start(counting(), settings().build())) {
      assertThat(sink.records()).hasSize(100);
      assertThat(engine.metrics().checkpoints().restoredFrom()).isPositive();
    }
  }

  @Test
  void c12NumbersGoOnBehindTheSavepointThatAJobWasStartedFrom() throws Exception {
    numbers.released.set(10);
    long number;
    try (Engine engine = Engine.start(counting(), settings().build())) {
      await().until(() -> engine.metrics().checkpoints().published() > 5);
      number = engine.stopWithSavepoint(savepoint());
    }
    numbers.released.set(20);
    try (Engine engine = Engine.start(counting(), settings().checkpoints(elsewhere()).build())) {
      await().until(() -> engine.metrics().checkpoints().published() > 0);
      assertThat(engine.metrics().checkpoints().lastNumber()).isGreaterThan(number);
      await().until(() -> sink.records().size() == 20);
    }
  }

  /** Numbers up to a bound that a test moves; ends behind the last one. */
  private static final class Numbers extends OneSplitSource<Integer> {
    final AtomicInteger released = new AtomicInteger();
    final AtomicInteger read = new AtomicInteger();

    Numbers() {
      super(Integer.class);
    }

    @Override
    @Nullable Record<String, Integer> at(long position) {
      int at = (int) position;
      if (at >= RECORDS || at >= released.get()) {
        return null;
      }
      read.incrementAndGet();
      return Record.of("k" + at % KEYS, at, at);
    }

    @Override
    boolean hasEnded(long position) {
      return position >= RECORDS;
    }
  }
}
