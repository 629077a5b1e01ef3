package io.streamforge.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Word count against a loop over the whole text. */
class WordCountTest {
  private static final Path BUNDLED = Path.of("data/moby-dick.txt");

  @TempDir private Path directory;

  private static Map<String, Long> counted(Path text) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    Matcher word =
        Pattern.compile("[A-Za-z]+")
            .matcher(new String(Files.readAllBytes(text), StandardCharsets.ISO_8859_1));
    while (word.find()) {
      counts.merge(word.group().toLowerCase(Locale.ROOT), 1L, Long::sum);
    }
    return counts;
  }

  @Test
  void theBundledTextIsLargeEnough() throws IOException {
    assertThat(Files.size(BUNDLED)).isGreaterThan(500_000);
  }

  @Test
  void theOutputFileHasTheCountsOfAllWordsSortedByWord() throws Exception {
    Path output = directory.resolve("counts");
    ExampleProcess.Result result =
        ExampleProcess.run(directory, WordCount.class, BUNDLED.toString(), output.toString());
    List<String> expected = new ArrayList<>();
    counted(BUNDLED).forEach((word, count) -> expected.add(word + "\t" + count + "\n"));
    assertThat(Files.readString(output)).isEqualTo(String.join("", expected));
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("Reading " + BUNDLED)
        .containsPattern("21,424 records in all, [0-9.]+ s, [0-9,]+ records/s\n")
        .endsWith("Wrote %,d lines to %s%n".formatted(expected.size(), output));
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("counts", "stdout", "stderr");
    }
  }

  @Test
  void withoutAnOutputFileTheTenMostFrequentWordsAreShown() throws Exception {
    Map<String, Long> counts = counted(BUNDLED);
    List<String> top =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(10)
            .map(e -> "%s %,d".formatted(e.getKey(), e.getValue()))
            .toList();
    ExampleProcess.Result result =
        ExampleProcess.run(directory, WordCount.class, BUNDLED.toString());
    assertThat(result.code()).isZero();
    List<String> lines = result.out().lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertThat(lines.subList(0, 10)).isEqualTo(top);
    assertThat(lines.subList(10, lines.size()))
        .containsExactly(
            "%,d words, %,d different"
                .formatted(
                    counts.values().stream().mapToLong(Long::longValue).sum(), counts.size()));
  }

  @Test
  void aWordIsAMaximalRunOfAsciiLettersWhateverElseTheFileHolds() throws Exception {
    Path text = directory.resolve("text");
    Files.write(text, "Don't, don’t!\r\nna\u00efve a1b_B\n\n  Z".getBytes(StandardCharsets.UTF_8));
    Path output = directory.resolve("counts");
    ExampleProcess.run(directory, WordCount.class, text.toString(), output.toString());
    assertThat(Files.readString(output))
        .isEqualTo("a\t1\nb\t2\ndon\t2\nna\t1\nt\t2\nve\t1\nz\t1\n");
    Files.write(text, new byte[] {'a', (byte) 0xFF, 'a', '\n', (byte) 0xC3});
    ExampleProcess.run(directory, WordCount.class, text.toString(), output.toString());
    assertThat(Files.readString(output)).isEqualTo("a\t2\n");
  }

  @Test
  void anEmptyFileHasNoWords() throws Exception {
    Path text = Files.createFile(directory.resolve("text"));
    Path output = directory.resolve("counts");
    ExampleProcess.Result result =
        ExampleProcess.run(directory, WordCount.class, text.toString(), output.toString());
    assertThat(result.code()).isZero();
    assertThat(output).isEmptyFile();
  }

  @Test
  void aMissingFileIsAClearError() throws Exception {
    ExampleProcess.Result result =
        ExampleProcess.run(directory, WordCount.class, "missing.txt", "unused");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .isEqualTo(
            """
            Reading missing.txt
            error: SOURCE_FAILED: there is no file or directory missing.txt
              Where: job 'wordcount', node 'lines', at missing.txt
              Remedy: Check the path, or create the file.
            """);
    assertThat(Path.of("unused")).doesNotExist();
  }

  @Test
  void anOutputThatCannotBeWrittenIsAClearError() throws Exception {
    Path text = Files.writeString(directory.resolve("text"), "a\n");
    Path output = directory.resolve("missing/counts");
    ExampleProcess.Result result =
        ExampleProcess.run(directory, WordCount.class, text.toString(), output.toString());
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("error: the output cannot be written: ");
  }

  @Test
  void withoutArgumentsTheUsageIsShown() throws Exception {
    assertThat(ExampleProcess.run(directory, WordCount.class))
        .isEqualTo(new ExampleProcess.Result(2, "", "Usage: wordcount INPUT [OUTPUT]\n"));
  }

  @Test
  void theTopologyOfNoArgumentsOrTooManyIsRefusedWithTheUsage() {
    for (String[] args : List.of(new String[0], new String[] {"a", "b"})) {
      assertThatThrownBy(() -> WordCount.topology(args))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "expected 1 argument, got %d\nUsage: io.streamforge.examples.WordCount INPUT"
                  .formatted(args.length));
    }
  }
}
