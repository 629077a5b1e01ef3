package io.streamforge.bench;

import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** The part of the report that is not about throughput. */
final class OtherMeasures {
  private static final Map<String, String> NAMES =
      Map.of("streamforge", "StreamForge", "flink", "Flink", "jet", "Jet");

  /** A peer that is slower than this share of the fixed rate has not held it. */
  private static final double HELD = 0.99;

  private static final String RESIDENT = "residentMegabytes";
  private static final double LATENCY_RATE = 500_000;

  private OtherMeasures() {}

  /** Tables and sentences; of what there are results for. */
  static String of(Results results) {
    return latency(results)
        + memory(results)
        + backpressure(results)
        + restore(results)
        + recovery(results)
        + checkpoints(results)
        + resident(results);
  }

  private static List<Row> rows(Results results, Measure measure) {
    return results.rows().stream()
        .filter(row -> Workload.of(row.workload()).measure() == measure)
        .toList();
  }

  private static String latency(Results results) {
    List<Row> rows = rows(results, Measure.LATENCY);
    if (rows.isEmpty()) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(
            """

            | L1 latency of results | p50 ms | p99 ms | p99.99 ms | results a run | 500 k records/s |
            | --- | ---: | ---: | ---: | ---: | --- |
            """);
    for (Row row : rows) {
      boolean held = row.recordsPerSecond() >= HELD * LATENCY_RATE;
      text.append(
          "| %s | %s | %s | %s | %s | %s |\n"
              .formatted(
                  NAMES.get(row.engine()),
                  number(row, "p50Millis", "%.2f"),
                  number(row, "p99Millis", "%.2f"),
                  number(row, "p9999Millis", "%.2f"),
                  number(row, "results", "%,.0f"),
                  held
                      ? "held"
                      : String.format(Locale.ROOT, "**not held**: %,.0f", row.recordsPerSecond())));
    }
    return text.toString();
  }

  private static String memory(Results results) {
    List<Row> rows = rows(results, Measure.MEMORY);
    if (rows.isEmpty()) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(
            "\n| M1 heap a key | engine | bytes | keys |\n| --- | --- | ---: | ---: |\n");
    for (Row row : rows) {
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  row.workload(),
                  NAMES.get(row.engine()),
                  number(row, "bytesPerKey", "%.1f"),
                  number(row, "keys", "%,.0f")));
    }
    return text.toString();
  }

  private static String backpressure(Results results) {
    StringBuilder text = new StringBuilder();
    for (Row row : rows(results, Measure.BACKPRESSURE)) {
      text.append(
          "\nB1: the sink gets %s of the rate that it takes; %s records are in flight at most.\n"
              .formatted(
                  number(row, "sinkRateShare", "%.3f"), number(row, "recordsInFlight", "%,.0f")));
    }
    return text.toString();
  }

  private static String restore(Results results) {
    StringBuilder text = new StringBuilder();
    for (Row row : rows(results, Measure.RESTORE)) {
      text.append(
          "\n%s: %s MB of state are read at %s MB/s by a new process, at %s MB/s when it starts again.\n"
              .formatted(
                  row.workload(),
                  number(row, "megabytes", "%,.0f"),
                  number(row, "megabytesPerSecond", "%,.0f"),
                  number(row, "warmMegabytesPerSecond", "%,.0f")));
    }
    return text.toString();
  }

  private static String recovery(Results results) {
    List<Row> rows = rows(results, Measure.RECOVERY);
    if (rows.isEmpty()) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(
            """

            | R1 from SIGKILL to the first record | s beyond the JVM's start | s of the JVM's start | MB of state |
            | --- | ---: | ---: | ---: |
            """);
    for (Row row : rows) {
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  NAMES.get(row.engine()),
                  number(row, "downSeconds", "%.2f"),
                  number(row, "jvmSeconds", "%.2f"),
                  number(row, "megabytes", "%,.0f")));
    }
    return text.toString();
  }

  private static String checkpoints(Results results) {
    StringBuilder text = new StringBuilder();
    for (Row row : rows(results, Measure.CHECKPOINT_MEMORY)) {
      text.append(
          "\nM2: a key takes %s bytes of heap without checkpoints, %s at most during them.\n"
              .formatted(
                  number(row, "bytesPerKey", "%.1f"),
                  number(row, "bytesPerKeyDuringCheckpoints", "%.1f")));
    }
    for (Row row : rows(results, Measure.STALL)) {
      text.append(
          """

          %s: %s checkpoints each stop a task for %s ms (p50), %s ms (p99); the longest stop between \
          two of them is %s ms (p50), %s ms (p99).
          """
              .formatted(
                  row.workload(),
                  number(row, "checkpoints", "%.0f"),
                  number(row, "stallP50Millis", "%.1f"),
                  number(row, "stallP99Millis", "%.1f"),
                  number(row, "quietP50Millis", "%.1f"),
                  number(row, "quietP99Millis", "%.1f")));
    }
    for (Row row : rows(results, Measure.INCREMENT)) {
      text.append(
          """

          %s: when 1 %% of the keys has changed, a checkpoint writes at most %s %% of %s MB; with the \
          %s of %s that write all anew, %s %% on average.
          """
              .formatted(
                  row.workload(),
                  number(row, "changesPercent", "%.2f"),
                  number(row, "fullMegabytes", "%,.0f"),
                  number(row, "writtenAnew", "%.0f"),
                  number(row, "checkpoints", "%.0f"),
                  number(row, "meanPercent", "%.2f")));
    }
    return text.toString();
  }

  private static String resident(Results results) {
    List<Row> rows =
        results.rows().stream().filter(row -> row.measure(RESIDENT).isPresent()).toList();
    if (rows.isEmpty()) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(
            """

            | memory, MB | engine | resident at most | of it neither heap, classes nor code |
            | --- | --- | ---: | ---: |
            """);
    for (Row row : rows) {
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  row.workload(),
                  NAMES.get(row.engine()),
                  number(row, RESIDENT, "%,.0f"),
                  number(row, "nativeMegabytes", "%,.0f")));
    }
    return text.toString();
  }

  private static String number(Row row, String name, String format) {
    OptionalDouble value = row.measure(name);
    return value.isEmpty() ? "–" : String.format(Locale.ROOT, format, value.getAsDouble());
  }
}
