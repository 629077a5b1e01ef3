package io.streamforge.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.RestartStrategy;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.engine.Engine;
import io.streamforge.engine.StateQuery;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobStatus;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Serde;
import io.streamforge.sink.Sink;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of jobs on real threads: under load, at rest, and when a job ends. */
class LiveQueryTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path temporary;
  private final Feed feed = new Feed();
  private final CollectingSink<String, Object> sink = Sinks.collect();

  private static EngineConfig.Builder settings(int parallelism) {
    return EngineConfig.builder().parallelism(parallelism).workers(2).keyGroups(64);
  }

  private CheckpointConfig checkpoints(Duration interval) {
    return CheckpointConfig.at(temporary.resolve("checkpoints").toString()).every(interval);
  }

  private Topology topology(
      String job, Function<KeyedStream<String, Long>, Stream<String, ?>> node) {
    return topology(job, node, sink);
  }

  private Topology topology(
      String job,
      Function<KeyedStream<String, Long>, Stream<String, ?>> node,
      Sink<String, Object> to) {
    return node.apply(
            Topology.builder(job)
                .source("in", feed, WatermarkStrategy.<String, Long>monotonous())
                .groupByKey("keys"))
        .map("any", (key, value) -> KeyValue.of(key, (Object) value))
        .sink("out", to)
        .build();
  }

  private Topology counting(String job) {
    return topology(job, keyed -> keyed.count("count"));
  }

  private void awaitShown(int records) {
    await().atMost(SOON).until(() -> sink.records().size() == records);
  }

  private static void assertFails(ThrowingQuery query, ErrorCode code, String... parts) {
    assertThatThrownBy(query::run)
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }

  private static void assertFails(CompletableFuture<?> query, ErrorCode code, String... parts) {
    assertFails(
        () -> {
          try {
            query.get(SOON.toSeconds(), TimeUnit.SECONDS);
          } catch (ExecutionException e) {
            throw e.getCause();
          }
        },
        code,
        parts);
  }

  private interface ThrowingQuery {
    void run() throws Throwable;
  }

  @ParameterizedTest
  @CsvSource({"1, false", "1, true", "2, false", "2, true", "4, false", "4, true"})
  void valuesAreThoseOfTheRecordsThatHaveBeenProcessed(int parallelism, boolean specialised)
      throws Exception {
    Topology topology = counting("exact");
    EngineConfig config = settings(parallelism).specialise(specialised).build();
    try (Engine engine = Engine.start(topology, config)) {
      StateQuery<Long> counts = engine.query("count");
      assertThat(counts.get("k0")).isNull();
      for (int round = 1; round <= 3; round++) {
        for (int key = 0; key < 50; key++) {
          feed.send("k" + key, 1);
        }
        awaitShown(50 * round);
        for (int key = 0; key < 50; key++) {
          assertThat(counts.get("k" + key)).isEqualTo(round);
          assertThat(counts.getAsync("k" + key).get()).isEqualTo(round);
        }
      }
      assertThat(counts.get("k50")).isNull();
      Object any = engine.query("count").get("k1");
      assertThat(any).isEqualTo(3L);
    }
  }

  @Test
  void jobThatSleepsAnswersAtOnce() throws Exception {
    try (Engine engine = Engine.start(counting("asleep"), settings(2).build())) {
      feed.send("k", 1);
      awaitShown(1);
      StateQuery<Long> counts = engine.<Long>query("count").within(SOON);
      for (int i = 0; i < 20; i++) {
        await()
            .atMost(SOON)
            .until(
                () ->
                    workers("asleep").stream()
                        .allMatch(
                            thread ->
                                thread.getState() == Thread.State.WAITING
                                    || thread.getState() == Thread.State.TIMED_WAITING));
        assertThat(counts.get("k")).isEqualTo(1);
      }
    }
  }

  private static List<Thread> workers(String job) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("streamforge-" + job + "-worker-"))
        .toList();
  }

  /** Two halves that are equal but while a processor changes them, and how often. */
  private static final class Halves {
    long left;
    long right;
    final List<Long> all = new ArrayList<>();
  }

  /** Notes who writes. */
  private static final class HalvesSerde implements Serde<Halves> {
    static final Set<String> WRITERS = ConcurrentHashMap.newKeySet();

    @Override
    public void write(Halves value, ByteWriter output) {
      WRITERS.add(Thread.currentThread().getName());
      output.writeLong(value.left);
      output.writeVarInt(value.all.size());
      value.all.forEach(output::writeLong);
      output.writeLong(value.right);
    }

    @Override
    public Halves read(ByteReader input) {
      Halves value = new Halves();
      value.left = input.readLong();
      int size = input.readVarInt();
      for (int i = 0; i < size; i++) {
        value.all.add(input.readLong());
      }
      value.right = input.readLong();
      return value;
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "halves";
    }
  }

  private static final class Halving implements Processor<String, Long, String, Long> {
    private ValueState<Halves> halves;

    @Override
    public void states(StateDeclarations states) {
      halves = states.value("halves", new HalvesSerde());
    }

    @Override
    public void process(String key, Long value, ProcessorContext<String, Long> context) {
      Halves present = halves.get();
      if (present == null) {
        present = new Halves();
        halves.set(present);
      }
      present.left++;
      present.all.add(present.left);
      if (present.all.size() > 20) {
        present.all.remove(0);
      }
      present.right++;
      context.emit(key, present.right);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void everyAnswerUnderLoadIsAStateThatThereWasAndNoneGoesBack(int parallelism) throws Exception {
    int keys = 40;
    int records = 60_000;
    Topology topology =
        topology("loaded", keyed -> keyed.process("halve", Halving::new), Sinks.none());
    EngineConfig config =
        settings(parallelism).checkpoints(checkpoints(Duration.ofMillis(2))).build();
    HalvesSerde.WRITERS.clear();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicLong answers = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    String savepoint = temporary.resolve("savepoint").toString();
    try (Engine engine = Engine.start(topology, config)) {
      StateQuery<Halves> query = engine.<Halves>query("halve").within(SOON);
      List<Thread> askers = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int first = t;
        Thread asker =
            new Thread(
                () -> {
                  try {
                    long[] seen = new long[keys];
                    for (int i = first; !over.get(); i++) {
                      int key = i % keys;
                      Halves answer = query.get("k" + key);
                      if (answer != null) {
                        assertIsWhole(answer);
                        assertThat(answer.left).isBetween(seen[key], (long) records / keys);
                        seen[key] = answer.left;
                        answers.incrementAndGet();
                      }
                    }
                  } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                  }
                });
        askers.add(asker);
        asker.start();
      }
      for (int i = 0; i < records; i++) {
        feed.send("k" + i % keys, 1);
      }
      await().atMost(SOON).until(() -> engine.metrics().node("halve").in() == records);
      await()
          .atMost(SOON)
          .until(() -> engine.metrics().checkpoints().published() > 2 && answers.get() > 100);
      over.set(true);
      for (Thread asker : askers) {
        asker.join();
      }
      assertThat(failure.get()).isNull();
      assertAllHave(query, keys, records / keys);
      engine.savepoint(savepoint);
    }
    assertThat(HalvesSerde.WRITERS)
        .isNotEmpty()
        .allMatch(thread -> thread.startsWith("streamforge-loaded-worker-"));

    // What checkpoints have saved meanwhile is what there was.
    for (CheckpointConfig from :
        List.of(
            checkpoints(Duration.ofHours(1)),
            CheckpointConfig.at(temporary.resolve("other").toString()).startingFrom(savepoint))) {
      try (Engine engine = Engine.start(topology, settings(3).checkpoints(from).build())) {
        await().atMost(SOON).until(() -> feed.replayed() == records);
        await()
            .atMost(SOON)
            .untilAsserted(() -> assertAllHave(engine.query("halve"), keys, records / keys));
      }
    }
  }

  private static void assertIsWhole(Halves answer) {
    assertThat(answer.right).isEqualTo(answer.left);
    assertThat(answer.all).hasSize((int) Math.min(20, answer.left));
    for (int i = 0; i < answer.all.size(); i++) {
      assertThat(answer.all.get(i)).isEqualTo(answer.left - answer.all.size() + 1 + i);
    }
  }

  private static void assertAllHave(StateQuery<Halves> query, int keys, int times)
      throws InterruptedException {
    for (int key = 0; key < keys; key++) {
      Halves answer = query.get("k" + key);
      assertThat(answer).isNotNull();
      assertThat(answer.left).isEqualTo(times);
      assertIsWhole(answer);
    }
  }

  @Test
  void jobThatGoesOnFromACheckpointAnswersFromWhatWasRestored() throws Exception {
    Topology topology = counting("restored");
    String savepoint = temporary.resolve("savepoint").toString();
    try (Engine engine =
        Engine.start(topology, settings(2).checkpoints(checkpoints(SOON)).build())) {
      for (int i = 0; i < 90; i++) {
        feed.send("k" + i % 30, 1);
      }
      awaitShown(90);
      engine.stopWithSavepoint(savepoint);
      assertFails(
          () -> engine.query("count").get("k1"),
          ErrorCode.JOB_STOPPED,
          "cancelled, its state is gone",
          "job 'restored', node 'count'");
    }
    CheckpointConfig other =
        CheckpointConfig.at(temporary.resolve("other").toString()).startingFrom(savepoint);
    try (Engine engine = Engine.start(topology, settings(3).checkpoints(other).build())) {
      StateQuery<Long> counts = engine.query("count");
      for (int i = 0; i < 30; i++) {
        assertThat(counts.get("k" + i)).isEqualTo(3);
      }
      assertThat(sink.records()).as("no record has come").hasSize(90);
    }
  }

  @Test
  void windowIsShownBeforeItCloses() throws Exception {
    Topology topology =
        topology(
            "windows", keyed -> keyed.window(Windows.tumbling(Duration.ofHours(1))).count("count"));
    try (Engine engine = Engine.start(topology, settings(2).build())) {
      for (int i = 0; i < 500; i++) {
        feed.send("k" + i % 5, 1);
      }
      StateQuery<List<Windowed<Long>>> windows = engine.query("count");
      for (int key = 0; key < 5; key++) {
        String name = "k" + key;
        await()
            .atMost(SOON)
            .until(() -> String.valueOf(windows.get(name)).equals("[[0,3600000)=100]"));
      }
      assertThat(sink.records()).isEmpty();
    }
  }

  /** Holds a processor up at each record with a negative value. */
  private static final class Obstacle {
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch leave = new CountDownLatch(1);

    Long pass(Long value) throws InterruptedException {
      if (value < 0) {
        entered.countDown();
        leave.await();
        if (value == -2) {
          throw new IllegalStateException("minus two");
        }
      }
      return value;
    }
  }

  private Topology obstructed(String job, Obstacle obstacle) {
    return topology(job, keyed -> keyed.sum("sum", v -> v).mapValues("obstacle", obstacle::pass));
  }

  @Test
  void queryOfATaskThatIsHeldUpEndsWithItsTimeoutAndLaterOnesAreAnswered() throws Exception {
    Obstacle obstacle = new Obstacle();
    try (Engine engine = Engine.start(obstructed("slow", obstacle), settings(1).build())) {
      StateQuery<Long> sums = engine.query("sum");
      feed.send("k", -1);
      obstacle.entered.await();
      assertFails(
          () -> sums.within(Duration.ofMillis(20)).get("k"),
          ErrorCode.QUERY_UNANSWERED,
          "has not answered within 20ms",
          "job 'slow', node 'sum'");
      assertFails(
          sums.within(Duration.ofMillis(20)).getAsync("k"),
          ErrorCode.QUERY_UNANSWERED,
          "has not answered within 20ms");
      CompletableFuture<Long> waits = sums.within(SOON).getAsync("k");
      obstacle.leave.countDown();

      assertThat(waits.get()).isEqualTo(-1);
      assertThat(sums.get("k")).isEqualTo(-1);
      assertThatThrownBy(() -> sums.within(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a timeout is longer than zero: PT0S");
    }
  }

  @Test
  void moreThanAThousandWaitingQueriesAreRefused() throws Exception {
    Obstacle obstacle = new Obstacle();
    try (Engine engine = Engine.start(obstructed("crowded", obstacle), settings(1).build())) {
      StateQuery<Long> sums = engine.<Long>query("sum").within(SOON);
      feed.send("k", -1);
      obstacle.entered.await();

      List<CompletableFuture<Long>> abandoned = new ArrayList<>();
      for (int i = 0; i < 1_024; i++) {
        abandoned.add(sums.within(Duration.ofMillis(50)).getAsync("k"));
      }
      for (CompletableFuture<Long> each : abandoned) {
        assertFails(each, ErrorCode.QUERY_UNANSWERED, "has not answered within 50ms");
      }
      List<CompletableFuture<Long>> waiting = new ArrayList<>();
      for (int i = 0; i < 1_024; i++) {
        waiting.add(sums.getAsync("k"));
      }
      assertThat(waiting).as("those before have left").noneMatch(CompletableFuture::isDone);
      assertFails(
          sums.getAsync("k"),
          ErrorCode.QUERY_UNANSWERED,
          "1024 queries are waiting for the task already");
      assertFails(() -> sums.get("k"), ErrorCode.QUERY_UNANSWERED, "1024 queries are waiting");
      obstacle.leave.countDown();

      for (CompletableFuture<Long> each : waiting) {
        assertThat(each.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(-1);
      }
    }
  }

  @Test
  void taskThatWaitsForRoomAnswers() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Topology topology =
        topology(
            "blocked",
            keyed -> keyed.count("count"),
            Sinks.forEach(
                record -> {
                  entered.countDown();
                  leave.await();
                }));
    EngineConfig config = settings(1).batchSize(1).creditsPerChannel(2).build();
    try (Engine engine = Engine.start(topology, config)) {
      for (int i = 0; i < 1_000; i++) {
        feed.send("k", 1);
      }
      entered.await();
      StateQuery<Long> counts = engine.query("count");
      await().atMost(SOON).until(() -> counts.get("k") != null && counts.get("k") >= 2);
      assertThat(counts.get("k")).as("the rest finds no room").isLessThan(1_000);
      leave.countDown();
      await().atMost(SOON).until(() -> counts.get("k") == 1_000);
    }
  }

  /** Keeps what a record has for half a second, and tells at each timer whether it is there. */
  private static final class Forgetful implements Processor<String, Long, String, String> {
    static final int TIMERS = 1_000;
    private LongState kept;

    @Override
    public void states(StateDeclarations states) {
      kept = states.expiring(TimeToLive.of(Duration.ofMillis(500))).longValue("kept");
    }

    @Override
    public void process(String key, Long value, ProcessorContext<String, String> context) {
      kept.set(value);
      for (int time = 1; time <= TIMERS && value == 7; time++) {
        context.timers().setEventTimer(time);
      }
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      context.emit(key, kept.get() == 7 ? "there" : "gone");
    }
  }

  @Test
  void whatTimersAreStillToSeeIsThereAlthoughTheWatermarkHasLeaptAhead() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    List<Object> seen = Collections.synchronizedList(new ArrayList<>());
    Topology topology =
        topology(
            "forgetful",
            keyed -> keyed.process("keep", Forgetful::new),
            Sinks.forEach(
                record -> {
                  entered.countDown();
                  leave.await();
                  seen.add(record.value());
                }));
    EngineConfig config = settings(1).batchSize(1).creditsPerChannel(2).build();
    try (Engine engine = Engine.start(topology, config)) {
      StateQuery<Long> kept = engine.query("keep");
      feed.send("k", 7, 0);
      await().atMost(SOON).until(() -> kept.get("k") != null);
      feed.send("other", 1, 10_000);
      entered.await();
      await().atMost(SOON).until(() -> engine.metrics().node("keep").in() == 2);
      assertThat(kept.get("k")).as("most timers find no room yet").isEqualTo(7);
      assertThat(kept.get("other")).isEqualTo(1);

      leave.countDown();
      await().atMost(SOON).until(() -> seen.size() == Forgetful.TIMERS);
      assertThat(seen.subList(0, 499)).containsOnly("there");
      assertThat(seen.subList(499, Forgetful.TIMERS)).containsOnly("gone");
      await().atMost(SOON).until(() -> kept.get("k") == null);
      assertThat(kept.get("other")).isEqualTo(1);
    }
  }

  @Test
  void queryThatWaitsWhenTheJobFailsSaysSo() throws Exception {
    Obstacle obstacle = new Obstacle();
    try (Engine engine = Engine.start(obstructed("failing", obstacle), settings(1).build())) {
      StateQuery<Long> sums = engine.<Long>query("sum").within(SOON);
      feed.send("k", -2);
      obstacle.entered.await();
      CompletableFuture<Long> waits = sums.getAsync("k");
      obstacle.leave.countDown();

      assertThatThrownBy(waits::get)
          .hasMessageContaining("minus two")
          .hasMessageContaining("its state is gone");
      await().atMost(SOON).until(() -> engine.status() == JobStatus.FAILED);
      assertFails(
          () -> sums.get("k"),
          ErrorCode.JOB_STOPPED,
          "the job has failed, its state is gone",
          "minus two");
      assertFails(sums.getAsync("k"), ErrorCode.JOB_STOPPED, "the job has failed");
    }
  }

  @Test
  void queryThatWaitsWhenTheEngineIsClosedSaysSo() throws Exception {
    Obstacle obstacle = new Obstacle();
    Engine engine = Engine.start(obstructed("closed", obstacle), settings(1).build());
    StateQuery<Long> sums = engine.<Long>query("sum").within(SOON);
    feed.send("k", -1);
    obstacle.entered.await();
    CompletableFuture<Long> waits = sums.getAsync("k");
    engine.cancel();
    obstacle.leave.countDown();

    assertFails(waits, ErrorCode.JOB_STOPPED, "cancelled, its state is gone");
    engine.close();
    assertFails(() -> sums.get("k"), ErrorCode.JOB_STOPPED, "the job has been cancelled");
  }

  @Test
  void jobThatHasFinishedSaysSo() throws Exception {
    try (Engine engine = Engine.start(counting("finished"), settings(1).build())) {
      feed.send("k", 1);
      feed.end();
      engine.awaitCompletion();
      assertFails(
          () -> engine.query("count").get("k"),
          ErrorCode.JOB_STOPPED,
          "the job has processed all its input, its state is gone");
    }
  }

  @Test
  void queriesDuringARestartFailAndThoseAfterItAreAnswered() throws Exception {
    Obstacle obstacle = new Obstacle();
    AtomicInteger failures = new AtomicInteger();
    Topology topology =
        topology(
            "restarted",
            keyed ->
                keyed
                    .sum("sum", v -> v)
                    .mapValues(
                        "obstacle",
                        v -> v < 0 && failures.getAndIncrement() == 0 ? obstacle.pass(-2L) : v));
    EngineConfig config =
        settings(2)
            .checkpoints(checkpoints(Duration.ofMillis(5)))
            .restart(RestartStrategy.fixed(1, Duration.ofMillis(1)))
            .build();
    try (Engine engine = Engine.start(topology, config)) {
      StateQuery<Long> sums = engine.<Long>query("sum").within(SOON);
      feed.send("k", -2);
      obstacle.entered.await();
      CompletableFuture<Long> waits = sums.getAsync("k");
      obstacle.leave.countDown();

      assertFails(waits, ErrorCode.QUERY_UNANSWERED, "the job", "Ask again as soon as");
      await()
          .atMost(SOON)
          .until(() -> engine.restarts() == 1 && engine.status() == JobStatus.RUNNING);
      feed.send("k", 9);
      await().atMost(SOON).until(() -> sums.get("k") != null && sums.get("k") == 7);
    }
  }

  @Test
  void jobThatIsAboutToBeRestartedSaysSo() throws Exception {
    Obstacle obstacle = new Obstacle();
    obstacle.leave.countDown();
    EngineConfig config =
        settings(1)
            .checkpoints(checkpoints(SOON))
            .restart(RestartStrategy.fixed(1, Duration.ofHours(1)))
            .build();
    try (Engine engine = Engine.start(obstructed("restarting", obstacle), config)) {
      feed.send("k", -2);
      await().atMost(SOON).until(() -> engine.status() == JobStatus.RESTARTING);
      assertFails(
          () -> engine.query("sum").get("k"),
          ErrorCode.QUERY_UNANSWERED,
          "the job has failed and is being started again",
          "minus two",
          "engine.status() says RUNNING");
    }
  }

  @Test
  void whatDependsOnAnAnswerRunsOnAnotherThreadThanTheJobs() throws Exception {
    Obstacle obstacle = new Obstacle();
    try (Engine engine = Engine.start(obstructed("async", obstacle), settings(1).build())) {
      feed.send("k", -1);
      obstacle.entered.await();
      CompletableFuture<String> thread =
          engine.query("sum").getAsync("k").thenApply(answer -> Thread.currentThread().getName());
      obstacle.leave.countDown();
      assertThat(thread.get()).doesNotStartWith("streamforge-");
    }
  }

  @Test
  void threadThatIsInterruptedWaitsNoLonger() throws Exception {
    Obstacle obstacle = new Obstacle();
    try (Engine engine = Engine.start(obstructed("interrupted", obstacle), settings(1).build())) {
      feed.send("k", -1);
      obstacle.entered.await();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> engine.query("sum").within(SOON).get("k"))
          .isInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).isFalse();
      obstacle.leave.countDown();
    }
  }

  @Test
  void queriesThatMakeNoSenseAreRefusedByTheEngine() throws Exception {
    try (Engine engine = Engine.start(counting("refusing"), settings(1).build())) {
      assertFails(
          () -> engine.query("counts"),
          ErrorCode.QUERY_INVALID,
          "there is no node 'counts'",
          "Nodes with state: 'count'.");
      assertFails(
          () -> engine.query("count").state("sum"),
          ErrorCode.QUERY_INVALID,
          "node 'count' has no state 'sum'");
      assertFails(
          () -> engine.query("count").get(7),
          ErrorCode.QUERY_INVALID,
          "keys of node 'count' are of type String, but the query has Integer 7");
      assertFails(engine.query("count").getAsync(7), ErrorCode.QUERY_INVALID, "of type String");
    }
  }

  @Test
  void enginesOfOneProcessAnswerEachFromItsOwnJob() throws Exception {
    Feed otherFeed = new Feed();
    Topology other =
        Topology.builder("other")
            .source("in", otherFeed)
            .groupByKey("keys")
            .count("count")
            .sink("out", Sinks.none())
            .build();
    try (Engine one = Engine.start(counting("one"), settings(1).build());
        Engine two = Engine.start(other, settings(2).build())) {
      feed.send("k", 1);
      otherFeed.send("k", 1);
      otherFeed.send("k", 1);
      await().atMost(SOON).until(() -> Long.valueOf(1).equals(one.query("count").get("k")));
      await().atMost(SOON).until(() -> Long.valueOf(2).equals(two.query("count").get("k")));
    }
  }

  /** Records that a test sends, and that can be read again. */
  private static final class Feed extends OneSplitSource<Long> {
    private final List<Record<String, Long>> records = new ArrayList<>();
    private boolean ended;
    private long replayed;

    Feed() {
      super(Long.class);
    }

    void send(String key, long value) {
      send(key, value, 0);
    }

    synchronized void send(String key, long value, long timestampMillis) {
      records.add(Record.of(key, value, timestampMillis));
    }

    synchronized void end() {
      ended = true;
    }

    @Override
    synchronized @Nullable Record<String, Long> at(long position) {
      if (position < records.size()) {
        return records.get((int) position);
      }
      replayed = position;
      return null;
    }

    @Override
    synchronized boolean hasEnded(long position) {
      return ended && position >= records.size();
    }

    synchronized long replayed() {
      return replayed;
    }
  }
}
