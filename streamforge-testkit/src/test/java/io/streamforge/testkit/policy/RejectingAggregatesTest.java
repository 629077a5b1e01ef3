package io.streamforge.testkit.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Aggregator;
import io.streamforge.record.Record;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serdes;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a rejected record leaves behind in aggregates. */
class RejectingAggregatesTest {
  private static final Duration DISORDER = Duration.ofMillis(2);

  private static KeyedStream<String, String> in() {
    return Topology.builder("job")
        .source(
            "in",
            CollectionSource.of(List.of(Record.of("k", "v", 0))),
            WatermarkStrategy.<String, String>boundedOutOfOrderness(DISORDER))
        .groupByKey();
  }

  private static TopologyTestDriver skipping(Stream<?, ?> node) {
    return TopologyTestDriver.of(
        node.onError(ErrorPolicy.skip()).sink("out", Sinks.none()).build());
  }

  private static List<String> out(TopologyTestDriver driver) {
    return driver.output("out").readAll().stream().map(Record::toString).toList();
  }

  private static Aggregator<String, ?, String> countAndSum() {
    return Aggregates.both(
        Aggregates.<String>count(),
        Aggregates.sum((String v) -> KindOfNode.number(v)),
        (count, sum) -> count + ":" + sum);
  }

  @Test
  void noPartOfACompositionInColumnsTakesAValueThatAnotherRejects() {
    try (TopologyTestDriver driver = skipping(in().aggregate("node", countAndSum()))) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("k", "1", 1).pipe("k", "x", 2).pipe("k", "5", 3);
      assertThat(out(driver)).containsExactly("k=1:1@1", "k=2:6@3");
    }
  }

  @Test
  void noPartOfACompositionOfObjectsTakesAValueThatAnotherRejects() {
    Map<String, Aggregator<String, ?, ?>> parts = new LinkedHashMap<>();
    parts.put("last", Aggregates.max((String v) -> v));
    parts.put("sum", Aggregates.sum((String v) -> KindOfNode.number(v)));
    try (TopologyTestDriver driver = skipping(in().aggregate("node", Aggregates.all(parts)))) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("k", "1", 1).pipe("k", "x", 2).pipe("k", "5", 3);
      assertThat(out(driver)).containsExactly("k={last=1, sum=1}@1", "k={last=5, sum=6}@3");
    }
  }

  @Test
  void aKeyOfWhichEverythingIsRejectedHasNoResult() {
    Stream<String, Windowed<String>> totals =
        in().window(Windows.tumbling(Duration.ofMillis(10))).aggregate("node", countAndSum());
    try (TopologyTestDriver driver = skipping(totals)) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("bad", "x", 1).pipe("good", "1", 2).pipe("bad", "y", 3);
      assertThat(driver.query("node", "bad")).isNull();
      driver.end();
      assertThat(driver.output("out").readAll()).extracting(Record::key).containsExactly("good");
      assertThat(driver.metrics().node("node").droppedTotal()).isEqualTo(2);
    }
  }

  @Test
  void aRunningAggregateOfWhichEverythingIsRejectedKeepsNothing() {
    try (TopologyTestDriver driver = skipping(in().aggregate("node", countAndSum()))) {
      driver.<String, String>input("in").pipe("bad", "x", 1);
      assertThat(driver.query("node", "bad")).isNull();
    }
  }

  @Test
  void aLateRecordThatIsRejectedLeavesTheTotalsOfOverlappingWindowsRight() {
    Stream<String, Windowed<Long>> sums =
        in().window(Windows.sliding(Duration.ofMillis(6), Duration.ofMillis(2)))
            .allowedLateness(Duration.ofMillis(100))
            .sum("node", v -> KindOfNode.number(v));
    try (TopologyTestDriver driver = skipping(sums)) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("k", "1", 1).pipe("k", "10", 3).pipe("k", "100", 5).advanceWatermark(5);
      driver.output("out").readAll();
      // [0, 2) lies in closed windows and in open ones.
      input.pipe("k", "x", 1);
      assertThat(driver.output("out").readAll()).isEmpty();
      driver.end();
      assertThat(driver.<String, Windowed<Long>>output("out").readValues())
          .extracting(Windowed::value)
          .containsExactly(111L, 110L, 100L);
    }
  }

  /** Changes its accumulator before it looks at what it adds. */
  private static class InPlace implements Aggregator<String, List<String>, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public List<String> create() {
      return new ArrayList<>();
    }

    @Override
    public List<String> add(List<String> accumulator, String value) {
      accumulator.add("seen");
      KindOfNode.number(value);
      return accumulator;
    }

    @Override
    public List<String> merge(List<String> into, List<String> from) {
      into.addAll(from);
      return into;
    }

    @Override
    public String result(List<String> accumulator) {
      return String.valueOf(accumulator.size());
    }

    @Override
    public Inferred accumulatorForm(Inferred values) {
      return new Inferred.Found(Serdes.list(Serdes.string()));
    }
  }

  @Test
  void anAggregatorThatChangesBeforeItChecksHasChanged() {
    try (TopologyTestDriver driver = skipping(in().aggregate("node", new InPlace()))) {
      TestInput<String, String> input = driver.input("in");
      // Of a new key nothing is kept.
      input.pipe("k", "x", 1).pipe("k", "1", 2).pipe("k", "x", 3).pipe("k", "2", 4);
      assertThat(out(driver)).containsExactly("k=1@2", "k=3@4");
    }
  }

  /** The same, and says how it is copied. */
  private static final class Copied extends InPlace {
    private static final long serialVersionUID = 1L;

    @Override
    public List<String> copy(List<String> accumulator) {
      return new ArrayList<>(accumulator);
    }
  }

  @Test
  void anAggregatorThatSaysHowItIsCopiedHasNot() {
    try (TopologyTestDriver driver = skipping(in().aggregate("node", new Copied()))) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("k", "x", 1).pipe("k", "1", 2).pipe("k", "x", 3).pipe("k", "2", 4);
      assertThat(out(driver)).containsExactly("k=1@2", "k=2@4");
    }
  }

  /** Takes one value at most; does not merge, so that each window has an accumulator of its own. */
  private static final class AtMostOne implements Aggregator<String, Long, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long create() {
      return 0L;
    }

    @Override
    public Long add(Long accumulator, String value) {
      if (accumulator > 0) {
        throw new IllegalStateException("full");
      }
      return accumulator + 1;
    }

    @Override
    public Long merge(Long into, Long from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean mergeable() {
      return false;
    }

    @Override
    public Long result(Long accumulator) {
      return accumulator;
    }
  }

  @Test
  void whatAWindowHasTakenBeforeAnotherRejectsItStaysThere() {
    Stream<String, Windowed<Long>> counts =
        in().window(Windows.sliding(Duration.ofMillis(4), Duration.ofMillis(2)))
            .aggregate("node", new AtMostOne());
    try (TopologyTestDriver driver = skipping(counts)) {
      TestInput<String, String> input = driver.input("in");
      // 5 lies in [2, 6) and [4, 8), 3 in [0, 4), which takes it, and in [2, 6), which does not.
      input.pipe("k", "a", 5).pipe("k", "b", 3);
      driver.end();
      assertThat(driver.<String, Windowed<Long>>output("out").readValues())
          .extracting(Windowed::value)
          .containsExactly(1L, 1L, 1L);
      assertThat(driver.metrics().node("node").dropped())
          .isEqualTo(Map.of("skipped: function failed", 1L));
      assertThat(driver.metrics().node("node").balanced()).isTrue();
    }
  }

  /** Fails when it is asked for its result. */
  private static final class NoResult implements Aggregator<String, Long, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public Long create() {
      return 0L;
    }

    @Override
    public Long add(Long accumulator, String value) {
      return accumulator + 1;
    }

    @Override
    public Long merge(Long into, Long from) {
      return into + from;
    }

    @Override
    public Long result(Long accumulator) {
      throw new IllegalStateException("no result");
    }
  }

  @Test
  void aResultIsAboutManyRecordsAndFailsTheJobAllTheSame() {
    try (TopologyTestDriver driver = skipping(in().aggregate("node", new NoResult()))) {
      assertThatThrownBy(() -> driver.input("in").pipe("k", "1", 1))
          .hasMessageContaining("node 'node'")
          .hasMessageContaining("no result");
    }
    try (TopologyTestDriver driver =
        skipping(
            in().window(Windows.tumbling(Duration.ofMillis(10)))
                .aggregate("node", new NoResult()))) {
      driver.input("in").pipe("k", "1", 1);
      assertThatThrownBy(driver::end).hasMessageContaining("no result");
    }
  }

  @Test
  void windowsWithAPolicyAreNotCombinedBeforeTheExchange() {
    Stream<String, Windowed<Long>> sums =
        in().window(Windows.tumbling(Duration.ofMillis(10))).sum("node", v -> KindOfNode.number(v));
    String failing = sums.sink("out", Sinks.none()).build().explain().text();
    assertThat(failing).contains("combined before by 'node'").doesNotContain("on error");

    Stream<String, Windowed<Long>> skipping =
        in().window(Windows.tumbling(Duration.ofMillis(10)))
            .sum("node", v -> KindOfNode.number(v))
            .onError(ErrorPolicy.skip());
    assertThat(skipping.sink("out", Sinks.none()).build().explain().text())
        .doesNotContain("combined before")
        .contains("on error: the record is skipped, and counted");
  }
}
