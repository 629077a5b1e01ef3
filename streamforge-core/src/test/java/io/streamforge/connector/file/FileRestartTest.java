package io.streamforge.connector.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.connector.SourceHarness;
import io.streamforge.source.Split;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is opened again goes on behind any record that it was read to. */
class FileRestartTest {
  /**
   * Byte order mark, both ends of line, empty lines, wide characters, no end of line at the end.
   */
  private static final String TEXT = "\uFEFFone\r\n\ntwo ä€😀\n\r\n  three\nfour\n\n\nfive";

  @TempDir Path directory;

  private Path plain(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  /** A gzip file with a member for each content. */
  private Path gzip(String name, String... contents) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String content : contents) {
      try (OutputStream member = new GZIPOutputStream(bytes)) {
        member.write(content.getBytes(StandardCharsets.UTF_8));
      }
    }
    return Files.write(directory.resolve(name), bytes.toByteArray());
  }

  @Test
  void plainFilesGoOnBehindAnyLine() throws Exception {
    Path file = plain("plain.txt", TEXT);
    assertThat(new SourceHarness<>(FileSource.lines(file)).readAll().values())
        .containsExactly("one", "", "two ä€😀", "", "  three", "four", "", "", "five");
    SourceHarness.checkRestarts(FileSource.lines(file));
    SourceHarness.checkRestarts(FileSource.lines(plain("ended.txt", TEXT + "\n")));
  }

  @Test
  void linesThatSpanBuffersAreGoneOnBehind() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 24; i++) {
      text.append(i).append(' ').append("x".repeat(i * 1_000)).append(i % 2 == 0 ? "\n" : "\r\n");
    }
    SourceHarness.checkRestarts(FileSource.lines(plain("wide.txt", text.toString())));
    SourceHarness.checkRestarts(FileSource.lines(gzip("wide.gz", text.toString())));
  }

  @Test
  void compressedFilesGoOnBehindAnyLineAlsoAcrossMembers() throws Exception {
    SourceHarness.checkRestarts(FileSource.lines(gzip("one.gz", TEXT)));
    Path file = gzip("three.gz", "one\ntw", "", "o\nthree\n", "four");
    assertThat(new SourceHarness<>(FileSource.lines(file)).readAll().values())
        .containsExactly("one", "two", "three", "four");
    SourceHarness.checkRestarts(FileSource.lines(file));
  }

  @Test
  void everyFileOfADirectoryHasAPositionOfItsOwn() throws Exception {
    plain("1.txt", "a\nb\n");
    gzip("2.gz", "c\nd\n");
    plain("3.txt", "e");
    SourceHarness.checkRestarts(FileSource.lines(directory));
  }

  @Test
  void lineThatWasSkippedIsNotMetAgainWhenItIsBehindThePosition() throws Exception {
    String text = "a\n" + "x".repeat(100_000) + "\nb\n\uFFFD";
    byte[] bytes = (text + "\nc\n").getBytes(StandardCharsets.UTF_8);
    bytes[text.getBytes(StandardCharsets.UTF_8).length - 1] = 'x'; // no UTF-8 any more
    Path file = Files.write(directory.resolve("bad.txt"), bytes);
    FileSource<String> source =
        FileSource.lines(file).malformed(MalformedPolicy.SKIP).maxRecordBytes(1_000);

    SourceHarness<Void, String> whole = new SourceHarness<>(source).readAll();
    assertThat(whole.values()).containsExactly("a", "b", "c");
    assertThat(whole.skipped()).hasSize(2);
    SourceHarness.checkRestarts(source);
    for (SourceHarness.Emitted<Void, String> record : whole.emitted()) {
      Split rest = new Split(record.split(), record.nextPosition());
      assertThat(new SourceHarness<>(source).readAll(List.of(rest)).skipped())
          .as("skipped behind %s", record.value())
          .hasSize(record.value().equals("a") ? 2 : record.value().equals("b") ? 1 : 0);
    }
  }

  @Test
  void filesThatAJobGoesOnWithAreNotFoundAgainHoweverTheirPathIsWritten() throws Exception {
    Path first = plain("1.txt", "a\n");
    plain("2.txt", "b\n");
    Path fromHere = Path.of("").toAbsolutePath().relativize(directory.toAbsolutePath());
    List<Split> known = new SourceHarness<>(FileSource.lines(directory)).discover();
    assertThat(known).hasSize(2);
    plain("3.txt", "c\n");

    Path around = directory.resolve("../" + directory.getFileName());
    for (Path path : List.of(directory, fromHere, around)) {
      assertThat(new SourceHarness<>(FileSource.lines(path)).discoverBeside(known))
          .as("read as %s", path)
          .containsExactly(new Split(path.resolve("3.txt").toString(), 0));
    }
    assertThat(new SourceHarness<>(FileSource.lines(first)).discoverBeside(known)).isEmpty();
    assertThat(new SourceHarness<>(FileSource.lines(directory, fromHere)).readAll().values())
        .as("read once")
        .containsExactly("a", "b", "c");
  }

  @Test
  void errorsBehindAPositionNameTheLineOfTheFile() throws Exception {
    byte[] bad = {'a', '\n', 'b', '\n', 'c', '\n', (byte) 0xFF, '\n'};
    FileSource<String> source = FileSource.lines(Files.write(directory.resolve("bad.txt"), bad));
    Split split = new SourceHarness<>(source).discover().get(0);
    assertThatThrownBy(() -> new SourceHarness<>(source).readAll(List.of(new Split(split.id(), 4))))
        .hasMessageContaining("line 4");
  }

  @Test
  void positionAtTheEndYieldsNothing() throws Exception {
    FileSource<String> source = FileSource.lines(plain("ended.txt", "a\nb\n"));
    Split split = new SourceHarness<>(source).discover().get(0);
    assertThat(new SourceHarness<>(source).readAll(List.of(new Split(split.id(), 4))).values())
        .isEmpty();
  }
}
