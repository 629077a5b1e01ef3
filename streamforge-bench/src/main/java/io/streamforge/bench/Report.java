package io.streamforge.bench;

import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The results as Markdown. */
final class Report {
  private final Results results;
  private final StringBuilder text = new StringBuilder();

  private Report(Results results) {
    this.results = results;
  }

  /** Tables of speeds, of other measures, and of targets. */
  static String of(Results results) {
    Report report = new Report(results);
    report.line("Measured on " + Machine.describe());
    report.line("Medians; speeds in million records a second.");
    report.speeds();
    report.text.append(OtherMeasures.of(results));
    report.targets();
    return report.text.toString();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void speeds() {
    line("");
    line(
        "| workload | parallelism | StreamForge | Flink | Jet | by hand | StreamForge : better peer"
            + " | StreamForge : hand | better peer : hand |");
    line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (Workload workload : Workload.ALL) {
      if (workload.measure() == Measure.THROUGHPUT) {
        for (int parallelism = 1; parallelism <= 2; parallelism++) {
          speeds(workload, parallelism);
        }
      }
    }
  }

  private void speeds(Workload workload, int parallelism) {
    Map<String, Row> engines = results.engines(workload.id(), parallelism);
    if (engines.isEmpty()) {
      return;
    }
    OptionalDouble peers = Targets.peers(results, workload.id(), parallelism);
    OptionalDouble own = speed(engines, "streamforge");
    OptionalDouble hand = speed(engines, "hand");
    line(
        "| %s %s | %d | %s | %s | %s | %s | %s | %s | %s |"
            .formatted(
                workload.id(),
                workload.title(),
                parallelism,
                millions(own),
                millions(speed(engines, "flink")),
                millions(speed(engines, "jet")),
                millions(hand),
                ratio(own, peers),
                ratio(own, hand),
                ratio(peers, hand)));
  }

  private void targets() {
    List<Verdict> verdicts = Targets.judge(results);
    if (verdicts.isEmpty()) {
      return;
    }
    line("");
    line("| target at parallelism 2 | what | wanted | reached | |");
    line("| --- | --- | ---: | ---: | --- |");
    for (Verdict verdict : verdicts) {
      line(
          "| %s | %s | %s | %s | %s |"
              .formatted(
                  verdict.workload(),
                  verdict.what(),
                  verdict.target(),
                  verdict.reached(),
                  verdict.met() ? "met" : "**missed**"));
    }
  }

  private static OptionalDouble speed(Map<String, Row> engines, String engine) {
    Row row = engines.get(engine);
    return row == null ? OptionalDouble.empty() : OptionalDouble.of(row.recordsPerSecond());
  }

  private static String millions(OptionalDouble speed) {
    return speed.isEmpty()
        ? "–"
        : String.format(
            Locale.ROOT, speed.getAsDouble() < 1e6 ? "%.3f" : "%.1f", speed.getAsDouble() / 1e6);
  }

  private static String ratio(OptionalDouble one, OptionalDouble other) {
    return one.isEmpty() || other.isEmpty()
        ? "–"
        : String.format(Locale.ROOT, "%.2f", one.getAsDouble() / other.getAsDouble());
  }
}
