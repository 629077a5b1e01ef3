package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.KeyedStream;
import io.streamforge.StreamJoin;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.SideOutput;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.record.Record;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.Punctuator;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Case group J, as far as it is about two streams. Watermarks stand where the test puts them. */
class JoinCasesTest {
  private static final SideOutput<String, String> LATE_LEFT = SideOutput.of("late-left");
  private static final SideOutput<String, String> LATE_RIGHT = SideOutput.of("late-right");

  private static KeyedStream<String, String> stream(TopologyBuilder builder, String name) {
    return builder
        .source(
            name,
            CollectionSource.of(List.of(Record.of("k", "v", 0))),
            WatermarkStrategy.<String, String>punctuated((k, v, t) -> Punctuator.NONE))
        .groupByKey();
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private static TopologyTestDriver left(
      Function<StreamJoin<String, String, String>, StreamJoin<String, String, String>> how) {
    TopologyBuilder builder = Topology.builder("case");
    return TopologyTestDriver.of(
        how.apply(stream(builder, "left").joinWith(stream(builder, "right")))
            .left("join", (l, r) -> l + "+" + r)
            .sink("out", Sinks.none())
            .build());
  }

  private static TopologyTestDriver outer(
      Function<StreamJoin<String, String, String>, StreamJoin<String, String, String>> how) {
    TopologyBuilder builder = Topology.builder("case");
    return TopologyTestDriver.of(
        how.apply(stream(builder, "left").joinWith(stream(builder, "right")))
            .outer("join", (l, r) -> l + "+" + r)
            .sink("out", Sinks.none())
            .build());
  }

  private static void left(TopologyTestDriver driver, String key, String value, long millis) {
    driver.<String, String>input("left").pipe(key, value, millis);
  }

  private static void right(TopologyTestDriver driver, String key, String value, long millis) {
    driver.<String, String>input("right").pipe(key, value, millis);
  }

  private static void watermark(TopologyTestDriver driver, long millis) {
    driver.input("left").advanceWatermark(millis);
    driver.input("right").advanceWatermark(millis);
  }

  private static List<String> out(TopologyTestDriver driver) {
    return driver.output("out").readAll().stream().map(Object::toString).toList();
  }

  @Test
  void j01LeftRowWaitsForItsPartner() {
    try (TopologyTestDriver driver = left(join -> join.between(ms(-10), ms(10)))) {
      left(driver, "k", "a", 0);
      assertThat(out(driver)).isEmpty();
      right(driver, "k", "x", 2);
      assertThat(out(driver)).containsExactly("k=a+x@2");
      driver.end();
      assertThat(out(driver)).isEmpty();
    }
  }

  @Test
  void j02LeftRowsOutOfBoundsComeOutAloneOnce() {
    try (TopologyTestDriver driver = left(join -> join.between(ms(-10), ms(0)))) {
      left(driver, "A0", "a0", 0);
      left(driver, "A1", "a1", 100);
      right(driver, "A1", "x", 110);
      watermark(driver, 100);
      assertThat(out(driver)).containsExactly("A0=a0+null@0");
      watermark(driver, 101);
      assertThat(out(driver)).containsExactly("A1=a1+null@100");
      driver.end();
      assertThat(out(driver)).isEmpty();
    }
    try (TopologyTestDriver driver = left(join -> join.between(ms(-10), ms(10)))) {
      left(driver, "A1", "a1", 100);
      right(driver, "A1", "x", 110);
      driver.end();
      assertThat(out(driver)).containsExactly("A1=a1+x@110");
    }
  }

  @Test
  void j03EachUnmatchedRowOfAnOuterJoinComesOutOnceInTheOrderInWhichThatIsCertain() {
    try (TopologyTestDriver driver = outer(join -> join.between(ms(-5), ms(10)))) {
      left(driver, "k", "l20", 20); // certain at W > 30
      right(driver, "k", "r2", 2); // at W > 7
      left(driver, "k", "l1", 1); // matches r2
      right(driver, "k", "r40", 40); // at W > 45
      left(driver, "k", "l60", 60);
      watermark(driver, 30);
      assertThat(out(driver)).containsExactly("k=l1+r2@2");
      watermark(driver, 100);
      assertThat(out(driver)).containsExactly("k=l20+null@20", "k=null+r40@40", "k=l60+null@60");
    }
  }

  @Test
  void j03PartnerAtTheLastAllowedInstantStillMatches() {
    try (TopologyTestDriver driver = outer(join -> join.between(ms(-5), ms(10)))) {
      left(driver, "k", "l", 20);
      watermark(driver, 30);
      assertThat(out(driver)).isEmpty();
      right(driver, "k", "first", 30);
      assertThat(out(driver)).containsExactly("k=l+first@30");
      right(driver, "k", "late", 15);
      driver.end();
      assertThat(out(driver)).isEmpty();
      assertThat(driver.metrics().node("join").late()).isEqualTo(1);
    }
  }

  @Test
  void j03TiesComeOutByTimeTheLeftOneFirst() {
    try (TopologyTestDriver driver = outer(join -> join.between(ms(20), ms(30)))) {
      right(driver, "k", "r", 45); // no left row that could match it is later than 25
      left(driver, "k", "l", 5); // no right row that could match it is later than 35
      watermark(driver, 26);
      assertThat(out(driver)).containsExactly("k=null+r@45");
      watermark(driver, 36);
      assertThat(out(driver)).containsExactly("k=l+null@5");
    }
    try (TopologyTestDriver driver = outer(join -> join.between(ms(0), ms(0)))) {
      right(driver, "other", "r", 5);
      left(driver, "k", "b", 5);
      left(driver, "k", "a", 4);
      watermark(driver, 6);
      assertThat(out(driver))
          .containsExactlyInAnyOrder("k=a+null@4", "k=b+null@5", "other=null+r@5")
          .containsSubsequence("k=a+null@4", "k=b+null@5");
    }
  }

  @Test
  void j04EqualTimesMatchInBothOrdersAndDuplicatesGiveEveryPair() {
    for (boolean leftFirst : List.of(true, false)) {
      try (TopologyTestDriver driver = left(join -> join.between(ms(0), ms(0)))) {
        for (int i = 0; i < 2; i++) {
          if ((i == 0) == leftFirst) {
            left(driver, "k", "a", 7);
            left(driver, "k", "a", 7);
          } else {
            right(driver, "k", "x", 7);
            right(driver, "k", "x", 7);
            right(driver, "k", "y", 7);
          }
        }
        driver.end();
        assertThat(out(driver))
            .containsExactlyInAnyOrder(
                "k=a+x@7", "k=a+x@7", "k=a+x@7", "k=a+x@7", "k=a+y@7", "k=a+y@7");
      }
    }
  }

  @Test
  void j06NullKeyNamesTheNodeThatGroups() {
    try (TopologyTestDriver driver = left(join -> join.between(ms(0), ms(0)))) {
      assertThatThrownBy(() -> driver.<String, String>input("left").pipe(null, "a", 0))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.NULL_KEY);
                assertThat(e.getMessage()).contains("left/by-key");
              });
    }
  }

  @Test
  void j06NullValueOfAStreamIsAValue() {
    try (TopologyTestDriver driver = left(join -> join.between(ms(0), ms(5)))) {
      driver.<String, String>input("left").pipe("k", null, 0);
      driver.<String, String>input("right").pipe("k", null, 3);
      assertThat(out(driver)).containsExactly("k=null+null@3");
      driver.end();
      assertThat(out(driver)).isEmpty();
    }
  }

  @Test
  void j08LeftInputThatEndsIsEmittedAsTheWatermarkAllows() {
    try (TopologyTestDriver driver = left(join -> join.between(ms(0), ms(10)))) {
      left(driver, "k", "a", 0);
      left(driver, "k", "b", 50);
      driver.input("left").end();
      right(driver, "k", "x", 8);
      driver.input("right").advanceWatermark(20);
      assertThat(out(driver)).containsExactly("k=a+x@8");
      driver.input("right").advanceWatermark(61);
      assertThat(out(driver)).containsExactly("k=b+null@50");
      assertThat(driver.finished()).isFalse();
      driver.end();
      assertThat(driver.finished()).isTrue();
    }
  }

  @Test
  void lateRowsOfEachSideGoToTheirOwnOutputAndJoinNothing() {
    TopologyBuilder builder = Topology.builder("late");
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(
            stream(builder, "left")
                .joinWith(stream(builder, "right"))
                .between(ms(0), ms(10))
                .allowedLateness(ms(5))
                .lateLeftTo(LATE_LEFT)
                .lateRightTo(LATE_RIGHT)
                .outer("join", (l, r) -> l + "+" + r)
                .sink("out", Sinks.none())
                .build())) {
      watermark(driver, 20);
      left(driver, "k", "late", 14);
      left(driver, "k", "in-time", 15);
      right(driver, "k", "late", 14);
      right(driver, "k", "in-time", 16);
      assertThat(out(driver)).containsExactly("k=in-time+in-time@16");
      assertThat(driver.sideOutput("join", LATE_LEFT).readAll().toString())
          .isEqualTo("[k=late@14]");
      assertThat(driver.sideOutput("join", LATE_RIGHT).readAll().toString())
          .isEqualTo("[k=late@14]");
      NodeMetrics books = driver.metrics().node("join");
      assertThat(books.late()).isEqualTo(2);
      assertThat(books.processed()).isEqualTo(2);
      driver.end();
      assertThat(out(driver)).isEmpty();
    }
  }

  @Test
  void windowsJoinEachByItself() {
    try (TopologyTestDriver driver = outer(join -> join.window(Windows.sliding(ms(10), ms(5))))) {
      left(driver, "k", "a", 3); // [-5,5) and [0,10)
      right(driver, "k", "x", 7); // [0,10) and [5,15)
      assertThat(out(driver)).containsExactly("k=a+x@7");
      watermark(driver, 5);
      assertThat(out(driver)).containsExactly("k=a+null@3");
      watermark(driver, 14);
      assertThat(out(driver)).isEmpty();
      watermark(driver, 15);
      assertThat(out(driver)).containsExactly("k=null+x@7");
    }
  }

  @Test
  void sessionsJoinWhatABridgeBringsTogether() {
    try (TopologyTestDriver driver = outer(join -> join.window(Windows.session(ms(5))))) {
      left(driver, "k", "a", 0);
      right(driver, "k", "x", 8);
      right(driver, "k", "far", 40);
      assertThat(out(driver)).isEmpty();
      left(driver, "k", "bridge", 4);
      assertThat(out(driver)).containsExactlyInAnyOrder("k=a+x@8", "k=bridge+x@8");
      driver.end();
      assertThat(out(driver)).containsExactly("k=null+far@40");
    }
  }

  @Test
  void unmatchedRowsAreInTimeForAWindowBehindTheJoin() {
    TopologyBuilder builder = Topology.builder("chain");
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(
            stream(builder, "left")
                .joinWith(stream(builder, "right"))
                .between(ms(0), ms(100))
                .allowedLateness(ms(7))
                .left("join", (l, r) -> l + "+" + r)
                .groupByKey()
                .window(Windows.tumbling(ms(10)))
                .count("count")
                .sink("out", Sinks.none())
                .build())) {
      left(driver, "k", "a", 5);
      left(driver, "k", "b", 9);
      watermark(driver, 112);
      assertThat(out(driver)).isEmpty();
      watermark(driver, 113); // a is let go; the window may still get b
      watermark(driver, 116);
      assertThat(out(driver)).isEmpty();
      watermark(driver, 117); // b is let go, and nothing below 10 is left
      assertThat(out(driver)).containsExactly("k=[0,10)=2@9");
      assertThat(driver.metrics().node("count").late()).isZero();
    }
  }

  @Test
  void streamsKeyedAlikeAreNotExchangedAgain() {
    TopologyBuilder builder = Topology.builder("alike");
    KeyedStream<String, String> left = stream(builder, "left");
    KeyedStream<String, String> right = stream(builder, "right");
    Topology topology =
        left.joinWith(right)
            .between(ms(0), ms(1))
            .inner("first", (l, r) -> l + r)
            .groupByKey()
            .joinWith(left)
            .between(ms(0), ms(1))
            .inner("second", (l, r) -> l + r)
            .sink("out", Sinks.none())
            .build();
    assertThat(Planner.plan(topology.graph(), 2, 8).exchanges())
        .extracting(exchange -> exchange.from() + " " + exchange.kind())
        .containsExactlyInAnyOrder(
            "left/by-key HASH", "right/by-key HASH", "left/by-key HASH", "first/by-key FORWARD");
  }

  @Test
  void streamJoinsItself() {
    TopologyBuilder builder = Topology.builder("self");
    KeyedStream<String, String> stream = stream(builder, "left");
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(
            stream
                .joinWith(stream)
                .between(ms(1), ms(10))
                .inner("join", (l, r) -> l + "+" + r)
                .sink("out", Sinks.none())
                .build())) {
      left(driver, "k", "a", 0);
      left(driver, "k", "b", 10);
      left(driver, "k", "c", 11);
      assertThat(out(driver)).containsExactly("k=a+b@10", "k=b+c@11");
    }
  }
}
