package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.function.Aggregates;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is combined before an exchange gives the results that the records would have given. */
class CombineTest {
  private static Topology sums(Windows windows, Duration lateness, Duration idleAfter) {
    WatermarkStrategy<String, Long> strategy = WatermarkStrategy.monotonous();
    return Topology.builder("sums")
        .source(
            "in",
            CollectionSource.of(List.of(Record.of("k", 1L, 0))),
            idleAfter == null ? strategy : strategy.idleAfter(idleAfter))
        .groupBy("by-key", (key, value) -> key)
        .window(windows)
        .allowedLateness(lateness)
        .aggregate("sum", Aggregates.sum((Long value) -> value))
        .sink("out", Sinks.none())
        .build();
  }

  private static List<String> results(TopologyTestDriver driver) {
    TestOutput<String, Windowed<Long>> output = driver.output("out");
    return output.readAll().stream().map(r -> r.key() + r.value()).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void recordsThatAreCombinedAreCountedOnce(int parallelism) {
    Topology topology = sums(Windows.tumbling(Duration.ofMillis(10)), Duration.ZERO, null);
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).parallelism(parallelism).start()) {
      TestInput<String, Long> input = driver.input("in");
      for (long i = 1; i <= 100; i++) {
        input.pipe("k", i, 5);
      }
      input.pipe("other", 7L, 20).pipe("k", 1L, 3);

      assertThat(results(driver)).containsExactly("k[0,10)=5050");
      NodeMetrics sum = driver.metrics().node("sum");
      assertThat(List.of(sum.in(), sum.processed(), sum.late())).containsExactly(102L, 101L, 1L);
      assertThat(driver.metrics().node("by-key").out()).isEqualTo(102);
      driver.end();
      assertThat(results(driver)).containsExactly("other[20,30)=7");
    }
  }

  @Test
  void idlePartitionGivesWhatItHoldsBeforeItIsLeftOut() {
    Topology topology =
        sums(Windows.tumbling(Duration.ofMillis(10)), Duration.ZERO, Duration.ofMillis(100));
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).parallelism(2).partitions("in", 2).start()) {
      driver.<String, Long>input("in", 0).pipe("k", 1L, 5);
      driver.<String, Long>input("in", 1).pipe("k", 2L, 6);
      assertThat(results(driver)).isEmpty();

      driver.advanceTime(Duration.ofMillis(60));
      driver.<String, Long>input("in", 1).pipe("k", 4L, 7);
      driver.advanceTime(Duration.ofMillis(60));
      driver.<String, Long>input("in", 1).pipe("k", 8L, 15);

      assertThat(results(driver)).containsExactly("k[0,10)=7");
      assertThat(driver.metrics().node("sum").late()).isZero();
    }
  }

  @Test
  void lateRecordRefinesWhatCombinedRecordsHaveGiven() {
    Topology topology =
        sums(
            Windows.sliding(Duration.ofMillis(20), Duration.ofMillis(10)),
            Duration.ofMillis(100),
            null);
    try (TopologyTestDriver driver = TopologyTestDriver.builder(topology).parallelism(2).start()) {
      TestInput<String, Long> input = driver.input("in");
      input.pipe("k", 1L, 5).pipe("k", 2L, 15).pipe("x", 0L, 21);
      assertThat(results(driver)).containsExactly("k[-10,10)=1", "k[0,20)=3");

      input.pipe("k", 10L, 16);
      assertThat(results(driver)).containsExactly("k[0,20)=13");

      input.pipe("x", 0L, 31);
      assertThat(results(driver)).containsExactlyInAnyOrder("k[10,30)=12", "x[10,30)=0");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void keysThatDoNotRepeatAndMoreOfThemThanAreHeldAreAllThere(long seed) {
    Topology topology = sums(Windows.global(), Duration.ZERO, null);
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).stress(seed).detectAliases(false).start()) {
      TestInput<String, Long> input = driver.input("in");
      Map<String, Long> expected = new TreeMap<>();
      for (int i = 0; i < 80_000; i++) {
        String key = "k" + (i < 70_000 ? i : i % 7);
        input.pipe(key, (long) i, i);
        expected.merge(key, (long) i, Long::sum);
      }
      driver.end();

      TestOutput<String, Windowed<Long>> output = driver.output("out");
      Map<String, Long> found = new TreeMap<>();
      output
          .readAll()
          .forEach(r -> assertThat(found.put(r.key(), r.value().value())).as(r.key()).isNull());
      assertThat(found).isEqualTo(expected);
      assertThat(driver.metrics().node("sum").in()).isEqualTo(80_000);
    }
  }

  @Test
  void recordsSpreadOverMoreSlicesThanAreHeldAreAllThere() {
    Topology topology = sums(Windows.tumbling(Duration.ofMillis(1)), Duration.ZERO, null);
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).parallelism(2).partitions("in", 2).start()) {
      // The second partition holds event time back while the first one runs ahead.
      driver.<String, Long>input("in", 1).pipe("k", 1L, 0);
      TestInput<String, Long> ahead = driver.input("in", 0);
      for (long i = 0; i < 2_000; i++) {
        ahead.pipe("k", i, i).pipe("k", 1L, i);
      }
      assertThat(results(driver)).isEmpty();
      driver.end();

      assertThat(results(driver)).hasSize(2_000).contains("k[0,1)=2", "k[1999,2000)=2000");
      assertThat(driver.metrics().node("sum").late()).isZero();
    }
  }
}
