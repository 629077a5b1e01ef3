package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Trigger;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cases of group W that need a whole topology: the end of input, closing by watermark, long
 * firings.
 */
class WindowTopologyCasesTest {
  private static Topology counting(Windows windows, Trigger<Object> trigger) {
    var grouped =
        Topology.builder("counting")
            .source(
                "in",
                CollectionSource.of(List.of(Record.of("k", "v", 0))),
                WatermarkStrategy.monotonous())
            .groupByKey()
            .window(windows);
    return (trigger == null ? grouped : grouped.trigger(trigger))
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static List<String> results(TopologyTestDriver driver) {
    TestOutput<String, Windowed<Long>> output = driver.output("out");
    return output.readAll().stream().map(r -> r.key() + r.value()).toList();
  }

  @Test
  void w07OpenWindowsFireOnceAtTheEndAndClosedOnesDoNotFireAgain() {
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(counting(Windows.tumbling(Duration.ofMillis(10)), null))) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("a", "v", 1).pipe("a", "v", 10).pipe("b", "v", 12);
      assertThat(results(driver)).containsExactly("a[0,10)=1");
      driver.end();
      assertThat(results(driver)).containsExactlyInAnyOrder("a[10,20)=1", "b[10,20)=1");
      assertThat(driver.finished()).isTrue();
    }
  }

  @Test
  void w07WindowsWithAProcessingTimeTriggerPendingFireOnceAtTheEnd() {
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(
            counting(
                Windows.tumbling(Duration.ofMillis(10)),
                Triggers.everyProcessingTime(Duration.ofSeconds(1))))) {
      TestInput<String, String> input = driver.input("in");
      input.pipe("a", "v", 1);
      driver.advanceTime(Duration.ofSeconds(1));
      assertThat(results(driver)).containsExactly("a[0,10)=1");
      input.pipe("a", "v", 2);
      driver.end();
      assertThat(results(driver)).containsExactly("a[0,10)=2");
      driver.advanceTime(Duration.ofSeconds(5));
      assertThat(results(driver)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void w08AllKeysEmitWhenTheWatermarkPassesNotOnlyTheOneThatGoesOn(int parallelism) {
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(counting(Windows.tumbling(Duration.ofMillis(10)), null))
            .parallelism(parallelism)
            .start()) {
      TestInput<String, String> input = driver.input("in");
      for (int i = 0; i < 10; i++) {
        input.pipe(String.valueOf((char) ('A' + i)), "v", i);
      }
      assertThat(results(driver)).isEmpty();
      input.pipe("A", "v", 100);
      assertThat(results(driver))
          .containsExactlyInAnyOrder(
              "A[0,10)=1",
              "B[0,10)=1",
              "C[0,10)=1",
              "D[0,10)=1",
              "E[0,10)=1",
              "F[0,10)=1",
              "G[0,10)=1",
              "H[0,10)=1",
              "I[0,10)=1",
              "J[0,10)=1");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void w11WindowsOfManyKeysCloseInSteps(boolean perWindow) {
    int keys = 20_000;
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(
                counting(
                    Windows.tumbling(Duration.ofMillis(10)),
                    perWindow ? Triggers.everyRecords(100) : null))
            .config(EngineConfig.builder().parallelism(1).workers(1).stepBudget(100).build())
            .detectAliases(false)
            .start()) {
      TestInput<String, String> input = driver.input("in");
      List<Record<String, String>> records = new ArrayList<>();
      for (int i = 0; i < keys; i++) {
        records.add(Record.of("key" + i, "v", 5));
      }
      input.pipeAll(records);
      long before = driver.steps();
      input.advanceWatermark(10);
      // A step handles at most 100 results, so that other tasks have had at least this many turns.
      assertThat(driver.steps() - before).isGreaterThanOrEqualTo(keys / 100);
      Set<String> fired = new TreeSet<>(results(driver));
      assertThat(fired).hasSize(keys).contains("key0[0,10)=1", "key19999[0,10)=1");
    }
  }
}
