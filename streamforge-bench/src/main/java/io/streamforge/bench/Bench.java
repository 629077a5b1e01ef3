package io.streamforge.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the workloads on all engines, each run in a JVM of its own with this one's options. Runs are
 * interleaved, because the speed of a machine changes over minutes: only ratios mean anything.
 *
 * <p>System properties: {@code only}, workloads separated by commas; {@code runs}; {@code seconds}
 * that a run measures; {@code parallelism}, separated by commas; {@code results}, the directory to
 * write to.
 */
public final class Bench {
  /** What is measured. */
  private record Case(Workload workload, BenchEngine engine, int parallelism) {
    @Override
    public String toString() {
      return workload.id() + " " + engine.id() + " p=" + parallelism;
    }
  }

  /** What a run has printed. */
  private record Run(double recordsPerSecond, double cpuNanosPerRecord, String checksum) {}

  private Bench() {}

  /** Runs them. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Set<String> only = only(System.getProperty("only", ""));
    int runs = Integer.getInteger("runs", 3);
    Path directory = Path.of(System.getProperty("results", "streamforge-bench/results"));
    List<Case> cases = cases(only, System.getProperty("parallelism", "1,2"));
    Map<Case, List<Run>> measured = new LinkedHashMap<>();
    for (int run = 1; run <= runs; run++) {
      for (Case each : cases) {
        Run result = fork(each);
        measured.computeIfAbsent(each, c -> new ArrayList<>()).add(result);
        System.err.printf(
            Locale.ROOT,
            "run %d of %d  %-22s %7.1f M/s %7.1f ns of CPU a record%n",
            run,
            runs,
            each,
            result.recordsPerSecond / 1e6,
            result.cpuNanosPerRecord);
      }
    }
    List<Result> rows =
        measured.entrySet().stream().map(e -> row(e.getKey(), e.getValue())).toList();
    Results results = new Results(rows);
    System.out.print(results.table());
    check(rows);
    results.replacing(only, Results.read(directory)).write(directory);
  }

  private static Set<String> only(String list) {
    Set<String> known = new LinkedHashSet<>(Workload.ALL.stream().map(Workload::id).toList());
    if (list.isBlank()) {
      return known;
    }
    Set<String> asked = new LinkedHashSet<>(Arrays.asList(list.split(",", -1)));
    if (!known.containsAll(asked)) {
      throw new IllegalArgumentException("ONLY is " + list + ", expected some of " + known);
    }
    return asked;
  }

  private static List<Case> cases(Set<String> only, String parallelism) {
    List<Case> cases = new ArrayList<>();
    for (Workload workload : Workload.ALL) {
      for (String tasks : parallelism.split(",", -1)) {
        for (BenchEngine engine : BenchEngine.values()) {
          if (only.contains(workload.id())) {
            cases.add(new Case(workload, engine, Integer.parseInt(tasks)));
          }
        }
      }
    }
    return cases;
  }

  private static Run fork(Case each) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Measurement.class.getName(),
            each.workload.id(),
            each.engine.name(),
            Integer.toString(each.parallelism),
            System.getProperty("seconds", "5")));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(each + " has failed");
    }
    String[] parts = output.strip().split(" ", -1);
    return new Run(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), parts[2]);
  }

  private static Result row(Case each, List<Run> runs) {
    double[] speeds = runs.stream().mapToDouble(Run::recordsPerSecond).sorted().toArray();
    int middle = speeds.length / 2;
    double median =
        speeds.length % 2 == 1 ? speeds[middle] : (speeds[middle - 1] + speeds[middle]) / 2;
    String checksum =
        runs.stream().map(Run::checksum).distinct().collect(Collectors.joining(" or "));
    return new Result(
        each.workload.id(), each.engine.id(), each.parallelism, median, checksum, runs.size());
  }

  private static void check(List<Result> rows) {
    Map<String, Set<String>> checksums =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    Result::workload, Collectors.mapping(Result::checksum, Collectors.toSet())));
    checksums.forEach(
        (workload, different) -> {
          if (different.size() > 1) {
            throw new IllegalStateException(workload + " has different results: " + different);
          }
        });
  }
}
