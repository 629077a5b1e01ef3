package io.streamforge.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Judges results by what was set out to reach, at parallelism 2. */
final class Targets {
  private static final int PARALLELISM = 2;

  private final Results results;
  private final List<Verdict> verdicts = new ArrayList<>();

  private Targets(Results results) {
    this.results = results;
  }

  /** On everything for which there are results. */
  static List<Verdict> judge(Results results) {
    Targets targets = new Targets(results);
    targets.speed("W1", 2.5, 0.75);
    targets.speed("W2", 10, 0.5);
    targets.speed("W3", 4, 0.65);
    targets.speed("W4", 4, 0.7);
    targets.speed("W5", 4, 0.5);
    return targets.verdicts;
  }

  /** The better of the two peers, where there is any. */
  static OptionalDouble peers(Results results, String workload, int parallelism) {
    return results.engines(workload, parallelism).values().stream()
        .filter(row -> row.engine().equals("flink") || row.engine().equals("jet"))
        .mapToDouble(Row::recordsPerSecond)
        .max();
  }

  private void speed(String workload, double timesPeers, double timesHand) {
    OptionalDouble own = own(workload, Row.RECORDS_PER_SECOND);
    atLeast(
        workload, "speed : better peer", own, peers(results, workload, PARALLELISM), timesPeers);
    atLeast(workload, "speed : hand", own, measure(workload, "hand"), timesHand);
  }

  private OptionalDouble own(String workload, String name) {
    Optional<Row> row = results.find(workload, BenchEngine.STREAMFORGE.id(), PARALLELISM);
    return row.isPresent() ? row.get().measure(name) : OptionalDouble.empty();
  }

  private OptionalDouble measure(String workload, String engine) {
    Optional<Row> row = results.find(workload, engine, PARALLELISM);
    return row.isPresent()
        ? OptionalDouble.of(row.get().recordsPerSecond())
        : OptionalDouble.empty();
  }

  private void atLeast(
      String workload, String what, OptionalDouble own, OptionalDouble other, double times) {
    if (own.isPresent() && other.isPresent()) {
      double ratio = own.getAsDouble() / other.getAsDouble();
      verdicts.add(new Verdict(workload, what, "≥ " + times(times), times(ratio), ratio >= times));
    }
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, ratio < 0.095 ? "%.3f ×" : "%.2f ×", ratio);
  }
}
