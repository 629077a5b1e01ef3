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

  private Bench() {}

  /** Runs them. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String only = System.getProperty("only", "");
    Path directory = Path.of(System.getProperty("results", "streamforge-bench/results"));
    List<Case> cases = Case.of(only);
    Bench bench = new Bench();
    bench.run(cases, Integer.getInteger("runs", 3));
    List<Row> rows =
        bench.measured.entrySet().stream()
            .map(entry -> Row.of(entry.getKey(), entry.getValue()))
            .toList();
    Files.createDirectories(directory);
    Path file = directory.resolve("bench.json");
    Results results =
        new Results(rows)
            .replacing(
                Case.selected(only).stream().map(Workload::id).collect(Collectors.toSet()),
                Results.read(file));
    results.write(file);
    String report = Report.of(results);
    Files.writeString(directory.resolve("bench.md"), report);
    Files.writeString(directory.resolve("bench.svg"), Chart.of(results));
    System.out.print(report);
  }

  private void run(List<Case> cases, int runs) throws IOException, InterruptedException {
    Progress progress = new Progress(cases.stream().mapToInt(each -> each.runs(runs)).sum());
    for (int run = 1; run <= runs; run++) {
      int round = run;
      for (Case each : cases.stream().filter(each -> round <= each.runs(runs)).toList()) {
        Run result = measure(each);
        check(each, result);
        measured.computeIfAbsent(each, c -> new ArrayList<>()).add(result);
        progress.done("run " + run + " of " + runs, each, result);
      }
    }
  }

  private Run measure(Case each) throws IOException, InterruptedException {
    return Run.parse(
        fork.run(
            each.engine(),
            each.heap(),
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
