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
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Aggregator;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.Headers;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobStatus;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever fails, the error names job, node, record, position and cause. */
class EngineFailureTest {
  private static final int BAD = 37;

  @Test
  void mapThatThrowsInAChainOfSimilarOperatorsIsNamed() {
    StreamForgeException e =
        failure(
            s ->
                s.mapValues("first", v -> v)
                    .mapValues("second", EngineFailureTest::refuseBad)
                    .mapValues("third", v -> v));

    assertFunctionFailed(e, "second");
    assertThat(e.context().position()).isEqualTo("split 0, position 37");
  }

  @Test
  void mapThatThrowsBehindAnExchangeIsNamedWithItsInputRecord() {
    StreamForgeException e =
        failure(
            s ->
                s.mapValues("before", v -> v)
                    .rebalance("spread")
                    .mapValues("plus", v -> v)
                    .mapValues("check", EngineFailureTest::refuseBad));

    assertFunctionFailed(e, "check");
    assertThat(e.context().position()).contains("'spread'").contains("record ");
  }

  @Test
  void mapThatThrowsInOneOfTwoBranchesIsNamed() {
    StreamForgeException e =
        failure(
            s -> {
              var branches =
                  s.split("parity").branch("odd", (k, v) -> v % 2 == 1).otherwise("even");
              Stream<String, Integer> odd = branches.stream("odd");
              Stream<String, Integer> even = branches.stream("even");
              Stream<String, Integer> left = odd.mapValues("left", EngineFailureTest::refuseBad);
              Stream<String, Integer> right = even.mapValues("right", v -> v);
              return left.typed(String.class, Integer.class)
                  .merge("join", right.typed(String.class, Integer.class));
            });

    assertFunctionFailed(e, "left");
  }

  @Test
  void flatMapWhoseIteratorThrowsIsNamedNotTheOneInFrontOfIt() {
    StreamForgeException e =
        failure(
            s ->
                s.flatMapValues("outer", v -> List.of(v))
                    .typed(String.class, Integer.class)
                    .flatMapValues("inner", v -> () -> failingIterator(v))
                    .typed(String.class, Integer.class));

    assertFunctionFailed(e, "inner");
  }

  @Test
  void flatMapThatThrowsAfterManyStepsStillNamesTheRecordAndItsPosition() {
    StreamForgeException e =
        failure(
            s ->
                s.flatMapValues("many", v -> () -> longIterator(v))
                    .typed(String.class, Integer.class));

    assertFunctionFailed(e, "many");
    assertThat(e.context().position()).isEqualTo("split 0, position 37");
  }

  @Test
  void pushingFlatMapThatThrowsIsNamedAndNotWhatFollows() {
    StreamForgeException e =
        failure(
            s ->
                s.<Integer>flatMapValuesTo(
                        "push",
                        (v, out) -> {
                          out.emit(v);
                          refuseBad(v);
                        })
                    .typed(String.class, Integer.class)
                    .mapValues("next", v -> v));

    assertFunctionFailed(e, "push");
  }

  @Test
  void aggregatorThatThrowsIsNamed() {
    StreamForgeException e =
        failure(
            s ->
                s.groupBy("by-value", (k, v) -> v % 3)
                    .aggregate("fold", new RefusingAggregator())
                    .map("back", (k, v) -> KeyValue.of("k", v))
                    .typed(String.class, Integer.class));

    assertFunctionFailed(e, "fold");
  }

  @Test
  void processorThatThrowsIsNamedWithTheRecord() {
    StreamForgeException e =
        failure(s -> s.groupByKey("by-key").process("work", RefusingProcessor::new));

    assertFunctionFailed(e, "work");
  }

  @Test
  void timerThatThrowsIsNamedWithoutARecord() {
    StreamForgeException e =
        failure(s -> s.groupByKey("by-key").process("work", RefusingTimer::new));

    assertThat(e.code()).isEqualTo(ErrorCode.FUNCTION_FAILED);
    assertThat(e.context().node()).isEqualTo("work");
    assertThat(e.context().record()).isNull();
    assertThat(e.getMessage()).contains("bad timer");
  }

  @Test
  void mapBehindATimerThatThrowsIsNamed() {
    StreamForgeException e =
        failure(
            s ->
                s.groupByKey("by-key")
                    .process("work", EmittingTimer::new)
                    .mapValues("after", EngineFailureTest::refuseBad));

    assertThat(e.context().node()).isEqualTo("after");
    assertThat(e.context().record()).isNull();
  }

  @Test
  void openThatThrowsStopsTheStartAndClosesOnlyWhatWasOpened() {
    AtomicInteger closed = new AtomicInteger();
    Topology topology =
        numbers(
            s -> s.groupByKey("by-key").process("work", () -> new RefusingOpen(closed)),
            Sinks.none());

    StreamForgeException e =
        catchThrowableOfType(
            StreamForgeException.class, () -> Engine.start(topology, config(1)).close());

    assertThat(e.context().node()).isEqualTo("work");
    assertThat(e.context().job()).isEqualTo("numbers");
    assertThat(e).hasMessageContaining("cannot open");
    assertThat(closed).hasValue(1);
  }

  @Test
  void closeThatThrowsFailsTheJob() {
    StreamForgeException e =
        failure(s -> s.groupByKey("by-key").process("work", RefusingClose::new));

    assertThat(e.context().node()).isEqualTo("work");
    assertThat(e).hasMessageContaining("cannot close");
  }

  @Test
  void sinkThatThrowsOnTheTaskItselfIsNamedWithTheRecord() {
    StreamForgeException e = failure(s -> s, new RefusingSink(false, "write"));

    assertThat(e.code()).isEqualTo(ErrorCode.SINK_FAILED);
    assertThat(e.context().node()).isEqualTo("out");
    assertThat(e.context().record()).contains("37");
  }

  @Test
  void blockingSinkThatThrowsIsNamedWithTheRecord() {
    StreamForgeException e = failure(s -> s, new RefusingSink(true, "write"));

    assertThat(e.code()).isEqualTo(ErrorCode.SINK_FAILED);
    assertThat(e.context().node()).isEqualTo("out");
    assertThat(e.context().record()).contains("37");
    assertThat(e).hasRootCauseMessage("cannot write");
  }

  @ParameterizedTest
  @ValueSource(strings = {"finish", "close"})
  void sinkThatFailsInItsLastMomentStillFailsTheJob(String when) {
    for (boolean blocking : new boolean[] {true, false}) {
      for (int i = 0; i < 20; i++) {
        StreamForgeException e = failure(s -> s, new RefusingSink(blocking, when));

        assertThat(e.code()).isEqualTo(ErrorCode.SINK_FAILED);
        assertThat(e.context().node()).isEqualTo("out");
        assertThat(e).hasMessageContaining("cannot " + when);
      }
    }
  }

  @Test
  void sinkThatCannotBeOpenedClosesTheWritersOpenedBeforeIt() {
    CountingSink counting = new CountingSink();
    TopologyBuilder builder = Topology.builder("two-sinks");
    Stream<Void, String> lines = builder.source("lines", Sources.values("a", "b"));
    lines.sink("first", counting);
    lines.sink("second", new RefusingSink<Void, String>(false, "open"));

    assertThatThrownBy(() -> Engine.start(builder.build(), config(2)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("'second'")
        .hasMessageContaining("cannot open");
    assertThat(counting.opened.get()).isPositive();
    assertThat(counting.closed).hasValue(counting.opened.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sourceThatThrowsIsNamed(boolean blocking) {
    TopologyBuilder builder = Topology.builder("numbers");
    builder
        .source("in", new TestSources.Reading(blocking, refusingReader()))
        .sink("out", Sinks.none());

    StreamForgeException e = run(builder.build());

    assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_FAILED);
    assertThat(e.context().job()).isEqualTo("numbers");
    assertThat(e.context().node()).isEqualTo("in");
    assertThat(e).hasRootCauseMessage("cannot read");
  }

  @Test
  void timestampExtractorThatThrowsNamesTheSourceAndTheRecord() {
    TopologyBuilder builder = Topology.builder("numbers");
    builder
        .source(
            "in",
            Sources.collection(records()),
            WatermarkStrategy.<String, Integer>monotonous().timestamps((k, v, t) -> refuseBad(v)))
        .sink("out", Sinks.none());

    StreamForgeException e = run(builder.build());

    assertThat(e.context().node()).isEqualTo("in");
    assertThat(e.context().record()).contains("37");
    assertThat(e.context().position()).isEqualTo("split 0, position 37");
    assertThat(e).hasMessageContaining("bad 37");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
  void timestampOutOfRangeIsAnErrorWithTheRecord(long timestamp) {
    TopologyBuilder builder = Topology.builder("numbers");
    builder
        .source(
            "in",
            Sources.collection(records()),
            WatermarkStrategy.<String, Integer>monotonous()
                .timestamps((k, v, t) -> v == BAD ? timestamp : t))
        .sink("out", Sinks.none());

    StreamForgeException e = run(builder.build());

    assertThat(e.code()).isEqualTo(ErrorCode.TIMESTAMP_OUT_OF_RANGE);
    assertThat(e.context().node()).isEqualTo("in");
    assertThat(e.context().record()).contains("37");
  }

  @Test
  void nullKeyIsAnErrorOfTheGrouping() {
    StreamForgeException e =
        failure(
            s -> {
              s.groupBy("by-name", (k, v) -> v == BAD ? null : k)
                  .typed(String.class, Integer.class)
                  .count("count")
                  .sink("counts", Sinks.none());
              return s;
            });

    assertThat(e.code()).isEqualTo(ErrorCode.NULL_KEY);
    assertThat(e.context().node()).isEqualTo("by-name");
    assertThat(e.context().record()).contains("37");
    assertThat(e.context().position()).isEqualTo("split 0, position 37");
  }

  @Test
  void recordAndCauseThatCannotBePrintedDoNotHideTheFailure() {
    TopologyBuilder builder = Topology.builder("numbers");
    builder
        .source("in", Sources.values(new Unprintable(null)))
        .typed(Void.class, Unprintable.class)
        .peek(
            "look",
            (k, v) -> {
              throw new UnprintableException();
            })
        .sink("out", Sinks.none());

    StreamForgeException e = run(builder.build());

    assertThat(e.context().node()).isEqualTo("look");
    assertThat(e.context().record()).contains("Record");
    assertThat(e.summary()).contains("UnprintableException");
  }

  @Test
  void errorThatIsNoExceptionFailsTheJobToo() {
    StreamForgeException e =
        failure(
            s ->
                s.peek(
                    "look",
                    (k, v) -> {
                      throw new StackOverflowError("deep");
                    }));

    assertThat(e.context().node()).isEqualTo("look");
    assertThat(e).hasRootCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void invalidSettingsAreListedAllAtOnce() {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(0)
            .workers(0)
            .batchSize(0)
            .creditsPerChannel(0)
            .stepBudget(0)
            .maxHeldRecords(0)
            .targetDelay(Duration.ZERO)
            .maxBatchDelay(Duration.ofSeconds(-1))
            .closeTimeout(Duration.ofSeconds(-1))
            .temporaryDirectory(Path.of("no-such-directory"))
            .build();

    assertThatThrownBy(() -> Engine.start(numbers(s -> s, Sinks.none()), config))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .hasMessageContainingAll(
            "parallelism is 0",
            "workers is 0",
            "batchSize is 0",
            "creditsPerChannel is 0",
            "stepBudget is 0",
            "maxHeldRecords is 0",
            "targetDelay is PT0S, expected PT0.001S to PT1M",
            "maxBatchDelay is PT-1S",
            "closeTimeout is PT-1S",
            "no-such-directory");
  }

  private static void assertFunctionFailed(StreamForgeException e, String node) {
    assertThat(e.code()).isEqualTo(ErrorCode.FUNCTION_FAILED);
    assertThat(e.context().job()).isEqualTo("numbers");
    assertThat(e.context().node()).isEqualTo(node);
    assertThat(e.context().record()).contains("37");
    assertThat(e.context().position()).isNotNull();
    assertThat(e).hasMessageContaining("bad 37").hasRootCauseMessage("bad 37");
  }

  private static StreamForgeException failure(UnaryOperator<Stream<String, Integer>> steps) {
    return failure(steps, Sinks.none());
  }

  private static StreamForgeException failure(
      UnaryOperator<Stream<String, Integer>> steps, Sink<String, Integer> sink) {
    return run(numbers(steps, sink));
  }

  private static StreamForgeException run(Topology topology) {
    try (Engine engine = Engine.start(topology, config(2))) {
      StreamForgeException e =
          catchThrowableOfType(StreamForgeException.class, engine::awaitCompletion);
      assertThat(e).as("the failure of the job").isNotNull();
      assertThat(engine.status()).isEqualTo(JobStatus.FAILED);
      return e;
    }
  }

  static EngineConfig config(int parallelism) {
    return EngineConfig.builder()
        .parallelism(parallelism)
        .workers(2)
        .keyGroups(64)
        .closeTimeout(Duration.ofSeconds(4))
        .build();
  }

  private static Topology numbers(
      UnaryOperator<Stream<String, Integer>> steps, Sink<String, Integer> sink) {
    TopologyBuilder builder = Topology.builder("numbers");
    steps
        .apply(builder.source("in", Sources.collection(records())))
        .typed(String.class, Integer.class)
        .sink("out", sink);
    return builder.build();
  }

  private static List<Record<String, Integer>> records() {
    List<Record<String, Integer>> records = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      records.add(new Record<>("k", i, i, null));
    }
    return records;
  }

  private static int refuseBad(int value) {
    if (value == BAD) {
      throw new IllegalArgumentException("bad " + value);
    }
    return value;
  }

  private static Iterator<Integer> failingIterator(int value) {
    return List.of(value).stream().map(EngineFailureTest::refuseBad).iterator();
  }

  private static Iterator<Integer> longIterator(int value) {
    return java.util.stream.IntStream.range(0, value == BAD ? 5_000 : 1)
        .map(i -> i == 4_999 ? refuseBad(value) : i)
        .iterator();
  }

  private static TestSources.Read refusingReader() {
    return output -> {
      throw new java.io.IOException("cannot read");
    };
  }

  private static final class RefusingAggregator implements Aggregator<Integer, Integer, Integer> {
    private static final long serialVersionUID = 1L;

    @Override
    public Integer create() {
      return 0;
    }

    @Override
    public Integer add(Integer accumulator, Integer value) {
      return accumulator + refuseBad(value);
    }

    @Override
    public Integer merge(Integer into, Integer from) {
      return into + from;
    }

    @Override
    public Integer result(Integer accumulator) {
      return accumulator;
    }
  }

  private static class RefusingProcessor implements Processor<String, Integer, String, Integer> {
    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context) {
      context.emit(key, refuseBad(value));
    }
  }

  private static final class RefusingTimer implements Processor<String, Integer, String, Integer> {
    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context) {
      context.timers().setEventTimer(50);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Integer> c) {
      throw new IllegalStateException("bad timer");
    }
  }

  private static final class EmittingTimer implements Processor<String, Integer, String, Integer> {
    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context) {
      context.timers().setEventTimer(50);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Integer> c) {
      c.emit(key, BAD);
    }
  }

  private static final class RefusingOpen extends RefusingProcessor {
    private final AtomicInteger closed;

    RefusingOpen(AtomicInteger closed) {
      this.closed = closed;
    }

    @Override
    public void open() {
      throw new IllegalStateException("cannot open");
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private static final class RefusingClose implements Processor<String, Integer, String, Integer> {
    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context) {
      context.emit(key, value);
    }

    @Override
    public void close() {
      throw new IllegalStateException("cannot close");
    }
  }

  private static final class RefusingSink<K, V> implements Sink<K, V> {
    private final boolean blocking;
    private final String when;

    RefusingSink(boolean blocking, String when) {
      this.blocking = blocking;
      this.when = when;
    }

    private void refuse(String what) {
      if (what.equals(when)) {
        throw new IllegalStateException("cannot " + what);
      }
    }

    @Override
    public SinkWriter<K, V> writer(SinkContext context) {
      refuse("open");
      return new SinkWriter<>() {
        @Override
        public void write(K key, V value, long timestampMillis, Headers headers) {
          if (Integer.valueOf(BAD).equals(value)) {
            refuse("write");
          }
        }

        @Override
        public void finish() {
          refuse("finish");
        }

        @Override
        public void close() {
          refuse("close");
        }
      };
    }

    @Override
    public boolean blocking() {
      return blocking;
    }

    @Override
    public String describe() {
      return "refuses to " + when;
    }
  }

  private static final class CountingSink implements Sink<Void, String> {
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();

    @Override
    public SinkWriter<Void, String> writer(SinkContext context) {
      opened.incrementAndGet();
      return new SinkWriter<>() {
        @Override
        public void write(Void key, String value, long timestampMillis, Headers headers) {}

        @Override
        public void close() {
          closed.incrementAndGet();
        }
      };
    }

    @Override
    public boolean blocking() {
      return false;
    }

    @Override
    public String describe() {
      return "counts writers";
    }
  }

  /** A value whose text has no end. */
  private record Unprintable(String text) {
    @Override
    public String toString() {
      return "" + this;
    }
  }

  private static final class UnprintableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }
  }
}
