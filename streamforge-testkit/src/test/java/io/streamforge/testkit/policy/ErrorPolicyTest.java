package io.streamforge.testkit.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.DeadLetter;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.Serdes;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of records that functions reject, in nodes of every kind. */
class ErrorPolicyTest {
  private static final List<String> VALUES = List.of("1", "2", "x", "4", "5");
  private static final ErrorPolicy DEAD_LETTER = ErrorPolicy.deadLetter(Sinks.none());

  private static Stream<String, String> in(TopologyBuilder builder) {
    return builder.source(
        "in", CollectionSource.of(List.of(Record.of("k", "v", 0))), WatermarkStrategy.monotonous());
  }

  private static Stream<String, String> in() {
    return in(Topology.builder("job"));
  }

  /** All ways to run it: 8 interleavings, with classes of its own for each node or without. */
  private static List<TopologyTestDriver.Builder> drivers(Topology topology) {
    List<TopologyTestDriver.Builder> all = new ArrayList<>();
    for (boolean specialise : new boolean[] {false, true}) {
      EngineConfig config =
          EngineConfig.builder()
              .parallelism(1)
              .workers(1)
              .keyGroups(16)
              .specialise(specialise)
              .build();
      all.add(TopologyTestDriver.builder(topology).config(config));
      IntStream.range(0, 4)
          .forEach(
              seed -> all.add(TopologyTestDriver.builder(topology).config(config).stress(seed)));
    }
    return all;
  }

  private static void pipe(TopologyTestDriver driver) {
    TestInput<String, String> input = driver.input("in");
    for (int i = 0; i < VALUES.size(); i++) {
      input.pipe("k", VALUES.get(i), i + 1);
    }
    driver.end();
  }

  private static List<String> texts(TopologyTestDriver driver, String sink) {
    return driver.output(sink).readAll().stream().map(Record::toString).toList();
  }

  private static void assertBooks(NodeMetrics books, long in, long dropped, long deadLettered) {
    assertThat(List.of(books.in(), books.processed(), books.droppedTotal(), books.deadLettered()))
        .as("in, processed, dropped, dead-lettered of %s", books.node())
        .containsExactly(in, in - dropped - deadLettered, dropped, deadLettered);
    assertThat(books.balanced()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aSkippedRecordIsCountedAndThoseBehindItFollow(KindOfNode kind) {
    Topology topology = kind.behind(in(), ErrorPolicy.skip()).sink("out", Sinks.none()).build();
    for (TopologyTestDriver.Builder builder : drivers(topology)) {
      try (TopologyTestDriver driver = builder.start()) {
        pipe(driver);
        assertThat(texts(driver, "out")).containsExactlyInAnyOrderElementsOf(kind.output());
        assertBooks(driver.metrics().node("node"), 5, 1, 0);
        assertThat(driver.metrics().node("node").dropped())
            .isEqualTo(Map.of("skipped: function failed", 1L));
        driver.metrics().nodes().forEach(node -> assertThat(node.balanced()).isTrue());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeadLetterGoesToItsSinkAndTheRecordsBehindItFollow(KindOfNode kind) {
    Topology topology = kind.behind(in(), DEAD_LETTER).sink("out", Sinks.none()).build();
    for (TopologyTestDriver.Builder builder : drivers(topology)) {
      try (TopologyTestDriver driver = builder.start()) {
        pipe(driver);
        assertThat(texts(driver, "out")).containsExactlyInAnyOrderElementsOf(kind.output());
        List<Record<byte[], byte[]>> letters =
            driver.<byte[], byte[]>output("node/dead-letters").readAll();
        assertThat(letters).hasSize(1);
        assertThat(Letters.text(letters.get(0).value())).isEqualTo("x");
        assertThat(Letters.text(letters.get(0).key())).isEqualTo("k");
        assertThat(letters.get(0).timestampMillis()).isEqualTo(3);
        assertThat(DeadLetter.of(letters.get(0)).node()).isEqualTo("node");
        assertBooks(driver.metrics().node("node"), 5, 0, 1);
        assertBooks(driver.metrics().node("node/dead-letters"), 1, 0, 0);
        driver.metrics().nodes().forEach(node -> assertThat(node.balanced()).isTrue());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutAPolicyTheJobFailsAndNamesTheNode(KindOfNode kind) {
    Topology topology = kind.behind(in(), ErrorPolicy.fail()).sink("out", Sinks.none()).build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      StreamForgeException failure =
          catchThrowableOfType(StreamForgeException.class, () -> pipe(driver));
      assertThat(failure.code()).isEqualTo(ErrorCode.FUNCTION_FAILED);
      assertThat(failure.context().node()).isEqualTo("node");
    }
  }

  @ParameterizedTest
  @EnumSource
  void jobGoesOnFromACheckpointBehindEveryRecord(KindOfNode kind) {
    Topology topology = kind.behind(in(), DEAD_LETTER).sink("out", Sinks.none()).build();
    try (TopologyTestDriver driver = TopologyTestDriver.builder(topology).checkpoints().start()) {
      for (int i = 0; i < VALUES.size(); i++) {
        driver.<String, String>input("in").pipe("k", VALUES.get(i), i + 1);
        driver.restart(1 + i % 3);
      }
      driver.end();
      assertThat(texts(driver, "out")).containsExactlyInAnyOrderElementsOf(kind.output());
      assertThat(Letters.texts(driver.<byte[], byte[]>output("node/dead-letters").readAll()))
          .singleElement()
          .asString()
          .startsWith("k=x ");
    }
  }

  @Test
  void policyOfANodeCountsMoreThanThatOfTheJob() {
    TopologyBuilder builder = Topology.builder("job").onError(ErrorPolicy.skip());
    Stream<String, Integer> numbers =
        in(builder)
            .mapValues("letters", v -> Integer.parseInt(v))
            .onError(DEAD_LETTER)
            .mapValues("skipping", v -> 100 / (v - 1))
            .mapValues("failing", v -> 100 / (v - 25))
            .onError(ErrorPolicy.fail());
    numbers.sink("out", Sinks.none());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("k", "x", 1).pipe("k", "1", 2).pipe("k", "2", 3);
      assertThat(driver.output("out").readValues()).containsExactly(100 / 75);
      assertBooks(driver.metrics().node("letters"), 3, 0, 1);
      assertBooks(driver.metrics().node("skipping"), 2, 1, 0);
      assertThatThrownBy(() -> input.pipe("k", "5", 4))
          .hasMessageContaining("FUNCTION_FAILED")
          .hasMessageContaining("node 'failing'");
    }
  }

  @Test
  void headersSayWhatHasHappenedAndThoseOfTheRecordStay() {
    Topology topology =
        in().mapValues("parse", v -> Integer.parseInt(v))
            .onError(DEAD_LETTER)
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).startMillis(1_000).start()) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("k", "1", 5).pipe("k", "x", 7, Headers.of("trace", "abc"));
      Record<byte[], byte[]> letter = driver.<byte[], byte[]>output("parse/dead-letters").read();
      assertThat(letter.headers().last("trace")).isEqualTo("abc".getBytes(StandardCharsets.UTF_8));
      assertThat(DeadLetter.of(letter))
          .isEqualTo(
              new DeadLetter(
                  "parse",
                  ErrorCode.FUNCTION_FAILED,
                  "java.lang.NumberFormatException",
                  "For input string: \"x\"",
                  "split 0, position 1",
                  7L,
                  1_000,
                  DeadLetter.TEXT,
                  null));
      assertThat(DeadLetter.line(letter))
          .isEqualTo(
              "parse\tFUNCTION_FAILED\tjava.lang.NumberFormatException: For input string:"
                  + " \"x\"\tsplit 0, position 1\tx");
    }
  }

  /** A type without a serde, and one whose text fails as well. */
  private static final class Opaque {
    private final Thread.State[][] unknown = new Thread.State[0][];
    private final boolean fails;

    Opaque(boolean fails) {
      this.fails = fails;
    }

    @Override
    public String toString() {
      if (fails) {
        throw new IllegalStateException("no text");
      }
      return "opaque" + unknown.length;
    }
  }

  @Test
  void valuesAreBytesOfTheirSerdeOrText() {
    TopologyBuilder builder = Topology.builder("job");
    in(builder)
        .mapValues("number", v -> Long.parseLong(v))
        .filter("numbers", (k, v) -> fails())
        .onError(DEAD_LETTER)
        .sink("out", Sinks.none());
    in2(builder)
        .mapValues("opaque", v -> new Opaque(v.equals("fails")))
        .filter("texts", (k, v) -> fails())
        .onError(DEAD_LETTER)
        .sink("out2", Sinks.none());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      driver.<String, String>input("in").pipe("k", "300", 1);
      Record<byte[], byte[]> number = driver.<byte[], byte[]>output("numbers/dead-letters").read();
      assertThat(DeadLetter.of(number).form()).isEqualTo(Serdes.longs().name());
      assertThat(Serdes.longs().read(new ByteReader(number.value()))).isEqualTo(300);

      driver.<String, String>input("in2").pipe(null, "v", 1).pipe(null, "fails", 2);
      List<Record<byte[], byte[]>> texts =
          driver.<byte[], byte[]>output("texts/dead-letters").readAll();
      assertThat(texts).allSatisfy(each -> assertThat(each.key()).isNull());
      assertThat(texts)
          .extracting(each -> DeadLetter.of(each).form())
          .containsExactly(DeadLetter.TEXT, DeadLetter.TEXT);
      assertThat(Letters.text(texts.get(0).value())).isEqualTo("opaque0");
      assertThat(Letters.text(texts.get(1).value()))
          .contains("Opaque")
          .contains("IllegalStateException");
    }
  }

  private static Stream<String, String> in2(TopologyBuilder builder) {
    return builder.source("in2", CollectionSource.of(List.of(Record.of("k", "v", 0))));
  }

  private static boolean fails() {
    throw new IllegalStateException("fails");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void failureDownstreamOfAFunctionThatPushesIsNotItsOwn(boolean swallows) {
    Topology topology =
        in().<String>flatMapValuesTo(
                "push",
                (v, out) -> {
                  try {
                    out.emit(v);
                  } catch (RuntimeException e) {
                    if (!swallows) {
                      throw new IllegalStateException("wrapped", e);
                    }
                  }
                })
            .onError(ErrorPolicy.skip())
            .mapValues("parse", v -> Integer.parseInt(v))
            .sink("out", Sinks.none())
            .build();
    for (TopologyTestDriver.Builder builder : drivers(topology)) {
      try (TopologyTestDriver driver = builder.start()) {
        assertThatThrownBy(() -> pipe(driver))
            .isInstanceOf(StreamForgeException.class)
            .hasMessageContaining("node 'parse'")
            .hasMessageContaining("For input string");
      }
    }
  }

  @Test
  void neighboursWithPoliciesKeepTheirRejectionsApart() {
    Topology topology =
        in().<String>flatMapValuesTo(
                "push",
                (v, out) -> {
                  out.emit(v);
                  if (v.equals("2")) {
                    throw new IllegalStateException("after it was emitted");
                  }
                })
            .onError(DEAD_LETTER)
            .mapValues("parse", v -> Integer.parseInt(v))
            .onError(DEAD_LETTER)
            .sink("out", Sinks.none())
            .build();
    for (TopologyTestDriver.Builder builder : drivers(topology)) {
      try (TopologyTestDriver driver = builder.start()) {
        pipe(driver);
        assertThat(driver.output("out").readValues()).containsExactly(1, 2, 4, 5);
        assertThat(Letters.texts(driver.<byte[], byte[]>output("push/dead-letters").readAll()))
            .containsExactly("k=2 IllegalStateException");
        assertThat(Letters.texts(driver.<byte[], byte[]>output("parse/dead-letters").readAll()))
            .containsExactly("k=x NumberFormatException");
      }
    }
  }

  @Test
  void errorsAreNotRejections() {
    Topology topology =
        in().mapValues(
                "node",
                v -> {
                  throw new StackOverflowError("deep");
                })
            .onError(ErrorPolicy.skip())
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      assertThatThrownBy(() -> pipe(driver))
          .hasMessageContaining("node 'node'")
          .hasRootCauseInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void errorsInsideAnExceptionAndInterruptionsAreNotRejections() {
    for (Exception thrown :
        List.of(
            new IllegalStateException("wrapped", new OutOfMemoryError("planted")),
            new InterruptedException("stop"))) {
      Topology topology =
          in().mapValues(
                  "node",
                  v -> {
                    throw thrown;
                  })
              .onError(ErrorPolicy.skip())
              .sink("out", Sinks.none())
              .build();
      try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
        assertThatThrownBy(() -> pipe(driver)).hasMessageContaining("node 'node'");
      }
    }
  }

  @Test
  void moreOutputThanCanBeHeldIsNoRejection() {
    Topology topology =
        in().<Thread.State[][]>flatMapValuesTo(
                "many", (v, out) -> IntStream.range(0, 100_000).forEach(i -> out.emit(null)))
            .onError(ErrorPolicy.skip())
            .rebalance("spread")
            .sink("out", Sinks.none())
            .build();
    EngineConfig config =
        EngineConfig.builder().parallelism(1).workers(1).keyGroups(4).maxHeldRecords(10).build();
    try (TopologyTestDriver driver = TopologyTestDriver.builder(topology).config(config).start()) {
      assertThatThrownBy(() -> driver.input("in").pipe("k", "v", 1))
          .hasMessageContaining("OUTPUT_LIMIT_EXCEEDED");
    }
  }

  /**
   * Counts, sets a timer, emits; then rejects what is no number, and each timer of key {@code t}.
   */
  private static final class HalfWay implements Processor<String, String, String, String> {
    private LongState count;

    @Override
    public void states(StateDeclarations states) {
      count = states.longValue("count");
    }

    @Override
    public void process(String key, String value, ProcessorContext<String, String> context) {
      context.emit(key, "record " + count.add(1));
      context.timers().setEventTimer(100);
      KindOfNode.number(value);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      context.emit(key, "timer after " + count.get());
      if (key.equals("t")) {
        throw new IllegalStateException("no timers here");
      }
    }
  }

  @Test
  void whatAProcessorHasDoneBeforeItThrowsStaysDone() {
    Topology topology =
        in().groupByKey()
            .process("node", HalfWay::new)
            .onError(DEAD_LETTER)
            .sink("out", Sinks.none())
            .build();
    for (TopologyTestDriver.Builder builder : drivers(topology)) {
      try (TopologyTestDriver driver = builder.start()) {
        TestInput<String, String> input = driver.input("in");
        input.pipe("k", "x", 1).pipe("k", "1", 2);
        driver.end();
        assertThat(driver.output("out").readValues())
            .containsExactly("record 1", "record 2", "timer after 2");
        assertBooks(driver.metrics().node("node"), 2, 0, 1);
      }
    }
  }

  @Test
  void aTimerThatThrowsHasFiredAndIsCountedApart() {
    Topology topology =
        in().groupByKey()
            .process("node", HalfWay::new)
            .onError(DEAD_LETTER)
            .sink("out", Sinks.none())
            .build();
    for (TopologyTestDriver.Builder builder : drivers(topology)) {
      try (TopologyTestDriver driver = builder.start()) {
        TestInput<String, String> input = driver.input("in");
        input.pipe("t", "1", 1).pipe("k", "1", 2);
        driver.end();
        assertThat(driver.output("out").readValues())
            .containsExactlyInAnyOrder("record 1", "record 1", "timer after 1", "timer after 1");
        assertBooks(driver.metrics().node("node"), 2, 0, 0);
        assertThat(driver.metrics().node("node").timersRejected()).isEqualTo(1);
        Record<byte[], byte[]> letter = driver.<byte[], byte[]>output("node/dead-letters").read();
        assertThat(Letters.text(letter.key())).isEqualTo("t");
        assertThat(letter.value()).isNull();
        assertThat(letter.timestampMillis()).isEqualTo(100);
        assertThat(DeadLetter.of(letter).timerMillis()).isEqualTo(100);
        assertThat(DeadLetter.of(letter).timestampMillis()).isNull();
      }
    }
  }

  @Test
  void aProcessorWithoutAPolicyFailsTheJobByItsTimer() {
    Topology topology =
        in().groupByKey().process("node", HalfWay::new).sink("out", Sinks.none()).build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      driver.input("in").pipe("t", "1", 1);
      assertThatThrownBy(driver::end).hasMessageContaining("no timers here");
    }
  }

  @Test
  void aResultThatIsDiscardedHalfWayIsReleased() {
    List<String> closed = new ArrayList<>();
    Topology topology =
        in().flatMapValuesStream(
                "node",
                v ->
                    java.util.stream.Stream.of("1", v)
                        .map(s -> KindOfNode.number(s))
                        .onClose(() -> closed.add(v)))
            .onError(ErrorPolicy.skip())
            .sink("out", Sinks.none())
            .build();
    for (TopologyTestDriver.Builder builder : drivers(topology)) {
      closed.clear();
      try (TopologyTestDriver driver = builder.start()) {
        pipe(driver);
        assertThat(driver.output("out").readValues())
            .containsExactly(1L, 1L, 1L, 2L, 1L, 1L, 4L, 1L, 5L);
        assertThat(closed).containsExactlyElementsOf(VALUES);
      }
    }
  }
}
