package io.streamforge.bench;

import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A row of the results to be: a workload on an engine. */
record Case(Workload workload, BenchEngine engine, int parallelism) {
  private static final int PARALLELISM = 2;

  /** In the order in which they run; {@code only} is empty or names workloads, by commas. */
  static List<Case> of(String only) {
    List<Case> cases = new ArrayList<>();
    for (Workload workload : selected(only)) {
      for (int parallelism = 1; parallelism <= PARALLELISM; parallelism++) {
        if (parallelism == PARALLELISM || workload.alsoOnOneCore()) {
          for (BenchEngine engine : BenchEngine.values()) {
            if (applies(workload, engine)) {
              cases.add(new Case(workload, engine, parallelism));
            }
          }
        }
      }
    }
    return cases;
  }

  /** A name stands for the workload and for its variants, which have a suffix. */
  static List<Workload> selected(String only) {
    if (only.isBlank()) {
      return Workload.ALL;
    }
    List<Workload> selected = new ArrayList<>();
    for (String name : Arrays.stream(only.split(",", -1)).map(String::strip).toList()) {
      List<Workload> found =
          Workload.ALL.stream()
              .filter(each -> each.id().equals(name) || each.id().startsWith(name + "-"))
              .toList();
      if (found.isEmpty()) {
        throw new IllegalArgumentException(
            "ONLY names '%s', expected some of %s"
                .formatted(
                    name, String.join(", ", Workload.ALL.stream().map(Workload::id).toList())));
      }
      found.stream().filter(each -> !selected.contains(each)).forEach(selected::add);
    }
    return selected;
  }

  private static boolean applies(Workload workload, BenchEngine engine) {
    return switch (workload.measure()) {
      case THROUGHPUT ->
          workload.besideFlinkOnly()
              ? engine == BenchEngine.STREAMFORGE || engine == BenchEngine.FLINK
              : !engine.peer() || workload.onPeers();
      case LATENCY, MEMORY -> engine != BenchEngine.HAND;
      case BACKPRESSURE, RESTORE -> engine == BenchEngine.STREAMFORGE;
    };
  }

  /**
   * Flags for the memory of the JVM. The young generation stays in the processor's caches where all
   * objects die young, which makes engines that make many several times faster; and where little is
   * made, since a large one is then touched so rarely that the host may have taken its pages back.
   */
  List<String> memory() {
    if (workload.measure() == Measure.MEMORY || workload.measure() == Measure.RESTORE) {
      return List.of("-Xms4g", "-Xmx4g");
    }
    if (workload.largerThanMemory()) {
      return List.of("-Xms512m", "-Xmx512m");
    }
    return workload.stateless() || workload.measure() == Measure.LATENCY
        ? List.of("-Xms1g", "-Xmx1g", "-Xmn64m")
        : List.of("-Xms2g", "-Xmx2g");
  }

  /** How many times as long it is to be measured: at a fixed rate things warm up slowly. */
  int patience() {
    return workload.measure() == Measure.LATENCY ? 2 : 1;
  }

  /** How many of the runs it takes part in: heap that is used does not vary. */
  int runs(int asked) {
    return workload.measure() == Measure.MEMORY ? 1 : asked;
  }

  /** Whether what the engine allocates is counted too. */
  boolean countsAllocation() {
    return engine == BenchEngine.STREAMFORGE
        && workload.id().equals("W1")
        && parallelism == PARALLELISM;
  }

  @Override
  public String toString() {
    return workload.id() + " " + engine.id() + " p=" + parallelism;
  }
}
