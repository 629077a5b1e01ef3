package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.operator.ProcessOperator;
import io.streamforge.operator.Values;
import io.streamforge.record.Record;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import io.streamforge.testkit.HarnessMode;
import io.streamforge.testkit.OperatorHarness;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** State that expires, to the millisecond, with and without restarts. */
class TimeToLiveCasesTest {
  private static final String NOTHING = "null 0 [] {}";
  private static final TimeToLive EVENT = TimeToLive.of(Duration.ofMillis(100));
  private static final TimeToLive PROCESSING = EVENT.inProcessingTime();

  /** What states are declared with; changed to try what a restart makes of it. */
  private static final class Declared {
    @Nullable TimeToLive timeToLive;

    Declared(@Nullable TimeToLive timeToLive) {
      this.timeToLive = timeToLive;
    }
  }

  /**
   * Does what a record says: {@code put x} writes x into a state of each kind, {@code get} emits
   * all of them, {@code get x} only a field, {@code event t} and {@code processing t} set a timer
   * that writes its time behind what it emits.
   */
  private static final class Keeper implements Processor<String, String, String, String> {
    private final Declared declared;
    private ValueState<String> value;
    private LongState number;
    private ListState<String> list;
    private MapState<String, String> map;

    Keeper(Declared declared) {
      this.declared = declared;
    }

    @Override
    public void states(StateDeclarations states) {
      TimeToLive timeToLive = declared.timeToLive;
      StateDeclarations kept = timeToLive == null ? states : states.expiring(timeToLive);
      value = kept.value("value", String.class);
      number = kept.longValue("number");
      list = kept.list("list", String.class);
      map = kept.map("map", String.class, String.class);
    }

    @Override
    public void process(String key, String command, ProcessorContext<String, String> context) {
      String[] words = command.split(" ");
      switch (words[0]) {
        case "put" -> put(words[1]);
        case "get" -> context.emit(key, words.length == 1 ? all() : words[1] + map.get(words[1]));
        case "event" -> context.timers().setEventTimer(Long.parseLong(words[1]));
        case "processing" -> context.timers().setProcessingTimer(Long.parseLong(words[1]));
        default -> {}
      }
    }

    private void put(String x) {
      value.set(x);
      number.add(1);
      list.add(x);
      map.put(x, x.toUpperCase(Locale.ROOT));
    }

    private String all() {
      return value.get() + " " + number.get() + " " + list.get() + " " + map.entries();
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      context.emit(key, all());
      put(String.valueOf(timerMillis));
    }
  }

  /** A driver, and the watermark. */
  private static final class Run implements AutoCloseable {
    private final Declared declared;
    private final TopologyTestDriver driver;
    private final TestInput<String, String> input;
    private final TestOutput<String, String> output;

    Run(TimeToLive timeToLive) {
      this(new Declared(timeToLive));
    }

    Run(Declared declared) {
      this.declared = declared;
      this.driver =
          TopologyTestDriver.builder(
                  Topology.builder("keeping")
                      .source(
                          "in",
                          Sources.collection(List.of(Record.of("k", "get", 0))),
                          WatermarkStrategy.<String, String>monotonous())
                      .groupByKey("keys")
                      .process("keep", () -> new Keeper(declared))
                      .sink("out", Sinks.none())
                      .build())
              .startMillis(1_000_000)
              .checkpoints()
              .start();
      this.input = driver.input("in");
      this.output = driver.output("out");
    }

    /** A record of key k; the watermark is its timestamp behind it. */
    Run at(long timestampMillis, String command) {
      input.pipe("k", command, timestampMillis);
      return this;
    }

    /** The watermark comes to be this. */
    Run watermark(long millis) {
      input.advanceWatermark(millis);
      return this;
    }

    Run pass(long millis) {
      driver.advanceTime(Duration.ofMillis(millis));
      return this;
    }

    /** What the states hold for a record with this timestamp. */
    String get(long timestampMillis) {
      at(timestampMillis, "get");
      return read();
    }

    String read() {
      return String.join("; ", output.readValues());
    }

    @Override
    public void close() {
      driver.close();
    }
  }

  @Test
  void a07ContentIsThereWhileTheWatermarkIsBeforeItsEndAndGoneThen() {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put x").watermark(1_099);
      assertThat(run.get(1_099)).isEqualTo("x 1 [x] {x=X}");
      run.watermark(1_100);
      assertThat(run.get(1_100)).isEqualTo(NOTHING);
    }
  }

  @Test
  void a07RecordsAheadOfTheWatermarkDoNotMakeContentExpire() {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put x");
      assertThat(run.get(5_000)).isEqualTo("x 1 [x] {x=X}");
      assertThat(run.get(5_000)).isEqualTo(NOTHING);
    }
  }

  @Test
  void a07WritingRenewsWhatIsWrittenAndReadingDoesNot() {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put x").at(1_050, "put y").at(1_060, "get").watermark(1_100);
      run.read();
      assertThat(run.get(1_100)).isEqualTo("y 2 [y] {y=Y}");
      run.watermark(1_149);
      assertThat(run.get(1_149)).isEqualTo("y 2 [y] {y=Y}");
      run.watermark(1_150);
      assertThat(run.get(1_150)).isEqualTo(NOTHING);
      run.at(1_150, "put z");
      assertThat(run.get(1_150)).as("begins anew").isEqualTo("z 1 [z] {z=Z}");
    }
  }

  @Test
  void a07ReadingRenewsWhereItIsToldTo() {
    try (Run run = new Run(EVENT.renewedByReads())) {
      run.at(1_000, "put x").at(1_010, "put y");
      assertThat(run.get(1_099)).isEqualTo("y 2 [x, y] {x=X, y=Y}");
      run.watermark(1_198);
      run.at(1_198, "get x");
      assertThat(run.read()).as("one field").isEqualTo("xX");
      run.watermark(1_199);
      assertThat(run.get(1_199)).isEqualTo("null 0 [] {x=X}");
      run.watermark(1_298);
      run.at(1_298, "get x");
      assertThat(run.read()).isEqualTo("xX");
      run.watermark(1_398);
      run.at(1_398, "get x");
      assertThat(run.read()).isEqualTo("xnull");
    }
  }

  @Test
  void a07StampsNeverGoBack() {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put x").at(950, "put x").watermark(1_099);
      assertThat(run.get(1_099))
          .as("the element that came late has a stamp of its own")
          .isEqualTo("x 2 [x] {x=X}");
      run.watermark(1_100);
      assertThat(run.get(1_100)).isEqualTo(NOTHING);
    }
  }

  @Test
  void a07WhatARecordWritesThatIsLateByTheWholeLifeIsGoneAtOnce() {
    try (Run run = new Run(EVENT)) {
      run.watermark(1_000).at(901, "put x").at(900, "put y");
      assertThat(run.get(1_000)).isEqualTo("y 2 [x] {x=X}");
      run.watermark(1_001);
      assertThat(run.get(1_001)).isEqualTo(NOTHING);
    }
  }

  @Test
  void timersOfEventTimeSeeWhatWasThereAtTheirTimeHoweverFarTheWatermarkLeaps() {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put x").at(1_000, "event 1100").at(1_000, "event 1099");
      run.driver.end();
      assertThat(run.read()).isEqualTo("x 1 [x] {x=X}; 1099 2 [1099] {1099=1099}");
    }
  }

  @Test
  void timersOfProcessingTimeGoByTheWatermark() {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put x").at(1_000, "processing 1000010").watermark(1_099);
      run.pass(10);
      assertThat(run.read()).isEqualTo("x 1 [x] {x=X}");
      run.watermark(1_198);
      assertThat(run.get(1_198)).isEqualTo("1000010 2 [1000010] {1000010=1000010}");
      run.watermark(1_199);
      assertThat(run.get(1_199)).isEqualTo(NOTHING);
    }
  }

  @Test
  void a07ProcessingTimeIsThatOfTheJob() {
    try (Run run = new Run(PROCESSING)) {
      run.pass(17).at(5_000, "put x").pass(99);
      assertThat(run.get(90_000)).isEqualTo("x 1 [x] {x=X}");
      run.pass(1);
      assertThat(run.get(0)).isEqualTo(NOTHING);
    }
  }

  @Test
  void a07ReadingRenewsInProcessingTime() {
    try (Run run = new Run(PROCESSING.renewedByReads())) {
      run.at(0, "put x").pass(99);
      assertThat(run.get(0)).isEqualTo("x 1 [x] {x=X}");
      run.pass(99);
      assertThat(run.get(0)).isEqualTo("x 1 [x] {x=X}");
      run.pass(100);
      assertThat(run.get(0)).isEqualTo(NOTHING);
    }
  }

  @Test
  void c13ClockThatJumpsMakesNoDifferenceToALife() {
    try (Run run = new Run(PROCESSING)) {
      run.at(0, "put x").pass(50);
      run.driver.clock().jumpTo(1_000_000 - Duration.ofHours(1).toMillis());
      assertThat(run.get(0)).isEqualTo("x 1 [x] {x=X}");
      run.driver.clock().jumpTo(1_000_000 + Duration.ofHours(1).toMillis());
      assertThat(run.pass(49).get(0)).isEqualTo("x 1 [x] {x=X}");
      assertThat(run.pass(1).get(0)).isEqualTo(NOTHING);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7})
  void a07WhatIsLeftOfALifeIsKeptByRestarts(int parallelism) {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put x").at(1_050, "put y");
      run.driver.restart(parallelism);
      run.watermark(1_099);
      assertThat(run.get(1_099)).isEqualTo("y 2 [x, y] {x=X, y=Y}");
      run.driver.restart(1);
      run.watermark(1_100);
      run.driver.restart(parallelism);
      assertThat(run.get(1_100)).isEqualTo("y 2 [y] {y=Y}");
      run.watermark(1_150);
      assertThat(run.get(1_150)).isEqualTo(NOTHING);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7})
  void a07ProcessingTimeGoesOnWhereTheCheckpointWas(int parallelism) {
    try (Run run = new Run(PROCESSING)) {
      run.pass(1_000).at(0, "put x").pass(60);
      run.driver.restart(parallelism);
      run.pass(39);
      assertThat(run.get(0)).isEqualTo("x 1 [x] {x=X}");
      run.driver.restart(2);
      assertThat(run.get(0)).isEqualTo("x 1 [x] {x=X}");
      run.pass(1);
      assertThat(run.get(0)).isEqualTo(NOTHING);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anotherDurationCountsFromTheStampsThatAreThere(boolean processing) {
    Declared declared = new Declared(processing ? PROCESSING : EVENT);
    try (Run run = new Run(declared)) {
      run.at(1_000, "put x").pass(50).watermark(1_050);
      Duration longer = Duration.ofMillis(200);
      declared.timeToLive =
          processing ? TimeToLive.of(longer).inProcessingTime() : TimeToLive.of(longer);
      run.driver.restart();
      run.watermark(1_199).pass(149);
      assertThat(run.get(1_199)).isEqualTo("x 1 [x] {x=X}");
      run.watermark(1_200).pass(1);
      assertThat(run.get(1_200)).isEqualTo(NOTHING);
    }
  }

  @Test
  void contentThatWasStoredWithoutExpiringLivesFromTheRestartOn() {
    Declared declared = new Declared(null);
    try (Run run = new Run(declared)) {
      run.at(1_000, "put x").at(1_500, "put y").at(1_500, "put x");
      declared.timeToLive = EVENT;
      run.driver.restart(2);
      run.watermark(1_599);
      assertThat(run.get(1_599)).isEqualTo("x 3 [x, y, x] {x=X, y=Y}");
      run.watermark(1_600);
      assertThat(run.get(1_600)).isEqualTo(NOTHING);
    }
  }

  @Test
  void contentThatWasStoredWithoutExpiringLivesFromTheRestartOnInProcessingTime() {
    Declared declared = new Declared(null);
    try (Run run = new Run(declared)) {
      run.at(1_000, "put x").pass(5_000);
      declared.timeToLive = PROCESSING;
      run.driver.restart();
      run.pass(99);
      assertThat(run.get(1_000)).isEqualTo("x 1 [x] {x=X}");
      run.pass(1);
      assertThat(run.get(1_000)).isEqualTo(NOTHING);
    }
  }

  @Test
  void contentThatDoesNotExpireAnyMoreStays() {
    Declared declared = new Declared(PROCESSING);
    try (Run run = new Run(declared)) {
      run.at(1_000, "put x");
      declared.timeToLive = null;
      run.driver.restart(2);
      run.watermark(1_000_000).pass(1_000_000);
      assertThat(run.get(1_000_000)).isEqualTo("x 1 [x] {x=X}");
      run.driver.restart();
      assertThat(run.get(1_000_000)).isEqualTo("x 1 [x] {x=X}");
    }
  }

  @Test
  void contentThatExpiresByTheOtherKindOfTimeLivesFromTheRestartOn() {
    Declared declared = new Declared(EVENT);
    try (Run run = new Run(declared)) {
      run.at(1_000, "put x").watermark(1_050).pass(3_000);
      declared.timeToLive = PROCESSING;
      run.driver.restart();
      run.watermark(9_000).pass(99);
      assertThat(run.get(9_000)).isEqualTo("x 1 [x] {x=X}");
      declared.timeToLive = EVENT;
      run.driver.restart();
      run.pass(1_000).watermark(9_099);
      assertThat(run.get(9_099)).isEqualTo("x 1 [x] {x=X}");
      run.watermark(9_100);
      assertThat(run.get(9_100)).isEqualTo(NOTHING);
    }
  }

  /** Text that ends where the bytes do. */
  private static final class Tail implements Serde<String> {
    @Override
    public void write(String value, ByteWriter output) {
      byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
      output.writeBytes(bytes, 0, bytes.length);
    }

    @Override
    public String read(ByteReader input) {
      byte[] bytes = new byte[input.remaining()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) input.readByte();
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "tail";
    }
  }

  /** What a {@link Tally} holds. */
  private record Held<T>(@Nullable TimeToLive timeToLive, Serde<T> serde, IntFunction<T> of) {}

  /** Holds numbers of some type, and their names, and emits all at each record. */
  private static final class Tally<T> implements Processor<String, Integer, String, String> {
    private final Held<T> held;
    private ValueState<T> last;
    private ListState<T> all;
    private MapState<Integer, T> squares;
    private MapState<Integer, String> names;

    Tally(Held<T> held) {
      this.held = held;
    }

    @Override
    public void states(StateDeclarations declarations) {
      StateDeclarations states =
          held.timeToLive == null ? declarations : declarations.expiring(held.timeToLive);
      last = states.value("last", held.serde);
      all = states.list("all", held.serde);
      squares = states.map("squares", Serdes.ints(), held.serde);
      names = states.map("names", Serdes.ints(), new Tail());
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, String> context) {
      String before = last.get() + " ";
      last.set(held.of.apply(value));
      all.add(held.of.apply(value));
      squares.put(value, held.of.apply(value * value));
      names.put(value, "name " + value);
      context.emit(key, before + all.get() + " " + squares.entries() + " " + names.entries());
    }
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true"})
  void typesEvolveWhetherTheirStateExpiresOrNot(boolean before, boolean after) {
    AtomicReference<Held<?>> held =
        new AtomicReference<>(
            new Held<>(before ? EVENT : null, Serdes.longs(), value -> (long) value));
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(
                Topology.builder("tallies")
                    .source(
                        "in",
                        Sources.collection(List.of(Record.of("k", 1, 0))),
                        WatermarkStrategy.<String, Integer>monotonous())
                    .groupByKey("keys")
                    .process("tally", () -> new Tally<>(held.get()))
                    .sink("out", Sinks.none())
                    .build())
            .checkpoints()
            .start()) {
      TestInput<String, Integer> input = driver.input("in");
      input.pipe("k", 2, 1_000);
      held.set(new Held<>(after ? EVENT : null, Serdes.bigIntegers(), BigInteger::valueOf));
      driver.restart(2);
      input.pipe("k", 3, 1_000);
      assertThat(driver.<String, String>output("out").readValues())
          .containsExactly("null [2] {2=4} {2=name 2}", "2 [2, 3] {2=4, 3=9} {2=name 2, 3=name 3}");
    }
  }

  @Test
  void stateCannotBeginToExpireByAnEventTimeThatIsNotKnown() {
    Declared declared = new Declared(null);
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(
                Topology.builder("keeping")
                    .source(
                        "in",
                        Sources.collection(List.of(Record.of("k", "get", 0))),
                        WatermarkStrategy.<String, String>monotonous())
                    .groupByKey("keys")
                    .process("keep", () -> new Keeper(declared))
                    .sink("out", Sinks.none())
                    .build())
            .partitions("in", 2) // one of which says nothing, and holds the watermark
            .checkpoints()
            .start()) {
      driver.<String, String>input("in").pipe("k", "put x", 0);
      declared.timeToLive = EVENT;
      assertThatThrownBy(driver::restart)
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.STATE_INCOMPATIBLE);
                assertThat(e.summary())
                    .isEqualTo(
                        "state 'value' of node 'keep' now expires by event time, was stored"
                            + " without, and the checkpoint has no event time that it could begin"
                            + " with");
                assertThat(e.remedy()).contains("inProcessingTime()");
              });
    }
  }

  @Test
  void longestLifeDoesNotOverflow() {
    try (Run run = new Run(TimeToLive.of(Duration.ofMillis(Long.MAX_VALUE)))) {
      run.at(1_000, "put x").watermark(Long.MAX_VALUE - 1);
      assertThat(run.get(Long.MAX_VALUE - 1)).isEqualTo("x 1 [x] {x=X}");
    }
  }

  @Test
  void timesBeforeTheEpochAreTimes() {
    try (Run run = new Run(EVENT)) {
      run.at(-1_000, "put x").watermark(-901);
      assertThat(run.get(-901)).isEqualTo("x 1 [x] {x=X}");
      run.watermark(-900);
      assertThat(run.get(-900)).isEqualTo(NOTHING);
    }
  }

  @Test
  void fieldThatHasExpiredIsInsertedAnewBehindTheOthers() {
    try (Run run = new Run(EVENT)) {
      run.at(1_000, "put a").at(1_050, "put b").watermark(1_100).at(1_100, "put a");
      assertThat(run.get(1_100)).isEqualTo("a 3 [b, a] {b=B, a=A}");
    }
  }

  private static OperatorHarness harness(TimeToLive timeToLive) throws Exception {
    return new OperatorHarness(
        KeyKinds.of(Serdes.longs()),
        Serdes.string(),
        HarnessMode.PLAIN,
        context ->
            new ProcessOperator(
                Values.cast(
                    new Processor<Long, String, Long, String>() {
                      private final Keeper keeper = new Keeper(new Declared(timeToLive));

                      @Override
                      public void states(StateDeclarations states) {
                        keeper.states(states);
                      }

                      @Override
                      public void process(
                          Long key, String value, ProcessorContext<Long, String> unused) {
                        keeper.put(value);
                      }
                    }),
                context));
  }

  private static List<Integer> sizes(KeyedStates states) {
    return List.of(
        states.table(StateDescriptor.of("value", Serdes.string())).size(),
        states.columns(ColumnsDescriptor.of("number", 2, "")).size(),
        states.table(StateDescriptor.of("list", Serdes.string())).size(),
        states.table(StateDescriptor.of("map", Serdes.string())).size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tablesDoNotGrowWithKeysThatAreNeverSeenAgain(boolean processing) throws Exception {
    OperatorHarness harness = harness(life(processing));
    int largest = 0;
    for (long i = 0; i < 50_000; i++) {
      if (processing) {
        harness.clock(i);
      }
      harness.record(i, "x", i);
      if (!processing && i % 100 == 0) {
        harness.watermark(i);
      }
      largest = Math.max(largest, sizes(harness.states()).stream().max(Integer::compare).get());
    }
    // 500 are alive at a time, or 600 with those ahead of the watermark.
    assertThat(largest).isBetween(500, 1_200);
    harness.close();
  }

  private static TimeToLive life(boolean processing) {
    TimeToLive event = TimeToLive.of(Duration.ofMillis(500));
    return processing ? event.inProcessingTime() : event;
  }

  @Test
  void tablesAreEmptiedByWatermarksAlone() throws Exception {
    OperatorHarness harness = harness(life(false));
    for (long i = 0; i < 1_000; i++) {
      harness.record(i, "x", 0);
    }
    assertThat(sizes(harness.states())).containsOnly(1_000);
    for (long watermark = 500; watermark < 600; watermark++) {
      harness.watermark(watermark);
    }
    assertThat(sizes(harness.states())).containsOnly(0);
    harness.close();
  }

  @Test
  void fieldsAndElementsOfOneKeyDoNotPileUp() {
    try (Run run = new Run(EVENT)) {
      for (int i = 0; i < 20_000; i++) {
        run.at(i, "put x" + i);
      }
      // A hundred are alive and twice as many may be kept, of about twenty bytes in each state.
      assertThat(savedBytes(run)).isBetween(4_000L, 12_000L);
    }
  }

  @Test
  void checkpointsShrinkWithWhatHasExpired() {
    try (Run run = new Run(EVENT)) {
      for (int i = 0; i < 2_000; i++) {
        run.input.pipe("key" + i, "put x", 1_000);
      }
      assertThat(savedBytes(run)).isGreaterThan(50_000);
      for (int i = 0; i < 1_000; i++) {
        run.watermark(2_000 + i);
      }
      assertThat(savedBytes(run)).isLessThan(1_000);
    }
  }

  /** Bytes of all state in a checkpoint that is taken now. */
  private static long savedBytes(Run run) {
    run.pass(Duration.ofDays(1).toMillis());
    CheckpointMetrics metrics = run.driver.metrics().checkpoints();
    return metrics == null ? -1 : metrics.fullBytes();
  }
}
