package io.streamforge.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A row of the results.
 *
 * @param checksum of the outputs of the first records; the same for all engines
 * @param runs records a second of each run, in the order in which they ran
 * @param further medians of what else was measured, by name
 */
record Row(
    String workload,
    String engine,
    int parallelism,
    String checksum,
    List<Double> runs,
    Map<String, Double> further) {
  static final String RECORDS_PER_SECOND = "recordsPerSecond";

  /** Of at least one run. */
  static Row of(Case measured, List<Run> runs) {
    Map<String, Double> further = new LinkedHashMap<>();
    for (String name : runs.get(0).measures().keySet()) {
      if (!name.equals(RECORDS_PER_SECOND)) {
        further.put(
            name,
            median(runs.stream().mapToDouble(run -> run.measures().get(name)).sorted().toArray()));
      }
    }
    return new Row(
        measured.workload().id(),
        measured.engine().id(),
        measured.parallelism(),
        runs.get(0).checksum(),
        runs.stream().map(Run::recordsPerSecond).toList(),
        further);
  }

  /** Median of the runs. */
  double recordsPerSecond() {
    return median(runs.stream().mapToDouble(Double::doubleValue).sorted().toArray());
  }

  /** What else was measured, where it applies. */
  OptionalDouble measure(String name) {
    if (name.equals(RECORDS_PER_SECOND)) {
      return OptionalDouble.of(recordsPerSecond());
    }
    Double value = further.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
