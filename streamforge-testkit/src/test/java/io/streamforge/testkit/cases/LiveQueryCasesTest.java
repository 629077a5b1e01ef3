package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.operator.Operator;
import io.streamforge.operator.ProcessOperator;
import io.streamforge.operator.Values;
import io.streamforge.record.Record;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import io.streamforge.testkit.HarnessMode;
import io.streamforge.testkit.OperatorHarness;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Trigger;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a query of a running job gives, for every kind of node with state. */
class LiveQueryCasesTest {
  private static Topology topology(Function<KeyedStream<String, Long>, Stream<String, ?>> node) {
    KeyedStream<String, Long> keyed =
        Topology.builder("queried")
            .source(
                "in",
                Sources.collection(List.of(Record.of("k", 1L, 0))),
                WatermarkStrategy.<String, Long>monotonous())
            .groupByKey("keys");
    return node.apply(keyed).sink("out", Sinks.none()).build();
  }

  private static TopologyTestDriver driver(
      Function<KeyedStream<String, Long>, Stream<String, ?>> node) {
    return TopologyTestDriver.of(topology(node));
  }

  private static void assertInvalid(Runnable query, String... parts) {
    assertThatThrownBy(query::run)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INVALID);
              assertThat(e).hasMessageContaining("job 'queried'").hasMessageContainingAll(parts);
            });
  }

  /** The largest value and how often it came, in an accumulator that is changed in place. */
  static final class Largest implements Aggregator<Long, List<Long>, List<Long>> {
    @Override
    public List<Long> create() {
      return new ArrayList<>();
    }

    @Override
    public List<Long> add(List<Long> accumulator, Long value) {
      if (accumulator.isEmpty() || accumulator.get(0) < value) {
        accumulator.clear();
      }
      if (accumulator.isEmpty() || accumulator.get(0).equals(value)) {
        accumulator.add(value);
      }
      return accumulator;
    }

    @Override
    public List<Long> merge(List<Long> into, List<Long> from) {
      from.forEach(value -> add(into, value));
      return into;
    }

    @Override
    public List<Long> result(List<Long> accumulator) {
      if (accumulator.get(0) == 13) {
        throw new IllegalStateException("unlucky");
      }
      return List.copyOf(accumulator);
    }
  }

  @Test
  void runningAggregateGivesItsResultAsOfTheLastRecord() {
    try (TopologyTestDriver driver = driver(keyed -> keyed.count("count"))) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 5L, 0).pipe("b", 5L, 0).pipe("a", 7L, 0);

      assertThat(driver.query("count", "a")).isEqualTo(2L);
      assertThat(driver.query("count", "b")).isEqualTo(1L);
      assertThat(driver.query("count", "c")).isNull();
      assertThat(driver.query("count", "aggregate", "a")).isEqualTo(2L);

      input.pipe("a", 1L, 0);
      assertThat(driver.query("count", "a")).isEqualTo(3L);
    }
  }

  @Test
  void aggregateOfAnyKindGivesItsResultAndNotItsAccumulator() {
    try (TopologyTestDriver driver = driver(keyed -> keyed.average("mean", v -> v))) {
      driver.<String, Long>input("in").pipe("a", 5L, 0).pipe("a", 8L, 0);
      assertThat(driver.query("mean", "a")).isEqualTo(6.5);
    }
    try (TopologyTestDriver driver = driver(keyed -> keyed.reduce("product", (l, r) -> l * r))) {
      driver.<String, Long>input("in").pipe("a", 5L, 0).pipe("a", 8L, 0);
      assertThat(driver.query("product", "a")).isEqualTo(40L);
    }
    try (TopologyTestDriver driver = driver(keyed -> keyed.aggregate("largest", new Largest()))) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 5L, 0).pipe("a", 4L, 0).pipe("a", 5L, 0);
      assertThat(driver.query("largest", "a")).isEqualTo(List.of(5L, 5L));
      input.pipe("a", 6L, 0);
      assertThat(driver.query("largest", "a")).isEqualTo(List.of(6L));
    }
  }

  @Test
  void aggregatorThatThrowsFailsTheQueryAndNotTheJob() {
    Topology quiet =
        topology(
            keyed ->
                keyed
                    .window(Windows.tumbling(Duration.ofMillis(10)))
                    .aggregate("largest", new Largest()));
    try (TopologyTestDriver driver = TopologyTestDriver.of(quiet)) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 13L, 0);
      assertThatThrownBy(() -> driver.query("largest", "a"))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FUNCTION_FAILED))
          .hasMessageContaining("a query could not read state 'windows'")
          .hasMessageContaining("unlucky")
          .hasMessageContaining("job 'queried', node 'largest', task 1[0]");

      input.pipe("a", 14L, 0);
      assertThat(driver.query("largest", "a")).hasToString("[[0,10)=[14]]");
    }
  }

  /** Something that a processor changes in place. */
  static final class Tally {
    long sum;
    List<Long> all = new ArrayList<>();
  }

  /** Keeps a value in a state of each kind; a negative one clears all of them. */
  private static final class Keeper implements Processor<String, Long, String, Long> {
    private final @Nullable TimeToLive timeToLive;
    private ValueState<Tally> tally;
    private LongState number;
    private ListState<Long> list;
    private MapState<Long, String> map;

    Keeper(@Nullable TimeToLive timeToLive) {
      this.timeToLive = timeToLive;
    }

    @Override
    public void states(StateDeclarations states) {
      StateDeclarations kept = timeToLive == null ? states : states.expiring(timeToLive);
      tally = kept.value("tally", Tally.class);
      number = kept.longValue("number");
      list = kept.list("list", Serdes.longs());
      map = kept.map("map", Long.class, String.class);
    }

    @Override
    public void process(String key, Long value, ProcessorContext<String, Long> context) {
      if (value < 0) {
        tally.clear();
        number.clear();
        list.clear();
        map.clear();
        return;
      }
      Tally present = tally.get();
      if (present == null) {
        present = new Tally();
      }
      present.sum += value;
      present.all.add(value);
      tally.set(present);
      number.add(value);
      list.add(value);
      map.put(value, "v" + value);
    }
  }

  private static TopologyTestDriver keeping(@Nullable TimeToLive timeToLive) {
    return TopologyTestDriver.builder(
            topology(keyed -> keyed.process("keep", () -> new Keeper(timeToLive))))
        .checkpoints()
        .start();
  }

  private static String all(TopologyTestDriver driver, String key) {
    Tally tally = (Tally) driver.query("keep", "tally", key);
    return (tally == null ? null : tally.sum + "" + tally.all)
        + " "
        + driver.query("keep", "number", key)
        + " "
        + driver.query("keep", "list", key)
        + " "
        + driver.query("keep", "map", key);
  }

  private static final String NOTHING = "null null null null";

  @Test
  void stateOfAProcessorIsAskedForByName() {
    try (TopologyTestDriver driver = keeping(null)) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 3L, 0).pipe("a", 4L, 0).pipe("b", 1L, 0);

      assertThat(all(driver, "a")).isEqualTo("7[3, 4] 7 [3, 4] {3=v3, 4=v4}");
      assertThat(all(driver, "b")).isEqualTo("1[1] 1 [1] {1=v1}");
      assertThat(all(driver, "c")).isEqualTo(NOTHING);

      input.pipe("a", -1L, 0);
      assertThat(all(driver, "a")).isEqualTo(NOTHING);
      assertThat(all(driver, "b")).isEqualTo("1[1] 1 [1] {1=v1}");

      input.pipe("z", 0L, 0);
      assertThat(driver.query("keep", "number", "z")).as("set to 0").isEqualTo(0L);
    }
  }

  @Test
  void answersAreCopiesThatTheCallerMayChange() {
    try (TopologyTestDriver driver = keeping(null)) {
      driver.<String, Long>input("in").pipe("a", 3L, 0);
      Tally tally = (Tally) driver.query("keep", "tally", "a");
      List<Long> list = Values.cast(driver.query("keep", "list", "a"));
      Map<Long, String> map = Values.cast(driver.query("keep", "map", "a"));
      tally.sum = -1;
      tally.all.clear();
      list.add(99L);
      map.put(99L, "no");
      assertThat(all(driver, "a")).isEqualTo("3[3] 3 [3] {3=v3}");

      driver.<String, Long>input("in").pipe("a", 4L, 0);
      assertThat(tally.all).as("what was answered does not follow the state").isEmpty();
      assertThat(list).containsExactly(3L, 99L);
      assertThat(all(driver, "a")).isEqualTo("7[3, 4] 7 [3, 4] {3=v3, 4=v4}");
    }
  }

  @Test
  void contentThatHasExpiredByEventTimeIsNotThere() {
    try (TopologyTestDriver driver = keeping(TimeToLive.of(Duration.ofMillis(100)))) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 3L, 1_000).pipe("a", 4L, 1_050);
      input.advanceWatermark(1_099);
      assertThat(all(driver, "a")).isEqualTo("7[3, 4] 7 [3, 4] {3=v3, 4=v4}");
      input.advanceWatermark(1_100);
      assertThat(all(driver, "a")).isEqualTo("7[3, 4] 7 [4] {4=v4}");
      input.advanceWatermark(1_149);
      assertThat(all(driver, "a")).isEqualTo("7[3, 4] 7 [4] {4=v4}");
      driver.restart();
      assertThat(all(driver, "a")).isEqualTo("7[3, 4] 7 [4] {4=v4}");
      input.advanceWatermark(1_150);
      assertThat(all(driver, "a")).isEqualTo(NOTHING);
    }
  }

  @Test
  void contentThatHasExpiredByProcessingTimeIsNotThereAlthoughNoRecordCame() {
    TimeToLive timeToLive = TimeToLive.of(Duration.ofMillis(100)).inProcessingTime();
    try (TopologyTestDriver driver = keeping(timeToLive)) {
      driver.<String, Long>input("in").pipe("a", 3L, 0);
      driver.advanceTime(Duration.ofMillis(99));
      assertThat(all(driver, "a")).isEqualTo("3[3] 3 [3] {3=v3}");
      driver.advanceTime(Duration.ofMillis(1));
      assertThat(all(driver, "a")).isEqualTo(NOTHING);
    }
  }

  @Test
  void queriesDoNotRenewWhatReadingRenews() {
    TimeToLive timeToLive = TimeToLive.of(Duration.ofMillis(100)).renewedByReads();
    try (TopologyTestDriver driver = keeping(timeToLive)) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 3L, 1_000);
      input.advanceWatermark(1_099);
      assertThat(all(driver, "a")).isEqualTo("3[3] 3 [3] {3=v3}");
      input.advanceWatermark(1_100);
      assertThat(all(driver, "a")).isEqualTo(NOTHING);
    }
  }

  @Test
  void whileTimersAreStillToFireContentIsThereAsLongAsForThem() throws Exception {
    AtomicReference<Operator> operator = new AtomicReference<>();
    OperatorHarness harness =
        new OperatorHarness(
            KeyKinds.of(Serdes.string()),
            Serdes.longs(),
            HarnessMode.PLAIN,
            context -> {
              operator.set(
                  new ProcessOperator(
                      Values.cast(new Keeper(TimeToLive.of(Duration.ofMillis(100)))), context));
              return operator.get();
            });
    harness.record("k", 3L, 1_000).watermark(1_050).watermark(5_000);
    long hash = KeyKinds.of(Serdes.string()).hash("k");

    // The watermark has leapt to 5,000; up to these times timers have fired.
    assertThat(operator.get().read("number", "k", hash, 1_099)).isEqualTo(3L);
    assertThat(operator.get().read("number", "k", hash, 1_100)).isNull();
    assertThat(operator.get().read("list", "k", hash, 1_099)).isEqualTo(List.of(3L));
    assertThat(operator.get().read("list", "k", hash, 1_100)).isNull();
    harness.close();
  }

  @Test
  void queriesAddNothingToCheckpoints() {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(2)
            .workers(1)
            .keyGroups(16)
            .specialise(Boolean.getBoolean("streamforge.specialise"))
            .checkpoints(CheckpointConfig.at("memory").every(Duration.ofSeconds(10)))
            .build();
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology(keyed -> keyed.process("keep", () -> new Keeper(null))))
            .config(config)
            .start()) {
      for (int i = 0; i < 20; i++) {
        driver.<String, Long>input("in").pipe("k" + i, (long) i, 0);
      }
      driver.advanceTime(Duration.ofSeconds(10));
      assertThat(checkpoints(driver).lastBytes()).isPositive();
      for (int i = 0; i < 20; i++) {
        assertThat(all(driver, "k" + i)).isNotEqualTo(NOTHING);
      }
      driver.advanceTime(Duration.ofSeconds(10));

      assertThat(checkpoints(driver).published()).isEqualTo(2);
      assertThat(checkpoints(driver).lastBytes()).as("nothing has changed").isZero();
    }
  }

  private static CheckpointMetrics checkpoints(TopologyTestDriver driver) {
    CheckpointMetrics metrics = driver.metrics().checkpoints();
    assertThat(metrics).isNotNull();
    return metrics;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void keyIsAskedForWhereItIsAlsoAfterRestartsAtAnotherParallelism(int parallelism) {
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology(keyed -> keyed.sum("sum", v -> v)))
            .parallelism(parallelism)
            .checkpoints()
            .start()) {
      for (long i = 0; i < 100; i++) {
        driver.<String, Long>input("in").pipe("k" + i % 40, i, 0);
      }
      for (int restart : new int[] {0, 3, 1, parallelism}) {
        if (restart > 0) {
          driver.restart(restart);
        }
        for (long k = 0; k < 40; k++) {
          long sum = k < 20 ? 3 * k + 40 + 80 : 2 * k + 40;
          assertThat(driver.query("sum", "k" + k)).as("key %d", k).isEqualTo(sum);
        }
        assertThat(driver.query("sum", "k40")).isNull();
      }
    }
  }

  @Test
  void openWindowsAreListedWithTheirResultsSoFar() {
    try (TopologyTestDriver driver =
        driver(
            keyed ->
                keyed
                    .window(Windows.tumbling(Duration.ofMillis(10)))
                    .allowedLateness(Duration.ofMillis(15))
                    .sum("sum", v -> v))) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 1L, 3).pipe("a", 2L, 12).pipe("b", 5L, 13).pipe("a", 4L, 14);
      assertThat(driver.query("sum", "a")).hasToString("[[0,10)=1, [10,20)=6]");
      assertThat(driver.query("sum", "b")).hasToString("[[10,20)=5]");
      assertThat(driver.query("sum", "windows", "c")).isNull();

      input.advanceWatermark(24);
      input.pipe("a", 8L, 11);
      assertThat(driver.query("sum", "a"))
          .as("closed, and kept for late records")
          .hasToString("[[0,10)=1, [10,20)=14]");
      input.advanceWatermark(25);
      assertThat(driver.query("sum", "a")).hasToString("[[10,20)=14]");
      input.advanceWatermark(35);
      assertThat(driver.query("sum", "a")).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void slidingWindowsAreListedInTheOrderInWhichTheyClose(boolean subtracting) {
    try (TopologyTestDriver driver =
        driver(
            keyed -> {
              var windows =
                  keyed.window(Windows.sliding(Duration.ofMillis(30), Duration.ofMillis(10)));
              return subtracting ? windows.sum("n", v -> v) : windows.max("n", v -> v);
            })) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 1L, 1).pipe("a", 2L, 12).pipe("b", 7L, 15);
      assertThat(driver.query("n", "a"))
          .hasToString(
              subtracting
                  ? "[[-10,20)=3, [0,30)=3, [10,40)=2]"
                  : "[[-10,20)=2, [0,30)=2, [10,40)=2]");
      input.pipe("a", 4L, 45);
      assertThat(driver.query("n", "a")).hasToString("[[20,50)=4, [30,60)=4, [40,70)=4]");
      assertThat(driver.query("n", "b")).isNull();
    }
  }

  @Test
  void sessionsAreListedWithTheirBoundsAtPresent() {
    try (TopologyTestDriver driver =
        driver(
            keyed ->
                keyed
                    .window(Windows.session(Duration.ofMillis(10)))
                    .allowedLateness(Duration.ofMillis(100))
                    .count("visits"))) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 1L, 0).pipe("a", 1L, 20).pipe("a", 1L, 25);
      assertThat(driver.query("visits", "a")).hasToString("[[0,10)=1, [20,35)=2]");
      input.pipe("a", 1L, 9).pipe("a", 1L, 15);
      assertThat(driver.query("visits", "a")).hasToString("[[0,35)=5]");
      input.advanceWatermark(134);
      assertThat(driver.query("visits", "a")).hasToString("[[0,35)=5]");
      input.advanceWatermark(135);
      assertThat(driver.query("visits", "a")).isNull();
    }
  }

  @Test
  void windowsThatDiscardShowWhatHasNotBeenEmitted() {
    Trigger<String> everySecond = Triggers.everyRecords(2);
    try (TopologyTestDriver driver =
        driver(
            keyed ->
                keyed
                    .window(Windows.tumbling(Duration.ofMillis(10)))
                    .trigger(everySecond)
                    .discarding()
                    .sum("sum", v -> v))) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 1L, 0);
      assertThat(driver.query("sum", "a")).hasToString("[[0,10)=1]");
      input.pipe("a", 2L, 0);
      assertThat(driver.query("sum", "a")).isNull();
      input.pipe("a", 4L, 0);
      assertThat(driver.query("sum", "a")).hasToString("[[0,10)=4]");
    }
  }

  @Test
  void windowsThatAccumulateShowAllOfThemWhateverHasBeenEmitted() {
    try (TopologyTestDriver driver =
        driver(
            keyed ->
                keyed
                    .window(Windows.tumbling(Duration.ofMillis(10)))
                    .trigger(Triggers.everyRecords(2))
                    .sum("sum", v -> v))) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("a", 1L, 0).pipe("a", 2L, 0).pipe("a", 4L, 11);
      assertThat(driver.query("sum", "a")).hasToString("[[10,20)=4]");
    }
  }

  @Test
  void totalOverAllOfTimeIsThereBeforeItIsEmitted() {
    try (TopologyTestDriver driver = driver(keyed -> keyed.window(Windows.global()).count("n"))) {
      driver.<String, Long>input("in").pipe("a", 1L, 0).pipe("a", 1L, 5_000);
      List<Windowed<Long>> windows = Values.cast(driver.query("n", "a"));
      assertThat(windows).hasToString("[[global)=2]");
    }
  }

  @Test
  void keyInTooManySlicesIsRefused() {
    try (TopologyTestDriver driver =
        driver(
            keyed ->
                keyed
                    .window(Windows.sliding(Duration.ofHours(1), Duration.ofMillis(100)))
                    .count("n"))) {
      driver.<String, Long>input("in").pipe("a", 1L, 0).pipe("b", 1L, 10_000);
      assertThatThrownBy(() -> driver.query("n", "a"))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INVALID))
          .hasMessageContaining("more than 10000 slices")
          .hasMessageContaining("node 'n'");
    }
  }

  /** A key with an array inside, which records compare by reference. */
  record Point(String name, byte[] bytes) {}

  @Test
  void keysAreFoundByTheirSerialisedForm() {
    Topology topology =
        Topology.builder("queried")
            .source("in", Sources.collection(List.of(Record.of("k", 1L, 0))))
            .groupBy("points", (name, value) -> new Point(name, new byte[] {value.byteValue()}))
            .count("count")
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.builder(topology).parallelism(3).start()) {
      for (long i = 0; i < 30; i++) {
        driver.<String, Long>input("in").pipe("p", i % 10, 0);
      }
      for (byte i = 0; i < 10; i++) {
        byte[] bytes = {i};
        assertThat(driver.query("count", new Point("p", bytes))).isEqualTo(3L);
        assertThat(Arrays.equals(bytes, new byte[] {i})).isTrue();
      }
      assertThat(driver.query("count", new Point("q", new byte[] {1}))).isNull();
      assertInvalid(
          () -> driver.query("count", "p"),
          "keys of node 'count' are of type Point, but the query has String p");
    }
  }

  @Test
  void keyOfAnotherTypeIsRefusedNamingWhatIsExpected() {
    try (TopologyTestDriver driver = driver(keyed -> keyed.count("count"))) {
      assertInvalid(
          () -> driver.query("count", 7),
          "keys of node 'count' are of type String, but the query has Integer 7",
          "node 'count'");
      assertInvalid(
          () -> driver.query("count", Values.<Object>cast(null)),
          "a key is never null",
          "of type String");
    }
  }

  private static final class Plain implements Processor<String, Long, String, Long> {
    @Override
    public void process(String key, Long value, ProcessorContext<String, Long> context) {}
  }

  @Test
  void nodeThatIsNotThereOrHasNoStateIsRefusedNamingThoseThatHave() {
    try (TopologyTestDriver driver =
        driver(
            keyed ->
                keyed
                    .process("keep", () -> new Keeper(null))
                    .filter("some", (key, value) -> true)
                    .groupByKey("again")
                    .count("count"))) {
      assertInvalid(
          () -> driver.query("counts", "a"),
          "there is no node 'counts'",
          "Remedy: Nodes with state: 'keep', 'count'.");
      assertInvalid(
          () -> driver.query("some", "a"),
          "node 'some' has no state",
          "Remedy: Nodes with state: 'keep', 'count'.");
      assertInvalid(
          () -> driver.query("keep", "a"),
          "node 'keep' has several states, and none was named",
          "'tally', 'number', 'list', 'map'.");
      assertInvalid(
          () -> driver.query("keep", "lists", "a"),
          "node 'keep' has no state 'lists'",
          "Remedy: It has 'tally', 'number', 'list', 'map'.");
      assertInvalid(
          () -> driver.query("count", "total", "a"),
          "node 'count' has no state 'total'",
          "Remedy: It has 'aggregate'.");
    }
    try (TopologyTestDriver driver = driver(keyed -> keyed.process("plain", Plain::new))) {
      assertInvalid(
          () -> driver.query("plain", "a"),
          "node 'plain' has no state",
          "Remedy: No node of the topology has state: there is nothing to query.");
    }
  }

  @Test
  void resultsWithoutASerdeAreGivenAsTheyAreEmitted() {
    Topology topology =
        topology(
            keyed ->
                keyed.aggregate(
                    "both",
                    Aggregates.both(
                        Aggregates.<Long>count(),
                        Aggregates.sum((Long v) -> v),
                        (count, sum) -> (Object) Thread.currentThread())));
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      driver.<String, Long>input("in").pipe("a", 1L, 0);
      assertThat(driver.query("both", "a")).isSameAs(Thread.currentThread());
    }
  }

  @Test
  void jobThatHasFinishedAnswersNothing() {
    try (TopologyTestDriver driver = driver(keyed -> keyed.count("count"))) {
      driver.<String, Long>input("in").pipe("a", 1L, 0);
      driver.end();
      assertThatThrownBy(() -> driver.query("count", "a"))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.JOB_STOPPED));
    }
  }
}
