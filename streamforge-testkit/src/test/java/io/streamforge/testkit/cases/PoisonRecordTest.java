package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.connector.file.FileSource;
import io.streamforge.connector.file.MalformedPolicy;
import io.streamforge.engine.Engine;
import io.streamforge.error.DeadLetter;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.error.StreamForgeException;
import io.streamforge.formats.csv.Csv;
import io.streamforge.formats.json.JsonLines;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.Record;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Case I01: a record that cannot be decoded in the middle of a split. */
class PoisonRecordTest {
  /** A record of the files here. */
  record Order(int id, String item) {}

  /** The formats, each with 4 good records, a bad one as the third, and the line of that one. */
  enum Kind {
    JSON(
        "orders.jsonl",
        """
        {"id":1,"item":"a"}
        {"id":2,"item":"b"}
        {"id":3,"item":
        {"id":4,"item":"d"}
        {"id":5,"item":"e"}
        """,
        3),
    JSON_OF_ANOTHER_TYPE(
        "types.jsonl",
        """
        {"id":1,"item":"a"}

        {"id":2,"item":"b"}
        {"id":"three","item":"c"}
        {"id":4,"item":"d"}
        {"id":5,"item":"e"}
        """,
        4),
    CSV(
        "orders.csv",
        """
        id,item
        1,a
        2,b
        three,c
        4,d
        5,e
        """,
        4),
    CSV_BEHIND_A_QUOTED_LINE_FEED(
        "quoted.csv",
        """
        id,item
        1,"a

        a"
        2,b
        3
        4,d
        5,e
        """,
        6);

    private final String file;
    private final String content;
    private final int line;

    Kind(String file, String content, int line) {
      this.file = file;
      this.content = content;
      this.line = line;
    }

    FileSource<Order> source(Path path) {
      return file.endsWith(".csv")
          ? Csv.source(path, Order.class)
          : JsonLines.source(path, Order.class);
    }
  }

  @TempDir Path directory;

  private final CollectingSink<Void, Integer> results = Sinks.collect();

  /** Runs to the end and returns what is known of the source then. */
  private NodeMetrics read(FileSource<Order> source) {
    return read(source, results);
  }

  private static NodeMetrics read(FileSource<Order> source, CollectingSink<Void, Integer> results) {
    Topology topology =
        Topology.builder("orders")
            .source("in", source)
            .mapValues("id", order -> order.id())
            .sink("out", results)
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(2).build())) {
      engine.awaitCompletion();
      return engine.metrics().node("in");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private StreamForgeException failure(FileSource<Order> source) {
    return catchThrowableOfType(StreamForgeException.class, () -> read(source));
  }

  @ParameterizedTest
  @EnumSource
  void i01ByDefaultTheJobFailsAndNamesJobNodeFileAndLine(Kind kind) throws IOException {
    Path file = Files.writeString(directory.resolve(kind.file), kind.content);
    StreamForgeException failure = failure(kind.source(file));
    assertThat(failure.code()).isEqualTo(ErrorCode.RECORD_MALFORMED);
    assertThat(failure.context().position()).startsWith(file + ", line " + kind.line);
    assertThat(failure)
        .hasMessageContaining("job 'orders', node 'in'")
        .hasMessageContaining(file + ", line " + kind.line)
        .hasMessageContaining("choose the policy skip");
    // In order, and none of those behind it.
    assertThat(results.values()).isSubsetOf(1, 2);
  }

  @ParameterizedTest
  @EnumSource
  void i01SkippedItIsCountedAndTheRecordsBehindItFollowInOrder(Kind kind) throws IOException {
    Path file = Files.writeString(directory.resolve(kind.file), kind.content);
    NodeMetrics source = read(kind.source(file).malformed(MalformedPolicy.SKIP));
    assertThat(results.values()).containsExactly(1, 2, 4, 5);
    assertThat(source.in()).isEqualTo(5);
    assertThat(source.dropped()).isEqualTo(Map.of("malformed", 1L));
    assertThat(source.balanced()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void i01ReplacingBytesDoesNotMendARecord(Kind kind) throws IOException {
    Path file = Files.writeString(directory.resolve(kind.file), kind.content);
    assertThat(failure(kind.source(file).malformed(MalformedPolicy.REPLACE)))
        .hasMessageContaining(file + ", line " + kind.line);
  }

  @ParameterizedTest
  @EnumSource
  void i01TheLineOfACompressedFileIsNamedToo(Kind kind) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(kind.content.getBytes(StandardCharsets.UTF_8));
    }
    Path file = Files.write(directory.resolve(kind.file + ".gz"), bytes.toByteArray());
    assertThat(failure(kind.source(file))).hasMessageContaining(file + ", line " + kind.line);
    CollectingSink<Void, Integer> whole = Sinks.collect();
    read(kind.source(file).malformed(MalformedPolicy.SKIP), whole);
    assertThat(whole.values()).containsExactly(1, 2, 4, 5);
  }

  @Test
  void i01OfADirectoryTheFileIsNamedAndTheOthersAreWhole() throws IOException {
    for (int i = 1; i <= 3; i++) {
      Files.writeString(
          directory.resolve(i + ".jsonl"),
          """
          {"id":%d1,"item":"a"}
          %s
          {"id":%d3,"item":"c"}
          """
              .formatted(i, i == 2 ? "poison" : "{\"id\":" + i + "2,\"item\":\"b\"}", i));
    }
    FileSource<Order> orders = JsonLines.source(directory, Order.class);
    assertThat(failure(orders)).hasMessageContaining(directory.resolve("2.jsonl") + ", line 2");

    CollectingSink<Void, Integer> whole = Sinks.collect();
    read(orders.malformed(MalformedPolicy.SKIP), whole);
    assertThat(whole.values()).containsExactlyInAnyOrder(11, 12, 13, 21, 23, 31, 32, 33);
    for (int i = 1; i <= 3; i++) {
      int file = i;
      assertThat(whole.values().stream().filter(id -> id / 10 == file)).isSorted();
    }
  }

  @Test
  void i01ManyPoisonRecordsAreAllCountedAndNoneOfTheOthersIsLost() throws IOException {
    StringBuilder text = new StringBuilder("id,item\n");
    for (int i = 0; i < 10_000; i++) {
      text.append(i % 3 == 0 ? i + "\n" : i + ",x\n");
    }
    Path file = Files.writeString(directory.resolve("many.csv"), text);
    NodeMetrics source = read(Csv.source(file, Order.class).malformed(MalformedPolicy.SKIP));
    assertThat(source.dropped()).isEqualTo(Map.of("malformed", 3_334L));
    List<Integer> ids = results.values();
    assertThat(ids).hasSize(6_666).isSorted().allMatch(id -> id % 3 != 0);
  }

  private static NodeMetrics read(
      FileSource<Order> source, CollectingSink<Void, Integer> results, ErrorPolicy policy) {
    Topology topology =
        Topology.builder("orders")
            .onError(policy)
            .source("in", source)
            .mapValues("id", order -> order.id())
            .sink("out", results)
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(2).build())) {
      engine.awaitCompletion();
      return engine.metrics().node("in");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void i01AsADeadLetterItHasItsOriginalBytesAndTheRecordsBehindItFollowInOrder(Kind kind)
      throws IOException {
    Path file = Files.writeString(directory.resolve(kind.file), kind.content);
    CollectingSink<byte[], byte[]> letters = Sinks.collect();
    NodeMetrics source = read(kind.source(file), results, ErrorPolicy.deadLetter(letters));
    assertThat(results.values()).containsExactly(1, 2, 4, 5);
    assertThat(List.of(source.in(), source.processed(), source.deadLettered()))
        .containsExactly(5L, 4L, 1L);
    assertThat(source.balanced()).isTrue();
    assertThat(letters.records()).hasSize(1);
    Record<byte[], byte[]> letter = letters.records().get(0);
    assertThat(new String(letter.value(), StandardCharsets.UTF_8))
        .isEqualTo(kind.content.lines().toList().get(kind.line - 1));
    DeadLetter read = DeadLetter.of(letter);
    assertThat(read.node()).isEqualTo("in");
    assertThat(read.code()).isEqualTo(ErrorCode.RECORD_MALFORMED);
    assertThat(read.position()).startsWith(file + ", line " + kind.line);
    assertThat(read.form()).isEqualTo(DeadLetter.ORIGINAL);
    assertThat(read.timestampMillis()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void i01TheNodesPolicySkipCountsItAsWell(Kind kind) throws IOException {
    Path file = Files.writeString(directory.resolve(kind.file), kind.content);
    NodeMetrics source = read(kind.source(file), results, ErrorPolicy.skip());
    assertThat(results.values()).containsExactly(1, 2, 4, 5);
    assertThat(source.dropped()).isEqualTo(Map.of("skipped: record malformed", 1L));
  }

  @Test
  void i01WhatTheSourceItselfSaysCountsMoreThanThePolicy() throws IOException {
    Path file = Files.writeString(directory.resolve(Kind.JSON.file), Kind.JSON.content);
    FileSource<Order> orders = Kind.JSON.source(file);
    assertThat(
            catchThrowableOfType(
                StreamForgeException.class,
                () -> read(orders.malformed(MalformedPolicy.FAIL), results, ErrorPolicy.skip())))
        .hasMessageContaining(file + ", line 3");
    NodeMetrics source =
        read(
            orders.malformed(MalformedPolicy.SKIP),
            Sinks.collect(),
            ErrorPolicy.deadLetter(Sinks.none()));
    assertThat(source.dropped()).isEqualTo(Map.of("malformed", 1L));
    assertThat(source.deadLettered()).isZero();
  }

  @Test
  void i01OfARecordThatIsTooLongTheBeginningIsInTheDeadLetter() throws IOException {
    String content = "1\n" + "x".repeat(200_000) + "\n3\n" + "y".repeat(150_000);
    Path file = Files.writeString(directory.resolve("long.txt"), content);
    CollectingSink<byte[], byte[]> letters = Sinks.collect();
    CollectingSink<Void, String> lines = Sinks.collect();
    Topology topology =
        Topology.builder("lines")
            .source("in", FileSource.lines(file).maxRecordBytes(100_000))
            .onError(ErrorPolicy.deadLetter(letters))
            .sink("out", lines)
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(1).build())) {
      engine.awaitCompletion();
      assertThat(engine.metrics().node("in").balanced()).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(lines.values()).containsExactly("1", "3");
    assertThat(letters.records())
        .extracting(letter -> new String(letter.value(), StandardCharsets.UTF_8))
        .containsExactly("x".repeat(1 << 16), "y".repeat(1 << 16));
    assertThat(letters.records())
        .extracting(letter -> DeadLetter.of(letter).position())
        .containsExactly(file + ", line 2", file + ", line 4");
  }
}
