package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.DeadLetter;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.Record;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases W06, J06 and A05 as far as they follow the error policy. */
class ErrorPolicyCasesTest {
  private static final ErrorPolicy DEAD_LETTER = ErrorPolicy.deadLetter(Sinks.none());
  private static final long NOW = 1_700_000_000_000L;

  private static Stream<String, Long> in() {
    return Topology.builder("job")
        .source(
            "in",
            CollectionSource.of(List.of(Record.of("k", 1L, 0))),
            WatermarkStrategy.monotonous());
  }

  private static TopologyTestDriver start(Stream<?, ?> end) {
    return TopologyTestDriver.builder(end.sink("out", Sinks.none()).build())
        .startMillis(NOW)
        .start();
  }

  private static List<String> out(TopologyTestDriver driver) {
    return driver.output("out").readAll().stream().map(Record::toString).toList();
  }

  private static void assertBooks(NodeMetrics books, long in, long dropped, long deadLettered) {
    assertThat(List.of(books.in(), books.processed(), books.droppedTotal(), books.deadLettered()))
        .containsExactly(in, in - dropped - deadLettered, dropped, deadLettered);
  }

  private static Stream<?, ?> windowed(UnaryOperator<Stream<String, Long>> policy) {
    return policy
        .apply(in())
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(10)))
        .sum("sum", v -> v)
        .mapValues("bare", result -> result.value());
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
  void w06ByDefaultAnExtremeTimestampFailsTheJobAndNamesTheRecord(long extreme) {
    try (TopologyTestDriver driver = start(windowed(in -> in))) {
      driver.input("in").pipe("k", 1L, 5);
      StreamForgeException failure =
          catchThrowableOfType(
              StreamForgeException.class, () -> driver.input("in").pipe("k", 2L, extreme));
      assertThat(failure.code()).isEqualTo(ErrorCode.TIMESTAMP_OUT_OF_RANGE);
      assertThat(failure)
          .hasMessageContaining("node 'in'")
          .hasMessageContaining("split 0, position 1")
          .hasMessageContaining("k=2@")
          .hasMessageContaining("has the timestamp " + extreme);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
  void w06SkippedItIsCountedAndMovesNoTime(long extreme) {
    try (TopologyTestDriver driver = start(windowed(in -> in.onError(ErrorPolicy.skip())))) {
      driver.<String, Long>input("in").pipe("k", 1L, 5).pipe("k", 2L, extreme).pipe("k", 3L, 6);
      assertThat(driver.metrics().node("in").watermarkMillis()).isEqualTo(6);
      driver.end();
      assertThat(out(driver)).containsExactly("k=4@9");
      assertBooks(driver.metrics().node("in"), 3, 1, 0);
      assertThat(driver.metrics().node("in").dropped())
          .isEqualTo(Map.of("skipped: timestamp out of range", 1L));
    }
  }

  @Test
  void w06AsADeadLetterItHasTheTimeOfItsRejectionAndTheOtherInItsHeaders() {
    try (TopologyTestDriver driver = start(windowed(in -> in.onError(DEAD_LETTER)))) {
      driver.<String, Long>input("in").pipe("k", 2L, Long.MAX_VALUE).pipe("k", 3L, 6);
      driver.end();
      assertThat(out(driver)).containsExactly("k=3@9");
      assertBooks(driver.metrics().node("in"), 2, 0, 1);
      Record<byte[], byte[]> letter = driver.<byte[], byte[]>output("in/dead-letters").read();
      assertThat(letter.timestampMillis()).isEqualTo(NOW);
      assertThat(DeadLetter.of(letter).timestampMillis()).isEqualTo(Long.MAX_VALUE);
      assertThat(DeadLetter.of(letter).code()).isEqualTo(ErrorCode.TIMESTAMP_OUT_OF_RANGE);
      assertThat(DeadLetter.of(letter).position()).isEqualTo("split 0, position 0");
    }
  }

  @Test
  void w06AnExtractorThatThrowsOrGivesAnExtremeFollowsThePolicyAsWell() {
    Stream<String, String> texts =
        Topology.builder("job")
            .source(
                "in",
                CollectionSource.of(List.of(Record.of("k", "v", 0))),
                WatermarkStrategy.<String, String>monotonous()
                    .timestamps((key, value, time) -> Long.parseLong(value)))
            .onError(ErrorPolicy.skip());
    try (TopologyTestDriver driver = start(texts)) {
      driver
          .<String, String>input("in")
          .pipe("k", "7", 0)
          .pipe("k", "soon", 0)
          .pipe("k", String.valueOf(Long.MAX_VALUE), 0)
          .pipe("k", "8", 0);
      assertThat(out(driver)).containsExactly("k=7@7", "k=8@8");
      assertThat(driver.metrics().node("in").dropped())
          .isEqualTo(Map.of("skipped: function failed", 1L, "skipped: timestamp out of range", 1L));
    }
  }

  private static Stream<?, ?> grouped(boolean selecting, ErrorPolicy policy) {
    return selecting
        ? in().groupBy("by", (key, value) -> key).onError(policy).count("count")
        : in().groupByKey("by").onError(policy).count("count");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void j06ByDefaultANullKeyFailsTheJob(boolean selecting) {
    try (TopologyTestDriver driver = start(grouped(selecting, ErrorPolicy.fail()))) {
      assertThatThrownBy(() -> driver.input("in").pipe(null, 1L, 5))
          .hasMessageContaining("NULL_KEY")
          .hasMessageContaining("node 'by'");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void j06ARecordWithoutAKeyIsDroppedAndCountedAndNoOtherKeyHasIt(boolean selecting) {
    try (TopologyTestDriver driver = start(grouped(selecting, ErrorPolicy.skip()))) {
      driver.<String, Long>input("in").pipe("k", 1L, 5).pipe(null, 2L, 6).pipe("", 3L, 7);
      assertThat(out(driver)).containsExactly("k=1@5", "=1@7");
      assertBooks(driver.metrics().node("by"), 3, 1, 0);
      assertThat(driver.metrics().node("by").dropped()).isEqualTo(Map.of("skipped: null key", 1L));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void j06ARecordWithoutAKeyIsADeadLetterWithoutOne(boolean selecting) {
    try (TopologyTestDriver driver = start(grouped(selecting, DEAD_LETTER))) {
      driver.<String, Long>input("in").pipe("k", 1L, 5).pipe(null, 2L, 6);
      assertThat(out(driver)).containsExactly("k=1@5");
      Record<byte[], byte[]> letter = driver.<byte[], byte[]>output("by/dead-letters").read();
      assertThat(letter.key()).isNull();
      assertThat(letter.timestampMillis()).isEqualTo(6);
      assertThat(DeadLetter.of(letter).code()).isEqualTo(ErrorCode.NULL_KEY);
      assertBooks(driver.metrics().node("by"), 2, 0, 1);
    }
  }

  @Test
  void a05AValueThatWouldOverflowASumIsSkippedAndTheSumIsAsBefore() {
    try (TopologyTestDriver driver =
        start(in().groupByKey().sum("sum", v -> v).onError(ErrorPolicy.skip()))) {
      driver
          .<String, Long>input("in")
          .pipe("k", Long.MAX_VALUE, 1)
          .pipe("k", 1L, 2)
          .pipe("k", -1L, 3)
          .pipe("k", 1L, 4);
      assertThat(out(driver))
          .containsExactly(
              "k=" + Long.MAX_VALUE + "@1",
              "k=" + (Long.MAX_VALUE - 1) + "@3",
              "k=" + Long.MAX_VALUE + "@4");
      assertBooks(driver.metrics().node("sum"), 4, 1, 0);
    }
  }

  @Test
  void a05AValueThatWouldOverflowTheSumOfAWindowIsADeadLetter() {
    Stream<?, ?> sums =
        in().groupByKey()
            .window(Windows.tumbling(Duration.ofMillis(10)))
            .sum("sum", v -> v)
            .onError(DEAD_LETTER)
            .mapValues("bare", result -> result.value());
    try (TopologyTestDriver driver = start(sums)) {
      driver.<String, Long>input("in").pipe("k", Long.MAX_VALUE, 1).pipe("k", 5L, 2);
      driver.end();
      assertThat(out(driver)).containsExactly("k=" + Long.MAX_VALUE + "@9");
      Record<byte[], byte[]> letter = driver.<byte[], byte[]>output("sum/dead-letters").read();
      assertThat(new String(letter.key(), StandardCharsets.UTF_8)).isEqualTo("k");
      assertThat(DeadLetter.of(letter).exception()).isEqualTo("java.lang.ArithmeticException");
    }
  }
}
