package io.streamforge.bench;

import io.streamforge.bench.measure.Measurement;
import io.streamforge.bench.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the workloads on all engines, each run in a JVM of its own. Runs are interleaved, because
 * the speed of a machine changes over minutes: only ratios mean anything.
 *
 * <p>System properties: {@code only}, workloads separated by commas; {@code runs}; {@code warmUp}
 * and {@code seconds}, how long a run warms up and measures; {@code results}, the directory to
 * write to; {@code target}, where the module was built.
 */
public final class Bench {
  private final double warmUpSeconds = Double.parseDouble(System.getProperty("warmUp", "3"));
  private final double seconds = Double.parseDouble(System.getProperty("seconds", "5"));
  private final Fork fork =
      new Fork(Path.of(System.getProperty("target", "streamforge-bench/target")));
  private final Map<Case, List<Run>> measured = new LinkedHashMap<>();
  private final Map<String, String> checksums = new HashMap<>();

  private final List<String> failures = new ArrayList<>();
  private final String only = System.getProperty("only", "");
  private final Path directory =
      Path.of(System.getProperty("results", "streamforge-bench/results"));

  private Bench() {}

  /** Runs them. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Bench bench = new Bench();
    bench.run(Case.of(bench.only), Integer.getInteger("runs", 3));
    System.out.print(Files.readString(bench.directory.resolve("bench.md")));
    bench.failures.forEach(System.err::println);
    System.exit(bench.failures.isEmpty() ? 0 : 1);
  }

  private void run(List<Case> cases, int runs) throws IOException, InterruptedException {
    Results before = Results.read(directory.resolve("bench.json"));
    Progress progress = new Progress(cases.stream().mapToInt(each -> each.runs(runs)).sum());
    for (int run = 1; run <= runs; run++) {
      int round = run;
      for (Case each : cases.stream().filter(each -> round <= each.runs(runs)).toList()) {
        try {
          Run result = measure(each);
          check(each, result);
          if (result.timeline().measured()) {
            Files.createDirectories(directory);
            Files.writeString(
                directory.resolve("checkpoints.svg"),
                CheckpointChart.of(each.workload().id(), result.timeline()));
          }
          measured.computeIfAbsent(each, c -> new ArrayList<>()).add(result);
          progress.done("run " + run + " of " + runs, each, result);
        } catch (IOException e) {
          // The other numbers are worth having all the same.
          failures.add("FAILED  " + each + ": " + e.getMessage());
        }
      }
      write(before);
    }
  }

  /** After every round, so that little is lost when somebody stops it. */
  private void write(Results before) throws IOException {
    List<Row> rows =
        measured.entrySet().stream()
            .map(entry -> Row.of(entry.getKey(), entry.getValue()))
            .toList();
    Set<String> replaced =
        Case.selected(only).stream().map(Workload::id).collect(Collectors.toSet());
    Results results = new Results(rows).replacing(replaced, before);
    Files.createDirectories(directory);
    results.write(directory.resolve("bench.json"));
    Files.writeString(directory.resolve("bench.md"), Report.of(results));
    Files.writeString(directory.resolve("bench.svg"), Chart.of(results));
  }

  private Run measure(Case each) throws IOException, InterruptedException {
    return Run.parse(
        fork.run(
            each.engine(),
            each.memory(),
            Measurement.class,
            List.of(
                each.workload().id(),
                Integer.toString(each.parallelism()),
                Double.toString(warmUpSeconds * each.patience()),
                Double.toString(seconds * each.patience()),
                each.countsAllocation() ? Measurement.ALLOCATION : "")));
  }

  /** A number is worth nothing when the engines do not compute the same. */
  private void check(Case each, Run result) {
    String expected = checksums.putIfAbsent(each.workload().id(), result.checksum());
    if (expected != null && !expected.equals(result.checksum())) {
      throw new IllegalStateException(
          "%s has the checksum %s, but another engine or run has %s"
              .formatted(each, result.checksum(), expected));
    }
  }
}
