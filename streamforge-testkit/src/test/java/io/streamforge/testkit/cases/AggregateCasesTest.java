package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.engine.Engine;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Overflow;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case group A over whole topologies: keys, sums, skew. */
class AggregateCasesTest {
  /** An enum whose ordinal and hash say nothing about its identity. */
  enum Colour {
    RED,
    GREEN
  }

  /** A record key with an array inside, which records compare by reference. */
  record Point(Colour colour, byte[] bytes) {}

  /** Two keys are equal only if they are the same object, and all have one hash. */
  record Terrible(String name) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 42;
    }
  }

  private static <K> Map<String, Long> counted(
      Class<K> type, List<K> keys, int parallelism, Function<K, String> name) {
    CollectingSink<K, Long> results = Sinks.collect();
    Topology topology =
        Topology.builder("counting")
            .source("in", CollectionSource.ofValues(keys))
            .groupBy("by", (nothing, key) -> key)
            .typed(type, type)
            .count("count")
            .sink("out", results)
            .build();
    try (Engine engine =
        Engine.start(topology, EngineConfig.builder().parallelism(parallelism).build())) {
      engine.awaitCompletion();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Map<String, Long> last = new HashMap<>();
    results.records().forEach(r -> last.merge(name.apply(r.key()), r.value(), Math::max));
    return last;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void a01ByteArraysAndArraysInRecordsGroupByContent(int parallelism) {
    List<byte[]> arrays = List.of(new byte[] {1, 2}, new byte[] {3}, new byte[] {1, 2});
    assertThat(counted(byte[].class, arrays, parallelism, a -> a.length + "bytes"))
        .isEqualTo(Map.of("2bytes", 2L, "1bytes", 1L));
    List<Point> points =
        List.of(
            new Point(Colour.RED, new byte[] {1}),
            new Point(Colour.GREEN, new byte[] {1}),
            new Point(Colour.RED, new byte[] {1}));
    assertThat(counted(Point.class, points, parallelism, p -> p.colour().name()))
        .isEqualTo(Map.of("RED", 2L, "GREEN", 1L));
  }

  @Test
  void a02TheHashAndEqualityOfTheUsersClassAreNeverAsked() {
    List<Terrible> keys = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      keys.add(new Terrible("key" + i % 10_000));
    }
    Map<String, Long> counts = counted(Terrible.class, keys, 2, Terrible::name);
    assertThat(counts).hasSize(10_000);
    assertThat(counts.values()).containsOnly(3L);
  }

  @Test
  void a02StringsWhoseHashCodeCollidesAreCountedApartAndQuickly() {
    List<String> keys = new ArrayList<>();
    int bits = 13;
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 1 << bits; i++) {
        StringBuilder key = new StringBuilder();
        for (int bit = 0; bit < bits; bit++) {
          key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        keys.add(key.toString());
      }
    }
    assertThat(keys.stream().map(String::hashCode).distinct()).hasSize(1);
    Map<String, Long> counts = counted(String.class, keys, 2, key -> key);
    assertThat(counts).hasSize(1 << bits);
    assertThat(counts.values()).containsOnly(3L);
  }

  private static <R> R last(
      List<Long> values, Function<KeyedStream<String, Long>, Stream<String, R>> aggregate) {
    Topology topology =
        aggregate
            .apply(
                Topology.builder("aggregate")
                    .source("in", CollectionSource.of(List.of(Record.of("k", 0L, 0))))
                    .groupByKey())
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      TestInput<String, Long> input = driver.input("in");
      values.forEach(value -> input.pipe("k", value));
      TestOutput<String, R> output = driver.output("out");
      List<R> all = output.readValues();
      return all.get(all.size() - 1);
    }
  }

  @Test
  void a05ASumPastTheLargestLongFailsWithTheNodesNameOrWrapsWhereThatIsAsked() {
    List<Long> values = List.of(Long.MAX_VALUE, 1L);
    assertThatThrownBy(() -> last(values, in -> in.sum("total", v -> v)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("FUNCTION_FAILED")
        .hasMessageContaining("node 'total'")
        .hasMessageContaining("record k=1@");
    Long wrapped =
        last(values, in -> in.aggregate("total", Aggregates.<Long>sum(v -> v, Overflow.WRAP)));
    assertThat(wrapped).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void a05AnAverageOfTheLargestValuesDoesNotOverflow() {
    Double ofLongs =
        last(List.of(Long.MAX_VALUE, Long.MAX_VALUE), in -> in.average("mean", v -> v));
    assertThat(ofLongs).isEqualTo((double) Long.MAX_VALUE);
    Double ofDoubles = last(List.of(1L, 1L), in -> in.average("mean", v -> Double.MAX_VALUE));
    assertThat(ofDoubles).isEqualTo(Double.MAX_VALUE);
  }

  @Test
  void a05NotANumberIsTheLargest() {
    Double max = last(List.of(1L, 2L), in -> in.max("max", v -> v == 1 ? Double.NaN : v));
    Double min = last(List.of(1L, 2L), in -> in.min("min", v -> v == 1 ? Double.NaN : v));
    assertThat(max).isNaN();
    assertThat(min).isEqualTo(2.0);
  }

  private static <K, V> List<Record<K, V>> run(
      CollectingSink<K, V> results, Topology topology, int parallelism) {
    try (Engine engine =
        Engine.start(topology, EngineConfig.builder().parallelism(parallelism).build())) {
      engine.awaitCompletion();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return results.records();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a08AValueOfFiftyMegabytesIsKeptInStateWhole(int parallelism) {
    byte[] huge = new byte[50_000_000];
    new SplittableRandom(8).nextBytes(huge);
    byte[] small = {1};
    CollectingSink<String, byte[]> results = Sinks.collect();
    Topology topology =
        Topology.builder("large-values")
            .source(
                "in",
                CollectionSource.of(
                    List.of(
                        Record.of("k", huge, 0),
                        Record.of("other", small, 1),
                        Record.of("k", small, 2))))
            .groupByKey()
            .reduce("largest", (a, b) -> a.length >= b.length ? a : b)
            .sink("out", results)
            .build();
    List<Record<String, byte[]>> records = run(results, topology, parallelism);
    assertThat(records).hasSize(3);
    for (Record<String, byte[]> record : records) {
      byte[] expected = record.key().equals("k") ? huge : small;
      assertThat(Arrays.equals(record.value(), expected)).as(record.key()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a08AnAggregateThatGrowsToFiftyMegabytesIsKeptInAWindow(int parallelism) {
    int pieces = 5;
    List<Record<String, String>> records = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      records.add(Record.of("k", String.valueOf((char) ('a' + i)).repeat(10_000_000), i));
    }
    CollectingSink<String, Windowed<String>> results = Sinks.collect();
    Topology topology =
        Topology.builder("large-aggregate")
            .source("in", CollectionSource.of(records), WatermarkStrategy.monotonous())
            .groupByKey()
            .window(Windows.tumbling(Duration.ofSeconds(1)))
            .reduce("joined", (a, b) -> a + b)
            .sink("out", results)
            .build();
    List<Record<String, Windowed<String>>> fired = run(results, topology, parallelism);
    assertThat(fired).hasSize(1);
    String joined = fired.get(0).value().value();
    assertThat(joined).hasSize(pieces * 10_000_000);
    for (int i = 0; i < pieces; i++) {
      assertThat(joined.charAt(i * 10_000_000)).isEqualTo((char) ('a' + i));
      assertThat(joined.charAt(i * 10_000_000 + 9_999_999)).isEqualTo((char) ('a' + i));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a08KeysOfSixtyFourKilobytesAreToldApartByTheirLastByte(int parallelism) {
    String common = "k".repeat(65_535);
    List<String> strings = List.of(common + "a", common + "b", common + "a", common, common + "aa");
    assertThat(counted(String.class, strings, parallelism, key -> key.substring(65_535)))
        .isEqualTo(Map.of("a", 2L, "b", 1L, "", 1L, "aa", 1L));
    List<byte[]> arrays =
        strings.stream().map(key -> key.getBytes(StandardCharsets.US_ASCII)).toList();
    assertThat(
            counted(
                byte[].class,
                arrays,
                parallelism,
                key -> new String(key, 65_535, key.length - 65_535, StandardCharsets.US_ASCII)))
        .isEqualTo(Map.of("a", 2L, "b", 1L, "", 1L, "aa", 1L));
  }

  @Test
  void a08AKeyOfSixtyFourKilobytesInAnErrorLeavesTheErrorReadable() {
    String key = "k".repeat(65_536);
    CollectingSink<String, Long> results = Sinks.collect();
    Topology topology =
        Topology.builder("large-key")
            .source("in", CollectionSource.of(List.of(Record.of(key, Long.MAX_VALUE, 0))))
            .groupByKey()
            .sum("total", value -> Math.addExact(value, 1))
            .sink("out", results)
            .build();
    assertThatThrownBy(() -> run(results, topology, 1))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("FUNCTION_FAILED")
        .hasMessageContaining("kkkk")
        .message()
        .hasSizeLessThan(2_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void a09OneKeyWithMostOfTheRecordsLeavesAllResultsRight(int parallelism)
      throws InterruptedException {
    List<Record<String, Long>> records = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      records.add(Record.of(i % 10 == 0 ? "cold" + i % 70 : "hot", 1L, i / 10));
    }
    CollectingSink<String, Windowed<Long>> results = Sinks.collect();
    Topology topology =
        Topology.builder("skew")
            .source("in", CollectionSource.of(records).splits(3), WatermarkStrategy.monotonous())
            .groupByKey()
            .window(Windows.tumbling(Duration.ofSeconds(1)))
            .count("count")
            .sink("out", results)
            .build();
    try (Engine engine =
        Engine.start(topology, EngineConfig.builder().parallelism(parallelism).build())) {
      engine.awaitCompletion();
      assertThat(engine.metrics().node("count").late()).isZero();
    }
    Map<String, Long> totals = new HashMap<>();
    results.records().forEach(r -> totals.merge(r.key(), r.value().value(), Long::sum));
    assertThat(totals).hasSize(8).containsEntry("hot", 45_000L);
    assertThat(totals.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(50_000);
    assertThat(results.records()).hasSize(8 * 5);
  }
}
