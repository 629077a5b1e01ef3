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

  /**
   * A name stands for the workload and for its variants, which have a suffix; without any, those
   * that do not want to be named.
   */
  static List<Workload> selected(String only) {
    if (only.isBlank()) {
      return Workload.ALL.stream().filter(workload -> !workload.onRequest()).toList();
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
      case RECOVERY -> engine == BenchEngine.STREAMFORGE || engine == BenchEngine.FLINK;
      case BACKPRESSURE, RESTORE, STALL, INCREMENT, CHECKPOINT_MEMORY ->
          engine == BenchEngine.STREAMFORGE;
    };
  }

  /**
   * Flags for the memory of the JVM. The young generation stays in the processor's caches where all
   * objects die young, which makes engines that make many several times faster; and where little is
   * made, since a large one is then touched so rarely that the host may have taken its pages back.
   */
  List<String> memory() {
    if (workload.loadedFirst()) {
      return heap("256m");
    }
    if (workload.largerThanMemory()) {
      return heap("512m");
    }
    return switch (workload.measure()) {
      case MEMORY, RESTORE, STALL, INCREMENT, CHECKPOINT_MEMORY -> heap("4g");
      case LATENCY -> heap("1g", "-Xmn64m");
      case RECOVERY -> heap("1g");
      case THROUGHPUT, BACKPRESSURE -> workload.stateless() ? heap("1g", "-Xmn64m") : heap("2g");
    };
  }

  private static List<String> heap(String size, String... further) {
    List<String> flags = new ArrayList<>(List.of("-Xms" + size, "-Xmx" + size));
    flags.addAll(List.of(further));
    return flags;
  }

  /**
   * How many times as long it is to be measured: at a fixed rate, and on a disk, things warm up
   * slowly.
   */
  int patience() {
    return workload.measure() == Measure.LATENCY || workload.loadedFirst() ? 2 : 1;
  }

  /** How many of the runs it takes part in: bytes, of heap or of checkpoints, do not vary. */
  int runs(int asked) {
    return switch (workload.measure()) {
      case MEMORY, CHECKPOINT_MEMORY, INCREMENT -> 1;
      case THROUGHPUT, LATENCY, BACKPRESSURE, RESTORE, STALL, RECOVERY -> asked;
    };
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
