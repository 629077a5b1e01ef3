package io.streamforge.testkit.chaos;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The output of the job, as who reads its directories sees it. */
final class ChaosOutput {
  private static final int SHOWN_LINES = 5;

  private ChaosOutput() {}

  /** How the output differs from what it has to be. */
  record Difference(long lost, long duplicated) {}

  /**
   * Counts what is missing in the outputs below a directory, and what is there too often.
   *
   * @param expected for each output how often each of its lines has to be there
   * @param output gets some of the differences
   */
  static Difference compare(
      Path directory, Map<String, Map<String, Integer>> expected, PrintStream output)
      throws IOException {
    long lost = 0;
    long duplicated = 0;
    for (Map.Entry<String, Map<String, Integer>> sink : expected.entrySet()) {
      Map<String, Integer> balance = new HashMap<>(sink.getValue());
      for (String line : lines(directory.resolve(sink.getKey()))) {
        balance.merge(line, -1, Integer::sum);
      }
      int shown = 0;
      for (Map.Entry<String, Integer> line : balance.entrySet()) {
        int count = line.getValue();
        lost += Math.max(0, count);
        duplicated += Math.max(0, -count);
        if (count != 0 && shown++ < SHOWN_LINES) {
          output.println(
              sink.getKey()
                  + ": '"
                  + line.getKey()
                  + (count > 0 ? "' is missing " + count : "' is there too often by " + -count));
        }
      }
    }
    return new Difference(lost, duplicated);
  }

  /** What a reader sees: only files that have their names. */
  private static List<String> lines(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .flatMap(ChaosOutput::linesOf)
          .toList();
    }
  }

  private static Stream<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
