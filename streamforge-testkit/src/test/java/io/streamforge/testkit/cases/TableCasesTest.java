package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.KeyedStream;
import io.streamforge.StreamTableJoin;
import io.streamforge.Table;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Aggregates;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.TopologyInvalidException;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.record.Record;
import io.streamforge.serde.Serdes;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.Punctuator;
import io.streamforge.time.WatermarkStrategy;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Case groups J and A, as far as they are about tables. Watermarks stand where the test puts them.
 */
class TableCasesTest {
  private static final SideOutput<String, String> LATE = SideOutput.of("late");
  private static final SideOutput<String, Integer> LATE_UPDATES = SideOutput.of("late-updates");

  private final TopologyBuilder builder = Topology.builder("case");

  private static <V> CollectionSource<String, V> source(V value) {
    return CollectionSource.of(List.of(Record.of("k", value, 0)));
  }

  private static <V> WatermarkStrategy<String, V> stated() {
    return WatermarkStrategy.<String, V>punctuated((k, v, t) -> Punctuator.NONE);
  }

  private Table<String, Integer> table(String name) {
    return builder.table(name, source(0), stated());
  }

  private KeyedStream<String, String> stream() {
    return builder.source("stream", source(""), stated()).groupByKey();
  }

  private TopologyTestDriver joined(
      Function<StreamTableJoin<String, String, Integer>, StreamTableJoin<String, String, Integer>>
          how) {
    return TopologyTestDriver.of(
        how.apply(stream().joinWith(table("rows")))
            .left("join", (value, row) -> value + "+" + row)
            .sink("out", Sinks.none())
            .build());
  }

  private static void update(TopologyTestDriver driver, String key, Integer row, long millis) {
    driver.<String, Integer>input("rows").pipe(key, row, millis);
  }

  private static void record(TopologyTestDriver driver, String value, long millis) {
    driver.<String, String>input("stream").pipe("k", value, millis);
  }

  private static void watermark(TopologyTestDriver driver, long millis) {
    driver.input("stream").advanceWatermark(millis);
    driver.input("rows").advanceWatermark(millis);
  }

  private static List<String> out(TopologyTestDriver driver) {
    return driver.output("out").readAll().stream().map(Object::toString).toList();
  }

  private TopologyTestDriver run(Table<String, ?> table) {
    return TopologyTestDriver.builder(table.toStream("stream").sink("out", Sinks.none()).build())
        .checkpoints()
        .parallelism(2)
        .start();
  }

  @Test
  void j05RecordIsJoinedWithTheRowOfItsTimeWhateverCameFirst() {
    try (TopologyTestDriver driver = joined(join -> join)) {
      update(driver, "k", 1, 0);
      update(driver, "k", 2, 10);
      record(driver, "a", 5);
      record(driver, "b", 10);
      assertThat(out(driver)).isEmpty();
      watermark(driver, 10);
      assertThat(out(driver)).containsExactly("k=a+1@5");
      watermark(driver, 11);
      assertThat(out(driver)).containsExactly("k=b+2@10");
    }
  }

  @Test
  void j05RecordWaitsForTheTableAndUpdatesThatComeLaterAreLate() {
    try (TopologyTestDriver driver =
        joined(join -> join.lateTo(LATE).lateUpdatesTo(LATE_UPDATES))) {
      update(driver, "k", 1, 0);
      record(driver, "a", 6);
      driver.input("stream").advanceWatermark(100);
      driver.input("rows").advanceWatermark(6);
      assertThat(out(driver)).isEmpty();
      driver.<String, Integer>input("rows").pipe("k", 5, 6);
      update(driver, "k", 4, 5); // behind the watermark already
      driver.input("rows").advanceWatermark(7);
      assertThat(out(driver)).containsExactly("k=a+5@6");
      update(driver, "k", 7, 6);
      record(driver, "b", 6);
      record(driver, "c", 7);
      driver.end();
      assertThat(out(driver)).containsExactly("k=c+5@7");
      assertThat(driver.sideOutput("join", LATE).readAll().toString()).isEqualTo("[k=b@6]");
      assertThat(driver.sideOutput("join", LATE_UPDATES).readAll().toString())
          .isEqualTo("[k=4@5, k=7@6]");
      NodeMetrics books = driver.metrics().node("join");
      assertThat(books.late()).isEqualTo(3);
      assertThat(books.processed()).isEqualTo(4);
    }
  }

  @Test
  void j05UpdateThatComesBehindANewerOneIsSeenByRecordsOfItsTime() {
    try (TopologyTestDriver driver = joined(join -> join.allowedLateness(Duration.ofMillis(3)))) {
      update(driver, "k", 1, 0);
      update(driver, "k", 3, 20);
      record(driver, "a", 6);
      watermark(driver, 8);
      update(driver, "k", 2, 5);
      watermark(driver, 9);
      assertThat(out(driver)).isEmpty(); // held by the allowed lateness
      watermark(driver, 10);
      assertThat(out(driver)).containsExactly("k=a+2@6");
      assertThat(driver.query("rows/table", "k")).isEqualTo(3);
    }
  }

  @Test
  void j05DeletionHidesTheRowFromItsTimeOnly() {
    try (TopologyTestDriver driver = joined(join -> join)) {
      update(driver, "k", 1, 0);
      update(driver, "k", null, 10);
      record(driver, "a", 9);
      record(driver, "b", 10);
      driver.end();
      assertThat(out(driver)).containsExactly("k=a+1@9", "k=b+null@10");
    }
  }

  @Test
  void j05LatestJoinsWithTheRowThatIsThereWhenTheRecordComes() {
    try (TopologyTestDriver driver = joined(join -> join.latest())) {
      record(driver, "early", 5);
      update(driver, "k", 1, 0);
      update(driver, "k", 2, 10);
      record(driver, "a", 5);
      update(driver, "k", 7, 8); // behind a newer one
      record(driver, "b", 5);
      update(driver, "k", null, 11);
      record(driver, "c", 5);
      assertThat(out(driver)).containsExactly("k=early+null@5", "k=a+2@5", "k=b+2@5", "k=c+null@5");
      assertThat(driver.metrics().node("join").late()).isZero();
    }
  }

  @Test
  void j05FilteredRowIsNoRowFromItsTimeOn() {
    Table<String, Integer> even = table("rows").filter("even", (k, v) -> v % 2 == 0);
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(
            stream()
                .joinWith(even)
                .left("join", (value, row) -> value + "+" + row)
                .sink("out", Sinks.none())
                .build())) {
      update(driver, "k", 1, 10); // shows nothing, before and after
      update(driver, "k", 2, 5); // comes behind it
      record(driver, "a", 7);
      record(driver, "b", 10);
      driver.end();
      assertThat(out(driver)).containsExactly("k=a+2@7", "k=b+null@10");
    }
  }

  @Test
  void j06NullDeletesARowAndNothingElse() {
    try (TopologyTestDriver driver = run(table("rows"))) {
      update(driver, "k", null, 0);
      update(driver, "k", 1, 1);
      update(driver, "k", null, 2);
      update(driver, "k", null, 3);
      update(driver, "other", 7, 3);
      assertThat(out(driver)).containsExactly("k=1@1", "k=null@2", "other=7@3");
      assertThat(driver.query("rows/table", "k")).isNull();
      assertThat(driver.query("rows/table", "other")).isEqualTo(7);
    }
  }

  @Test
  void j06NullKeyNamesTheNodeThatGroups() {
    Table<String, Long> counts =
        table("rows").groupBy("by-nothing", (k, v) -> v > 1 ? null : k).count("count");
    try (TopologyTestDriver driver = run(counts)) {
      assertNullKey(() -> update(driver, null, 1, 0), "rows/by-key");
    }
  }

  @Test
  void j06NullKeyOfARowNamesTheNodeThatGroups() {
    Table<String, Long> counts =
        table("rows").groupBy("by-nothing", (k, v) -> v > 1 ? null : k).count("count");
    try (TopologyTestDriver driver = run(counts)) {
      update(driver, "k", 1, 0);
      assertNullKey(() -> update(driver, "k", 2, 0), "by-nothing");
    }
  }

  private static void assertNullKey(Runnable update, String node) {
    assertThatThrownBy(update::run)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NULL_KEY);
              assertThat(e.getMessage()).contains("'" + node + "'");
            });
  }

  @Test
  void a04DeletedKeysStayDeletedAfterARestart() {
    try (TopologyTestDriver driver = run(table("rows"))) {
      update(driver, "k", 1, 1);
      update(driver, "gone", 1, 1);
      update(driver, "k", null, 20);
      update(driver, "gone", null, 5);
      driver.input("rows").advanceWatermark(10); // forgets 'gone'
      assertThat(out(driver)).hasSize(4);
      driver.restart(3);
      update(driver, "k", 2, 15); // before the deletion, which is still known
      update(driver, "gone", 2, 4); // it may be, and comes too late
      assertThat(driver.query("rows/table", "k")).isNull();
      assertThat(driver.query("rows/table", "gone")).isNull();
      assertThat(driver.metrics().node("rows/table").late()).isEqualTo(1);
      driver.restart(1); // which begins new books
      driver.input("rows").advanceWatermark(20);
      update(driver, "k", 3, 19);
      assertThat(out(driver)).isEmpty();
      assertThat(driver.metrics().node("rows/table").late()).isEqualTo(1);
      update(driver, "k", 4, 20);
      assertThat(out(driver)).containsExactly("k=4@20");
    }
  }

  @Test
  void updateBehindTheWatermarkIsLateOnlyWhereItsKeyHasNoRow() {
    Table<String, Integer> rows =
        builder
            .source("rows", source(0), stated())
            .groupByKey()
            .toTable("table", Duration.ofMillis(5));
    try (TopologyTestDriver driver = run(rows)) {
      update(driver, "k", 1, 1);
      driver.input("rows").advanceWatermark(100);
      update(driver, "k", 2, 2);
      update(driver, "other", 1, 94);
      update(driver, "other", 2, 95);
      assertThat(out(driver)).containsExactly("k=1@1", "k=2@2", "other=2@95");
      assertThat(driver.metrics().node("table").late()).isEqualTo(1);
    }
  }

  @Test
  void orderOfArrivalDecidesWithoutEventTime() {
    Table<String, Integer> rows = builder.table("rows", source(0));
    try (TopologyTestDriver driver = run(rows)) {
      update(driver, "k", 1, 10);
      update(driver, "k", 2, 5);
      update(driver, "k", null, 3);
      update(driver, "k", 3, 1);
      // Records have the clock's time then, which stands still here.
      assertThat(out(driver)).containsExactly("k=1@0", "k=2@0", "k=null@0", "k=3@0");
    }
  }

  @Test
  void rowsThatAChangeMovesAreTakenBackWhereTheyWere() {
    Table<String, Long> sums =
        table("rows").groupBy("by-parity", (k, v) -> "p" + v % 2).sum("sum", v -> v);
    try (TopologyTestDriver driver = run(sums)) {
      update(driver, "a", 3, 0);
      update(driver, "b", 5, 1);
      assertThat(out(driver)).containsExactly("p1=3@0", "p1=8@1");
      update(driver, "a", 7, 2); // stays
      assertThat(out(driver)).containsExactly("p1=12@2");
      update(driver, "a", 4, 3); // moves
      assertThat(out(driver)).containsExactlyInAnyOrder("p1=5@3", "p0=4@3");
      update(driver, "b", null, 4); // was the last
      assertThat(out(driver)).containsExactly("p1=null@4");
      assertThat(driver.query("sum", "p1")).isNull();
      assertThat(driver.query("sum", "p0")).isEqualTo(4L);
    }
  }

  @Test
  void joinOfTablesIsKeptUpToDate() {
    Table<String, String> both =
        table("rows").joinWith(table("more")).outer("join", (l, r) -> l + "+" + r);
    try (TopologyTestDriver driver = run(both)) {
      update(driver, "k", 1, 0);
      driver.<String, Integer>input("more").pipe("k", 5, 1);
      update(driver, "k", 2, 2);
      update(driver, "k", null, 3);
      assertThat(driver.query("join", "k")).isEqualTo("null+5");
      driver.<String, Integer>input("more").pipe("k", null, 4);
      assertThat(out(driver))
          .containsExactly("k=1+null@0", "k=1+5@1", "k=2+5@2", "k=null+5@3", "k=null@4");
      assertThat(driver.query("join", "k")).isNull();
    }
  }

  @Test
  void tableIsNotExchangedAgain() {
    Topology topology =
        stream()
            .joinWith(table("rows"))
            .inner("join", (value, row) -> value + row)
            .sink("out", Sinks.none())
            .build();
    assertThat(Planner.plan(topology.graph(), 2, 8).exchanges())
        .extracting(exchange -> exchange.from() + " " + exchange.kind())
        .containsExactlyInAnyOrder("stream/by-key HASH", "rows/by-key HASH", "rows/table FORWARD");
  }

  @Test
  void typesAndSerdesAreThoseOfTheRows() {
    Table<String, Integer> rows = table("rows").typed(Serdes.string(), Serdes.ints());
    Table<String, Long> mapped = rows.mapValues("map", v -> v * 2L);
    Topology topology = mapped.toStream("stream").sink("out", Sinks.none()).build();
    assertThat(topology.explain().toString()).contains("Change<Long>");
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      update(driver, "k", 4, 0);
      assertThat(out(driver)).containsExactly("k=8@0");
    }
  }

  @Test
  void aggregateThatCannotTakeBackIsRefused() {
    Table<String, Integer> largest =
        table("rows")
            .groupBy("by-key", (k, v) -> k)
            .aggregate("largest", Aggregates.<Integer, Integer>max(v -> v));
    assertThatThrownBy(() -> largest.toStream("stream").sink("out", Sinks.none()).build())
        .isInstanceOf(TopologyInvalidException.class)
        .hasMessageContaining("'largest'")
        .hasMessageContaining("cannot take back what it has added");
  }

  @Test
  void joinAsOfNeedsEventTimeAndLatestNoLateness() {
    Table<String, Integer> rows = builder.table("rows", source(0));
    stream().joinWith(rows).inner("as-of", (value, row) -> value + row).sink("out", Sinks.none());
    stream2()
        .joinWith(rows)
        .latest()
        .allowedLateness(Duration.ofMillis(1))
        .inner("latest", (value, row) -> value + row)
        .sink("out2", Sinks.none());
    assertThatThrownBy(builder::build)
        .isInstanceOf(TopologyInvalidException.class)
        .hasMessageContaining("has a join by time over source 'rows', which has no event time")
        .hasMessageContaining("joins with the latest row, for which nothing is late");
  }

  private KeyedStream<String, String> stream2() {
    return builder.source("stream2", source(""), stated()).groupByKey();
  }
}
