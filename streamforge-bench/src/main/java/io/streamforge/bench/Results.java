package io.streamforge.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.ObjectMapper;

/** The results, kept as {@code bench.json} for programs and as {@code bench.md} for people. */
final class Results {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<Result> rows;

  Results(List<Result> rows) {
    this.rows =
        rows.stream()
            .sorted(
                Comparator.comparing(Result::workload)
                    .thenComparing(Result::parallelism)
                    .thenComparing(Result::engine))
            .toList();
  }

  /** What was kept before; nothing when there is no such file. */
  static Results read(Path directory) {
    Path file = directory.resolve("bench.json");
    return Files.exists(file)
        ? new Results(JSON.readValue(file.toFile(), new TypeReference<List<Result>>() {}))
        : new Results(List.of());
  }

  /** These, and the others for the workloads that are not to be replaced. */
  Results replacing(Set<String> workloads, Results others) {
    List<Result> all = new ArrayList<>(rows);
    others.rows.stream().filter(row -> !workloads.contains(row.workload())).forEach(all::add);
    return new Results(all);
  }

  /** Writes both files. */
  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<String> lines = rows.stream().map(JSON::writeValueAsString).toList();
    Files.writeString(
        directory.resolve("bench.json"), "[\n  " + String.join(",\n  ", lines) + "\n]\n");
    Files.writeString(directory.resolve("bench.md"), markdown());
  }

  private String markdown() {
    StringBuilder text =
        new StringBuilder("| workload | engine | parallelism | M records/s | of the hand loop |\n");
    text.append("| --- | --- | ---: | ---: | ---: |\n");
    for (Result row : rows) {
      text.append(
          "| %s | %s | %d | %s | %s |%n"
              .formatted(
                  title(row.workload()), row.engine(), row.parallelism(), millions(row), ratio(row))
              .replace(System.lineSeparator(), "\n"));
    }
    return text.toString();
  }

  private static String title(String workload) {
    return Workload.ALL.stream()
        .filter(known -> known.id().equals(workload))
        .map(known -> workload + " " + known.title())
        .findFirst()
        .orElse(workload);
  }

  /** A table for the terminal. */
  String table() {
    StringBuilder text = new StringBuilder();
    String format = "%-8s  %-11s  %11s  %11s  %7s  %s%n";
    text.append(
        format.formatted(
            "workload", "engine", "parallelism", "M records/s", "of hand", "checksum"));
    for (Result row : rows) {
      text.append(
          format.formatted(
              row.workload(),
              row.engine(),
              row.parallelism(),
              millions(row),
              ratio(row),
              row.checksum()));
    }
    return text.toString();
  }

  private static String millions(Result row) {
    return String.format(Locale.ROOT, "%.1f", row.recordsPerSecond() / 1e6);
  }

  private String ratio(Result row) {
    return rows.stream()
        .filter(
            other ->
                other.engine().equals(BenchEngine.HAND.id())
                    && other.workload().equals(row.workload())
                    && other.parallelism() == row.parallelism())
        .map(hand -> row.recordsPerSecond() / hand.recordsPerSecond())
        .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
        .findFirst()
        .orElse("");
  }
}
