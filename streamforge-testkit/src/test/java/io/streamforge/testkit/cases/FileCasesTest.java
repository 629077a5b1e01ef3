package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.connector.file.FileSink;
import io.streamforge.connector.file.FileSource;
import io.streamforge.connector.file.MalformedPolicy;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.error.StreamForgeException;
import io.streamforge.formats.csv.Csv;
import io.streamforge.formats.json.JsonLines;
import io.streamforge.source.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case group I over real files and whole jobs. */
class FileCasesTest {
  /** A line of the CSV files here. */
  record Row(String name, int amount) {}

  @TempDir Path directory;

  private static <V> List<V> read(Source<Void, V> source) {
    CollectingSink<Void, V> results = Sinks.collect();
    Topology topology = Topology.builder("read").source("in", source).sink("out", results).build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(2).build())) {
      engine.awaitCompletion();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return results.values();
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private static byte[] gzip(String content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void i02CsvWithQuotedNewlinesAByteOrderMarkAndCrLfAndNoFinalNewline() throws IOException {
    Path csv =
        file("a.csv", "\uFEFFamount,name\r\n1,\"two\r\nlines\"\r\n2,\"a \"\"quote\"\", a comma\"");
    assertThat(read(Csv.source(csv, Row.class)))
        .containsExactly(new Row("two\r\nlines", 1), new Row("a \"quote\", a comma", 2));
  }

  @Test
  void i02EmptyFilesAndFilesOfAHeaderOnlyHoldNoRecords() throws IOException {
    assertThat(read(Csv.source(file("header.csv", "name,amount\n"), Row.class))).isEmpty();
    assertThat(read(FileSource.lines(file("empty.txt", "")))).isEmpty();
    assertThat(read(JsonLines.source(file("empty.jsonl", ""), Row.class))).isEmpty();
  }

  @Test
  void i02AMalformedCsvLineIsNamedWithFileLineAndColumnOrSkippedAndCounted() throws IOException {
    Path csv = file("bad.csv", "name,amount\na,1\nb,many\nc,3\n");
    assertThatThrownBy(() -> read(Csv.source(csv, Row.class)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("RECORD_MALFORMED")
        .hasMessageContaining("bad.csv")
        .hasMessageContaining("line 3")
        .hasMessageContaining("amount");
    assertThat(read(Csv.source(csv, Row.class).malformed(MalformedPolicy.SKIP)))
        .containsExactly(new Row("a", 1), new Row("c", 3));
  }

  @Test
  void i02ACsvFileWithoutANeededColumnIsNamedBeforeAnythingIsRead() throws IOException {
    Path csv = file("columns.csv", "name,sum\na,1\n");
    assertThatThrownBy(() -> read(Csv.source(csv, Row.class)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("columns.csv")
        .hasMessageContaining("amount");
  }

  @Test
  void i02JsonLinesSkipBlankLinesAndNameTheLineThatCannotBeRead() throws IOException {
    Path good =
        file("good.jsonl", "{\"name\":\"a\",\"amount\":1}\n\n{\"name\":\"b\",\"amount\":2}");
    assertThat(read(JsonLines.source(good, Row.class)))
        .containsExactly(new Row("a", 1), new Row("b", 2));
    Path bad = file("bad.jsonl", "{\"name\":\"a\",\"amount\":1}\n{\"name\":\n");
    assertThatThrownBy(() -> read(JsonLines.source(bad, Row.class)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("bad.jsonl")
        .hasMessageContaining("line 2");
  }

  @Test
  void i02GzipWithTwoMembersIsReadToItsEnd() throws IOException {
    Path file = directory.resolve("two.gz");
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(gzip("name,amount\na,1\nb,"));
    both.write(gzip("2\nc,3\n"));
    Files.write(file, both.toByteArray());
    assertThat(read(Csv.source(file, Row.class)))
        .containsExactly(new Row("a", 1), new Row("b", 2), new Row("c", 3));
  }

  @Test
  void i02ALineBeyondTheLimitIsNamedAndALongOneWithinItIsRead() throws IOException {
    String longLine = "x".repeat(5_000_000);
    Path file = file("long.txt", "short\n" + longLine + "\n");
    assertThat(read(FileSource.lines(file))).containsExactly("short", longLine);
    assertThatThrownBy(() -> read(FileSource.lines(file).maxRecordBytes(1_000)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("long.txt")
        .hasMessageContaining("line 2");
  }

  @Test
  void i03MultiByteCharactersAtBufferEdgesStayIntact() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) {
      lines.add("ä€😀".repeat(1 + i % 5) + "x".repeat(i % 7));
    }
    Path file = Files.write(directory.resolve("wide.txt"), lines);
    assertThat(read(FileSource.lines(file))).isEqualTo(lines);
  }

  @Test
  void i03InvalidUtf8FollowsThePolicy() throws IOException {
    Path file =
        Files.write(directory.resolve("bad.txt"), new byte[] {'a', '\n', (byte) 0xff, '\n', 'b'});
    assertThatThrownBy(() -> read(FileSource.lines(file)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("bad.txt")
        .hasMessageContaining("line 2");
    assertThat(read(FileSource.lines(file).malformed(MalformedPolicy.SKIP)))
        .containsExactly("a", "b");
    assertThat(read(FileSource.lines(file).malformed(MalformedPolicy.REPLACE)))
        .containsExactly("a", "\uFFFD", "b");
  }

  @Test
  void i03InvalidUtf8FollowsTheErrorPolicyOfTheNode() throws Exception {
    Path file =
        Files.write(directory.resolve("bad.txt"), new byte[] {'a', '\n', (byte) 0xFF, '\n', 'b'});
    CollectingSink<Void, String> lines = Sinks.collect();
    CollectingSink<byte[], byte[]> letters = Sinks.collect();
    Topology topology =
        Topology.builder("lines")
            .source("in", FileSource.lines(file))
            .onError(ErrorPolicy.deadLetter(letters))
            .sink("out", lines)
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(1).build())) {
      engine.awaitCompletion();
      assertThat(engine.metrics().node("in").deadLettered()).isEqualTo(1);
    }
    assertThat(lines.values()).containsExactly("a", "b");
    assertThat(letters.records())
        .extracting(letter -> letter.value()[0])
        .containsExactly((byte) 0xFF);
  }

  private void write(Path into, String... values) throws InterruptedException {
    FileSink<Void, String> sink = FileSink.lines(into);
    Topology topology =
        Topology.builder("write")
            .source("in", CollectionSource.ofValues(Arrays.asList(values)))
            .sink("out", sink)
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(1).build())) {
      engine.awaitCompletion();
    }
  }

  @Test
  void i04FilesOfAnEarlierRunStayAndOnlyCompleteOnesAreVisible() throws Exception {
    Path into = directory.resolve("out");
    write(into, "a", "b");
    write(into, "c");
    try (Stream<Path> files = Files.list(into)) {
      List<Path> parts = files.sorted().toList();
      assertThat(parts).hasSize(2);
      assertThat(parts.stream().map(FileCasesTest::content).collect(Collectors.toSet()))
          .containsExactlyInAnyOrder("a\nb\n", "c\n");
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void i04AJobThatFailsLeavesNoPartBehind() throws Exception {
    Path into = directory.resolve("failed");
    Topology topology =
        Topology.builder("fails")
            .source("in", CollectionSource.ofValues("1", "x"))
            .mapValues("parse", Integer::parseInt)
            .sink("out", FileSink.lines(into))
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults())) {
      assertThatThrownBy(engine::awaitCompletion).hasMessageContaining("node 'parse'");
    }
    try (Stream<Path> files = Files.list(into)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aMissingFileIsNamedBeforeAnythingIsRead() {
    assertThatThrownBy(() -> read(FileSource.lines(directory.resolve("nowhere.txt"))))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("SOURCE_FAILED")
        .hasMessageContaining("nowhere.txt")
        .hasMessageContaining("Remedy");
  }

  @Test
  void theFilesOfADirectoryAreReadEachAsASplit() throws IOException {
    file("1.txt", "a\nb\n");
    file("2.txt", "c\n");
    file(".hidden", "no\n");
    assertThat(read(FileSource.lines(directory))).containsExactlyInAnyOrder("a", "b", "c");
  }
}
