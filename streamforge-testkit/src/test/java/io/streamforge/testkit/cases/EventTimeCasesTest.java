package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.function.SideOutput;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case group T: watermarks, idleness, alignment. Tumbling windows of 10 ms count by key. */
class EventTimeCasesTest {
  private static final SideOutput<String, String> LATE = SideOutput.of("late");
  private static final WatermarkStrategy<String, String> MONOTONOUS =
      WatermarkStrategy.<String, String>monotonous().unaligned();

  private static CollectionSource<String, String> anySource() {
    return CollectionSource.of(List.of(Record.of("k", "v", 0)));
  }

  private static Topology counting(WatermarkStrategy<String, String> strategy) {
    return Topology.builder("counting")
        .source("in", anySource(), strategy)
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(10)))
        .lateTo(LATE)
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology merging(
      WatermarkStrategy<String, String> a, WatermarkStrategy<String, String> b) {
    TopologyBuilder builder = Topology.builder("merging");
    Stream<String, String> left = builder.source("a", anySource(), a);
    Stream<String, String> right = builder.source("b", anySource(), b);
    return left.merge("both", right)
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(10)))
        .lateTo(LATE)
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static List<String> read(TopologyTestDriver driver) {
    TestOutput<String, Windowed<Long>> output = driver.output("out");
    return output.readAll().stream().map(r -> r.key() + r.value()).toList();
  }

  private static void pipe(TopologyTestDriver driver, int partition, String key, long... times) {
    TestInput<String, String> input = driver.input("in", partition);
    for (long time : times) {
      input.pipe(key, "v", time);
    }
  }

  private static TopologyTestDriver twoPartitions(WatermarkStrategy<String, String> strategy) {
    return TopologyTestDriver.builder(counting(strategy)).partitions("in", 2).start();
  }

  @Test
  void t01WithIdlenessWindowsCloseOnTheOtherPartitionAfterTheTimeout() {
    try (TopologyTestDriver driver = twoPartitions(MONOTONOUS.idleAfter(Duration.ofSeconds(1)))) {
      driver.advanceTime(Duration.ofMillis(500));
      pipe(driver, 0, "a", 1, 25);
      driver.advanceTime(Duration.ofMillis(499));
      assertThat(read(driver)).isEmpty();
      driver.advanceTime(Duration.ofMillis(1));
      assertThat(read(driver)).containsExactly("a[0,10)=1");
    }
  }

  @Test
  void t01WithoutIdlenessWindowsWaitAndTheSilentPartitionIsNamed() {
    try (TopologyTestDriver driver = twoPartitions(MONOTONOUS)) {
      pipe(driver, 0, "a", 1, 25);
      driver.advanceTime(Duration.ofDays(1));
      assertThat(read(driver)).isEmpty();
      NodeMetrics source = driver.metrics().node("in");
      assertThat(source.heldBackBy()).isEqualTo("task 0[0]: split 1");
    }
  }

  @Test
  void t02APartitionThatHasNeverDeliveredIsTreatedLikeOneThatWentQuiet() {
    WatermarkStrategy<String, String> idling = MONOTONOUS.idleAfter(Duration.ofSeconds(1));
    try (TopologyTestDriver never = twoPartitions(idling);
        TopologyTestDriver quiet = twoPartitions(idling)) {
      pipe(quiet, 1, "b", 1);
      for (TopologyTestDriver driver : List.of(never, quiet)) {
        driver.advanceTime(Duration.ofMillis(600));
        pipe(driver, 0, "a", 1, 25);
        driver.advanceTime(Duration.ofMillis(399));
        assertThat(read(driver)).isEmpty();
        driver.advanceTime(Duration.ofMillis(1));
      }
      assertThat(read(never)).containsExactly("a[0,10)=1");
      assertThat(read(quiet)).containsExactlyInAnyOrder("a[0,10)=1", "b[0,10)=1");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void t03TasksWithoutPartitionsAreIdleAtOnce(int parallelism) {
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(counting(MONOTONOUS)).parallelism(parallelism).start()) {
      pipe(driver, 0, "a", 1, 25);
      assertThat(read(driver)).containsExactly("a[0,10)=1");
    }
  }

  @Test
  void t04AnInputThatResumesBehindHoldsButNeverPullsBack() {
    WatermarkStrategy<String, String> idling = MONOTONOUS.idleAfter(Duration.ofSeconds(1));
    try (TopologyTestDriver driver = TopologyTestDriver.of(merging(idling, MONOTONOUS))) {
      TestInput<String, String> a = driver.input("a");
      TestInput<String, String> b = driver.input("b");
      a.pipe("k", "v", 10);
      b.pipe("k", "v", 20);
      assertThat(driver.metrics().node("count").watermarkMillis()).isEqualTo(10);
      driver.advanceTime(Duration.ofSeconds(1));
      assertThat(driver.metrics().node("count").watermarkMillis()).isEqualTo(20);
      a.pipe("k", "v", 12);
      assertThat(driver.metrics().node("count").watermarkMillis()).isEqualTo(20);
      b.pipe("k", "v", 25);
      assertThat(driver.metrics().node("count").watermarkMillis()).isEqualTo(20);
      a.pipe("k", "v", 25);
      assertThat(driver.metrics().node("count").watermarkMillis()).isEqualTo(25);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void t04WhenAllGoIdleTheResultDoesNotDependOnTheOrder(boolean aFirst) {
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(
            merging(
                MONOTONOUS.idleAfter(Duration.ofSeconds(aFirst ? 1 : 2)),
                MONOTONOUS.idleAfter(Duration.ofSeconds(aFirst ? 2 : 1))))) {
      driver.<String, String>input("a").pipe("k", "v", 10);
      driver.<String, String>input("b").pipe("k", "v", 20);
      driver.advanceTime(Duration.ofSeconds(5));
      assertThat(driver.metrics().node("count").watermarkMillis()).isEqualTo(20);
    }
  }

  @Test
  void t05APartitionThatAlignmentPausesIsNotIdle() {
    try (TopologyTestDriver driver =
        twoPartitions(
            MONOTONOUS.maxDrift(Duration.ofMillis(50)).idleAfter(Duration.ofSeconds(1)))) {
      pipe(driver, 1, "slow", 10);
      pipe(driver, 0, "fast", 1_000, 2_000);
      for (long time = 11; time < 17; time++) {
        driver.advanceTime(Duration.ofMillis(500));
        pipe(driver, 1, "slow", time);
      }
      pipe(driver, 1, "slow", 5_000);
      // Had the paused partition counted as idle, event time would be 5,000 and 2,000 late.
      driver.end();
      assertThat(read(driver))
          .containsExactlyInAnyOrder(
              "slow[10,20)=7", "fast[1000,1010)=1", "fast[2000,2010)=1", "slow[5000,5010)=1");
      assertThat(driver.metrics().node("count").late()).isZero();
    }
  }

  @Test
  void t06APartitionWithAKnownBacklogIsNotIdle() {
    try (TopologyTestDriver driver = twoPartitions(MONOTONOUS.idleAfter(Duration.ofSeconds(1)))) {
      driver.input("in", 1).backlog(1);
      pipe(driver, 0, "a", 1, 25);
      driver.advanceTime(Duration.ofSeconds(10));
      assertThat(read(driver)).isEmpty();
      pipe(driver, 1, "b", 2);
      assertThat(driver.metrics().node("count").late()).isZero();
      driver.input("in", 1).backlog(0);
      driver.advanceTime(Duration.ofSeconds(1));
      assertThat(read(driver)).containsExactlyInAnyOrder("a[0,10)=1", "b[0,10)=1");
    }
  }

  @Test
  void t07AnIdleInputThatResumesIsJudgedByItsWindows() {
    try (TopologyTestDriver driver = twoPartitions(MONOTONOUS.idleAfter(Duration.ofSeconds(1)))) {
      driver.advanceTime(Duration.ofSeconds(1));
      pipe(driver, 0, "a", 25);
      pipe(driver, 1, "b", 22, 9);
      driver.end();
      assertThat(read(driver)).containsExactlyInAnyOrder("a[20,30)=1", "b[20,30)=1");
      assertThat(driver.sideOutput("count", LATE).readAll())
          .containsExactly(Record.of("b", "v", 9));
      NodeMetrics count = driver.metrics().node("count");
      assertThat(List.of(count.in(), count.processed(), count.late())).containsExactly(3L, 2L, 1L);
    }
  }

  @Test
  void w09ARecordFarInTheFutureLeavesATraceAndCanBeBounded() {
    long day = Duration.ofDays(1).toMillis();
    long tenYears = 3_650 * day;
    try (TopologyTestDriver driver = TopologyTestDriver.of(counting(MONOTONOUS))) {
      pipe(driver, 0, "a", 1, tenYears, 2, 3);
      assertThat(driver.metrics().node("count").late()).isEqualTo(2);
      assertThat(driver.metrics().node("in").watermarkMillis()).isEqualTo(tenYears);
      assertThat(driver.metrics().node("in").heldBackBy()).isEqualTo("task 0[0]: split 0");
    }
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(counting(MONOTONOUS.maxAhead(Duration.ofMillis(5))))) {
      pipe(driver, 0, "a", 1, tenYears, 2, 3);
      assertThat(driver.metrics().node("count").late()).isZero();
      assertThat(driver.metrics().node("in").watermarkMillis()).isEqualTo(5);
      driver.advanceTime(Duration.ofMillis(100));
      assertThat(read(driver)).containsExactly("a[0,10)=3");
      assertThat(driver.metrics().node("in").watermarkMillis()).isEqualTo(105);
    }
  }
}
