package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.ProcessorSupplier;
import io.streamforge.function.SideOutput;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.Headers;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.source.SourceOptions;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.ValueState;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorsTest {
  private static final SideOutput<String, String> NOTES = SideOutput.of("notes");

  private final TopologyBuilder builder = Topology.builder("job");

  @Test
  void flatMapToSpillsAMillionOutputsOfOneRecordAndKeepsTheirOrder(@TempDir Path directory)
      throws Exception {
    numbers()
        .<Integer>flatMapValuesTo("many", (v, out) -> IntStream.range(0, v).forEach(out::emit))
        .typed(String.class, Integer.class)
        .rebalance("spread")
        .sink("out", Sinks.collect());
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .workers(1)
            .keyGroups(4)
            .maxHeldRecords(1_000)
            .temporaryDirectory(directory)
            .build();
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(builder.build()).config(config).detectAliases(false).start()) {
      driver.<String, Integer>input("in").pipe("k", 1_000_000, 5, Headers.of("h", "x"));
      driver.end();

      List<Record<String, Integer>> all = driver.<String, Integer>output("out").readAll();
      assertThat(all).hasSize(1_000_000);
      for (int i = 0; i < all.size(); i++) {
        Record<String, Integer> record = all.get(i);
        if (record.value() != i || record.timestampMillis() != 5 || record.headers() == null) {
          assertThat(record).isEqualTo(new Record<>("k", i, 5, Headers.of("h", "x")));
        }
      }
      assertThat(driver.finished()).isTrue();
    }
    try (var files = Files.list(directory)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void flatMapToBeyondTheLimitWithoutSerdeSaysWhatCannotBeSpilled() {
    numbers()
        .<Thread.State[][]>flatMapValuesTo(
            "many", (v, out) -> IntStream.range(0, v).forEach(i -> out.emit(null)))
        .rebalance("spread")
        .sink("out", Sinks.none());
    EngineConfig config =
        EngineConfig.builder().parallelism(1).workers(1).keyGroups(4).maxHeldRecords(10).build();
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(builder.build()).config(config).start()) {
      StreamForgeException e =
          catchThrowableOfType(
              StreamForgeException.class,
              () -> driver.<String, Integer>input("in").pipe("k", 100_000, 5));

      assertThat(e.code()).isEqualTo(ErrorCode.OUTPUT_LIMIT_EXCEEDED);
      assertThat(e.context().node()).isEqualTo("many");
      assertThat(e.context().record()).contains("100000");
      assertThat(e)
          .hasMessageContaining("more than 10 records")
          .hasMessageContaining("values of 'spread'");
    }
  }

  /** Can be serialised by its type, but an object that contains itself cannot. */
  static final class Ring {
    private Ring next = this;

    Ring next() {
      return next;
    }
  }

  @Test
  void aValueThatCannotBeWrittenMayStillBePassedOn() {
    numbers()
        .mapValues("ring", v -> new Ring())
        .map("same", (k, r) -> KeyValue.of(k, r.next()))
        .sink("out", Sinks.collect());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      driver.<String, Integer>input("in").pipe("k", 1, 5);
      driver.end();
      assertThat(driver.<String, Ring>output("out").readAll()).hasSize(1);
    }
  }

  @Test
  void flatMapOverAnEndlessIterableRunsInBoundedMemory() throws Exception {
    CountDownLatch enough = new CountDownLatch(500_000);
    builder
        .source("in", Sources.values(1))
        .flatMapValues("endless", v -> () -> endless())
        .typed(Void.class, byte[].class)
        .rebalance("spread")
        .sink("out", Sinks.forEach(record -> enough.countDown()));
    try (Engine engine = Engine.start(builder.build(), EngineFailureTest.config(1))) {
      enough.await();
      engine.cancel();
    }

    assertThat(enough.getCount()).isZero();
  }

  /** Each of 1 kB: 500,000 of them do not fit into the heap that tests have. */
  private static Iterator<byte[]> endless() {
    return java.util.stream.Stream.generate(() -> new byte[1_024]).iterator();
  }

  @Test
  void maxRateLetsExactlyThatManyRecordsThrough() {
    InMemoryChannel<String, Integer> channel = InMemoryChannel.timestamped(1);
    builder
        .source("in", channel, SourceOptions.<String, Integer>defaults().maxRate(10))
        .typed(String.class, Integer.class)
        .sink("out", Sinks.none());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      List<Record<String, Integer>> records = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        records.add(new Record<>("k", i, i, null));
      }
      driver.<String, Integer>input("in").pipeAll(records);
      assertThat(driver.output("out").readAll()).hasSize(1);
      for (int second = 0; second < 9; second++) {
        driver.advanceTime(Duration.ofSeconds(1));
        assertThat(driver.output("out").readAll()).hasSize(10);
      }
      driver.advanceTime(Duration.ofSeconds(2));
      assertThat(driver.output("out").readAll()).hasSize(9);
    }
  }

  @Test
  void processorKeepsStateOfEveryKindForEachKey() {
    process(AllStates::new);
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      var input = driver.<String, Integer>input("in");
      input.pipe("a", 1, 0).pipe("b", 5, 0).pipe("a", 2, 0).pipe("a", -1, 0).pipe("a", 3, 0);

      assertThat(driver.<String, String>output("out").readKeyValues())
          .containsExactly(
              KeyValue.of("a", "null 1 [1] {1=1}"),
              KeyValue.of("b", "null 1 [5] {5=1}"),
              KeyValue.of("a", "1 2 [1, 2] {1=1, 2=1}"),
              KeyValue.of("a", "cleared"),
              KeyValue.of("a", "null 1 [3] {3=1}"));
    }
  }

  @Test
  void eventTimersFireInTheOrderOfTimeAndBeforeTheWatermarkGoesOn() {
    process(() -> new TimerAt(TimeDomain.EVENT));
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      var input = driver.<String, Integer>input("in");
      input.pipe("b", 30, -100).pipe("a", 20, -100).pipe("b", 10, -100).pipe("a", 20, -100);
      input.advanceWatermark(19);
      assertThat(timers(driver)).containsExactly("b@10 W19");
      input.advanceWatermark(100);
      assertThat(timers(driver)).containsExactly("a@20 W100", "b@30 W100");
    }
  }

  @Test
  void eventTimerFiresWhenTheWatermarkReachesItNotBefore() {
    process(() -> new TimerAt(TimeDomain.EVENT));
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      var input = driver.<String, Integer>input("in");
      input.pipe("a", -50, -100);
      input.advanceWatermark(-51);
      assertThat(timers(driver)).isEmpty();
      input.advanceWatermark(-50);
      assertThat(timers(driver)).containsExactly("a@-50 W-50");
    }
  }

  @Test
  void eventTimerSetBehindTheWatermarkFiresInTheNextStepAndOnce() {
    process(() -> new TimerAt(TimeDomain.EVENT));
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      var input = driver.<String, Integer>input("in");
      input.advanceWatermark(1_000);
      input.pipe("a", 10, 2_000);
      assertThat(timers(driver)).hasSize(1).first().asString().startsWith("a@10 ");
      input.advanceWatermark(3_000);
      assertThat(timers(driver)).isEmpty();
    }
  }

  @Test
  void eventTimersThatArePutOffAtTheFinalWatermarkStillFire() {
    process(QuietFor10::new);
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      var input = driver.<String, Integer>input("in");
      input.pipe("a", 1, 0).pipe("b", 1, 3).pipe("a", 1, 9).pipe("a", 1, 12);
      assertThat(timers(driver)).isEmpty();
      driver.end();
      assertThat(timers(driver)).containsExactly("b@13", "a@22");
    }
  }

  @Test
  void jobWhoseTimersNeverEndCanBeCancelled() throws Exception {
    CountDownLatch fired = new CountDownLatch(10_000);
    builder
        .source("in", Sources.collection(List.of(Record.of("k", 1, 0))))
        .typed(String.class, Integer.class)
        .groupByKey("by-key")
        .process("work", () -> new Rearming(fired))
        .typed(String.class, String.class)
        .sink("out", Sinks.none());
    try (Engine engine = Engine.start(builder.build(), EngineFailureTest.config(1))) {
      fired.await();
      engine.cancel();
      assertThatThrownBy(engine::awaitCompletion).hasMessageContaining("JOB_STOPPED");
    }
  }

  @Test
  void processingTimersFireByTheClockAndDeletedOnesDoNot() {
    process(() -> new TimerAt(TimeDomain.PROCESSING));
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      var input = driver.<String, Integer>input("in");
      input.pipe("a", 100, 0).pipe("b", 50, 0).pipe("c", 70, 0).pipe("c", -70, 0);
      driver.advanceTime(Duration.ofMillis(49));
      assertThat(timers(driver)).isEmpty();
      driver.advanceTime(Duration.ofMillis(1));
      assertThat(timers(driver)).hasSize(1).first().asString().startsWith("b@50");
      driver.advanceTime(Duration.ofMillis(200));
      assertThat(timers(driver)).hasSize(1).first().asString().startsWith("a@100");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 3_600_000})
  void c13JumpOfTheWallClockNeitherStallsNorBurstsProcessingTimers(long jump) {
    process(() -> new TimerAt(TimeDomain.PROCESSING));
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      var input = driver.<String, Integer>input("in");
      input.pipe("a", 1_800_000, 0);
      driver.clock().jumpTo(jump);
      driver.advanceTime(Duration.ofSeconds(2));
      assertThat(timers(driver)).hasSize(jump > 0 ? 1 : 0);
      driver.advanceTime(Duration.ofHours(2));
      assertThat(timers(driver)).hasSize(jump > 0 ? 0 : 1);
    }
  }

  @Test
  void sideOutputGetsWhatIsSentThereAndOneThatNobodyReadsSwallowsIt() {
    Stream<String, Integer> main =
        numbers().groupByKey("by-key").process("work", () -> new Noting());
    main.sideOutput(NOTES).typed(String.class, String.class).sink("notes", Sinks.none());
    main.sink("out", Sinks.none());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      driver.<String, Integer>input("in").pipe("a", 1, 7).pipe("a", 2, 8);

      assertThat(driver.<String, String>output("notes").readAll())
          .containsExactly(
              new Record<>("a", "note 1", 7, null), new Record<>("a", "note 2", 8, null));
      assertThat(driver.<String, Integer>output("out").readValues()).containsExactly(1, 2);
      assertThat(driver.metrics().node("work").out()).isEqualTo(6);
      assertThat(driver.metrics().node("work").balanced()).isTrue();
    }
  }

  @Test
  void recordThatNoBranchTakesIsDroppedWithItsReason() {
    numbers()
        .split("parts")
        .branch("small", (k, v) -> v < 10)
        .branch("big", (k, v) -> v > 100, big -> big.sink("bigs", Sinks.none()))
        .stream("small")
        .sink("out", Sinks.none());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      driver.<String, Integer>input("in").pipe("a", 1, 0).pipe("a", 50, 0).pipe("a", 500, 0);

      NodeMetrics parts = driver.metrics().node("parts");
      assertThat(parts.dropped())
          .containsExactlyEntriesOf(java.util.Map.of("no branch takes it", 1L));
      assertThat(parts.processed()).isEqualTo(2);
      assertThat(parts.balanced()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void headersAndNegativeTimestampsTravelThroughEveryKindOfEdge(long seed) {
    numbers()
        .mapValues("plus", v -> v + 1)
        .typed(String.class, Integer.class)
        .flatMapValues("twice", v -> List.of(v, v))
        .typed(String.class, Integer.class)
        .rebalance("spread")
        .groupByKey("by-key")
        .count("count")
        .sink("out", Sinks.none());
    Headers headers = Headers.of("trace", "abc");
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(builder.build()).stress(seed).start()) {
      driver.<String, Integer>input("in").pipe("a", 1, -5_000, headers).pipe("b", 1, -4_000);

      assertThat(driver.<String, Long>output("out").readAll())
          .containsExactlyInAnyOrder(
              new Record<>("a", 1L, -5_000, headers),
              new Record<>("a", 2L, -5_000, headers),
              new Record<>("b", 1L, -4_000, null),
              new Record<>("b", 2L, -4_000, null));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void severalConsumersOfOneGroupingEachGetEveryRecord(long seed) {
    var grouped = numbers().groupBy("by-parity", (k, v) -> v % 2);
    grouped.count("count").sink("counts", Sinks.none());
    grouped.sum("sum", v -> v).sink("sums", Sinks.none());
    grouped.max("max", v -> v).sink("maxima", Sinks.none());
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(builder.build()).stress(seed).start()) {
      var input = driver.<String, Integer>input("in");
      for (int i = 1; i <= 6; i++) {
        input.pipe("k", i, i);
      }

      assertThat(driver.<Integer, Long>output("counts").readKeyValues())
          .contains(KeyValue.of(0, 3L), KeyValue.of(1, 3L))
          .hasSize(6);
      assertThat(driver.<Integer, Long>output("sums").readKeyValues())
          .contains(KeyValue.of(0, 12L), KeyValue.of(1, 9L))
          .hasSize(6);
      assertThat(driver.<Integer, Integer>output("maxima").readKeyValues())
          .contains(KeyValue.of(0, 6), KeyValue.of(1, 5))
          .hasSize(6);
    }
  }

  private Stream<String, Integer> numbers() {
    return builder
        .source(
            "in",
            InMemoryChannel.<String, Integer>timestamped(1),
            WatermarkStrategy.<String, Integer>boundedOutOfOrderness(Duration.ofSeconds(10)))
        .typed(String.class, Integer.class);
  }

  private void process(ProcessorSupplier<String, Integer, String, String> supplier) {
    numbers().groupByKey("by-key").process("work", supplier).sink("out", Sinks.none());
  }

  private static List<String> timers(TopologyTestDriver driver) {
    return driver.<String, String>output("out").readValues();
  }

  private static final class AllStates implements Processor<String, Integer, String, String> {
    private ValueState<Integer> last;
    private LongState count;
    private ListState<Integer> all;
    private MapState<Integer, Integer> times;

    @Override
    public void states(StateDeclarations states) {
      last = states.value("last", Integer.class);
      count = states.longValue("count");
      all = states.list("all", Integer.class);
      times = states.map("times", Integer.class, Integer.class);
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, String> context) {
      if (value < 0) {
        last.clear();
        count.clear();
        all.clear();
        times.clear();
        context.emit(key, "cleared");
        return;
      }
      Integer before = last.get();
      last.set(value);
      all.add(value);
      Integer seen = times.get(value);
      times.put(value, seen == null ? 1 : seen + 1);
      context.emit(key, before + " " + count.add(1) + " " + all.get() + " " + times.entries());
    }
  }

  /** Sets a timer at the value; a negative value in processing time deletes one. */
  /**
   * Emits when a key has had no record for 10 ms; finds that out when the timer of the first is
   * due.
   */
  private static final class QuietFor10 implements Processor<String, Integer, String, String> {
    private LongState deadline;

    @Override
    public void states(StateDeclarations states) {
      deadline = states.longValue("deadline");
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, String> context) {
      if (deadline.get() == 0) {
        context.timers().setEventTimer(context.timestampMillis() + 10);
      }
      deadline.set(Math.max(deadline.get(), context.timestampMillis() + 10));
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      if (timerMillis < deadline.get()) {
        context.timers().setEventTimer(deadline.get());
      } else {
        context.emit(key, key + "@" + timerMillis);
        deadline.clear();
      }
    }
  }

  /** Sets its timer again each time, also when all input has ended. */
  private static final class Rearming implements Processor<String, Integer, String, String> {
    private final CountDownLatch fired;

    Rearming(CountDownLatch fired) {
      this.fired = fired;
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, String> context) {
      context.timers().setEventTimer(0);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      fired.countDown();
      context.timers().setEventTimer(timerMillis + 1);
    }
  }

  private static final class TimerAt implements Processor<String, Integer, String, String> {
    private final TimeDomain domain;

    TimerAt(TimeDomain domain) {
      this.domain = domain;
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, String> context) {
      if (domain == TimeDomain.EVENT) {
        context.timers().setEventTimer(value);
      } else if (value < 0) {
        context.timers().deleteProcessingTimer(-value);
      } else {
        context.timers().setProcessingTimer(value);
      }
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      context.emit(key, key + "@" + timerMillis + " W" + context.watermarkMillis());
    }
  }

  private static final class Noting implements Processor<String, Integer, String, Integer> {
    private static final SideOutput<String, String> UNREAD = SideOutput.of("unread");

    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context) {
      context.emit(NOTES, key, "note " + value);
      context.emit(UNREAD, key, "nobody reads " + value);
      context.emit(key, value);
    }
  }
}
