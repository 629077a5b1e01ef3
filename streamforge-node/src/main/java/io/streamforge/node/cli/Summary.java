package io.streamforge.node.cli;

import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.scheduler.SystemClock;
import io.streamforge.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What a run has done, while it goes on and at its end. */
final class Summary {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Where checkpoints are kept; null: there are none. */
  private final @Nullable String checkpointLocation;

  private final Clock clock = new SystemClock();
  private final long startedNanos = clock.monotonicNanos();
  private long lastNanos = startedNanos;
  private long lastIn;
  private @Nullable JobMetrics last;
  private double seconds;

  Summary(@Nullable String checkpointLocation) {
    this.checkpointLocation = checkpointLocation;
  }

  /** Records that sources have read. */
  private static long read(JobMetrics metrics) {
    return metrics.nodes().isEmpty() ? 0 : metrics.nodes().get(0).in();
  }

  String progress(JobMetrics metrics) {
    long now = clock.monotonicNanos();
    long in = read(metrics);
    double rate = (in - lastIn) * NANOS_PER_SECOND / Math.max(1, now - lastNanos);
    lastIn = in;
    lastNanos = now;
    return String.format(
        Locale.ROOT,
        "%6.0f s  %,15d records read  %,13.0f records/s",
        (now - startedNanos) / NANOS_PER_SECOND,
        in,
        rate);
  }

  void finish(JobMetrics metrics) {
    last = metrics;
    seconds = (clock.monotonicNanos() - startedNanos) / NANOS_PER_SECOND;
  }

  String table() {
    JobMetrics metrics = last;
    if (metrics == null) {
      return "";
    }
    boolean letters = metrics.nodes().stream().anyMatch(node -> node.deadLettered() > 0);
    List<String> titles = new ArrayList<>(List.of("node", "in", "out", "late", "dropped"));
    if (letters) {
      titles.add("dead letters");
    }
    Table nodes = new Table("l" + "r".repeat(titles.size() - 1), titles.toArray(new String[0]));
    for (NodeMetrics node : metrics.nodes()) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  node.node(),
                  Units.number(node.in()),
                  Units.number(node.out()),
                  Units.number(node.late()),
                  Units.number(node.droppedTotal())));
      if (letters) {
        row.add(Units.number(node.deadLettered()));
      }
      nodes.row(row.toArray(new String[0]));
    }
    StringBuilder table = new StringBuilder().append(nodes);
    table.append(
        String.format(
            Locale.ROOT,
            "job '%s': %s records read in %.1f s%n",
            metrics.job(),
            Units.number(read(metrics)),
            seconds));
    CheckpointMetrics checkpoints = metrics.checkpoints();
    if (checkpoints != null) {
      table.append(
          String.format(
              Locale.ROOT,
              "checkpoints in %s: %s, %s published, %s given up; the last one: %s%n",
              checkpointLocation,
              checkpoints.restoredFrom() == 0
                  ? "began without state"
                  : "went on from checkpoint "
                      + checkpoints.restoredFrom()
                      + ", restored "
                      + Units.size(checkpoints.restoredBytes())
                      + " in "
                      + Units.number(checkpoints.restoreMillis())
                      + " ms",
              Units.number(checkpoints.published()),
              Units.number(checkpoints.abandoned()),
              checkpoints.lastNumber() == 0
                  ? "none"
                  : checkpoints.lastNumber()
                      + " with "
                      + Units.number(checkpoints.fullBytes())
                      + " bytes, in "
                      + Units.number(checkpoints.lastDurationMillis())
                      + " ms"));
    }
    return table.toString();
  }

  String json() {
    JobMetrics metrics = last;
    if (metrics == null) {
      return "{}";
    }
    return JsonMapper.shared()
        .writeValueAsString(
            metrics.checkpoints() == null
                ? Map.of("job", metrics.job(), "seconds", seconds, "nodes", metrics.nodes())
                : Map.of(
                    "job",
                    metrics.job(),
                    "seconds",
                    seconds,
                    "nodes",
                    metrics.nodes(),
                    "checkpoints",
                    metrics.checkpoints(),
                    "checkpointLocation",
                    String.valueOf(checkpointLocation)));
  }
}
