package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.metrics.EventTimeReport.SplitState;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Why a window does not close: what {@code engine.why} says. */
class WhyTest {
  private static TopologyTestDriver driver(WatermarkStrategy<String, String> watermarks) {
    TopologyBuilder builder = Topology.builder("shop");
    return TopologyTestDriver.builder(
            builder
                .source(
                    "orders",
                    CollectionSource.of(List.of(Record.of("k", "v", 0))),
                    watermarks.unaligned())
                .groupByKey()
                .window(Windows.session(Duration.ofMillis(10)))
                .count("count")
                .sink("out", Sinks.none())
                .build())
        .partitions("orders", 2)
        .start();
  }

  @Test
  void t01SilentPartitionIsNamed() {
    try (TopologyTestDriver driver = driver(WatermarkStrategy.monotonous())) {
      TestInput<String, String> first = driver.input("orders", 0);
      first.pipe("k", "a", 5);
      first.pipe("k", "b", 100);
      driver.advanceTime(Duration.ofSeconds(7));
      EventTimeReport why = driver.why("count");
      assertThat(why.watermarkMillis()).isEqualTo(Long.MIN_VALUE);
      assertThat(why.nextDueMillis()).isEqualTo(15);
      assertThat(why.steps())
          .extracting(EventTimeReport.Step::task)
          .containsExactly("1[0]", "0[0]");
      assertThat(why.holding().source()).isEqualTo("orders");
      assertThat(why.holding().split()).isEqualTo("1");
      assertThat(why.holding().unmoved()).isEqualTo(Duration.ofSeconds(7));
      assertThat(why.toString())
          .isEqualTo(
              """
              'count' is at no event time yet; what it does next is due at 15 (1970-01-01T00:00:00.015Z)
                task 1[0] (count, out) is at no event time yet
                task 0[0] (orders, orders/by-key) is at no event time yet
                held back by split 1 of 'orders' (task 0[0]), which has promised no event time for 7 s, since it is read
                the latest record was at 100 (1970-01-01T00:00:00.100Z): position 1 of split 0 of 'orders'""");
    }
  }

  @Test
  void partitionThatLagsIsNamedWithItsTime() {
    try (TopologyTestDriver driver = driver(WatermarkStrategy.monotonous())) {
      driver.<String, String>input("orders", 0).pipe("k", "a", 100);
      driver.<String, String>input("orders", 1).pipe("k", "b", 20);
      driver.advanceTime(Duration.ofMillis(900));
      assertThat(driver.why("count").toString())
          .contains("'count' is at 20 (1970-01-01T00:00:00.020Z)")
          .contains(
              "held back by split 1 of 'orders' (task 0[0]), at 20 (1970-01-01T00:00:00.020Z) for"
                  + " 900 ms");
    }
  }

  @Test
  void w09RecordThatMovedTheWatermarkFarAheadIsNamed() {
    try (TopologyTestDriver driver =
        driver(WatermarkStrategy.<String, String>monotonous().idleAfter(Duration.ofSeconds(1)))) {
      TestInput<String, String> input = driver.input("orders", 1);
      input.pipe("k", "a", 5);
      input.pipe("k", "clock error", 315_360_000_000L);
      input.pipe("k", "late", 6);
      driver.advanceTime(Duration.ofSeconds(2));
      EventTimeReport why = driver.why("count");
      assertThat(why.watermarkMillis()).isEqualTo(315_360_000_000L);
      assertThat(why.holding()).isNull();
      assertThat(why.ahead().split()).isEqualTo("1");
      assertThat(why.ahead().latestPosition()).isEqualTo(1);
      assertThat(why.ahead().state()).isEqualTo(SplitState.IDLE);
      assertThat(why.toString())
          .contains("no split holds it back: all are idle or have ended")
          .contains("position 1 of split 1 of 'orders'");
    }
  }

  @Test
  void inputThatHasEndedSaysSo() {
    try (TopologyTestDriver driver = driver(WatermarkStrategy.monotonous())) {
      driver.<String, String>input("orders", 0).pipe("k", "a", 5);
      driver.end();
      assertThat(driver.why("count").toString())
          .startsWith("'count' is at the end of time")
          .contains("all input has ended");
    }
  }

  @Test
  void unknownNodeIsRefusedWithThoseThatThereAre() {
    try (TopologyTestDriver driver = driver(WatermarkStrategy.monotonous())) {
      assertThatThrownBy(() -> driver.why("cuont"))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INVALID);
                assertThat(e.getMessage()).contains("cuont").contains("count");
              });
    }
  }
}
