package io.streamforge.bench;

import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The speeds at parallelism 2 as bars on a logarithmic scale: they are orders of magnitude apart.
 */
final class Chart {
  private static final int PARALLELISM = 2;
  private static final int WIDTH = 860;
  private static final int LEFT = 270;
  private static final int RIGHT = 70;
  private static final int TOP = 64;
  private static final int BAR = 13;
  private static final int GAP = 14;
  private static final List<String> ENGINES = List.of("streamforge", "flink", "jet", "hand");
  private static final List<String> NAMES =
      List.of("StreamForge", "Flink 2.3", "Hazelcast Jet 5.7", "by hand");
  private static final List<String> COLOURS = List.of("#d1495b", "#3d6fb4", "#2e9e83", "#9a9a9a");

  /** Decades of the scale: from 10 k to 1 G records a second. */
  private static final int LOWEST = 4;

  private static final int HIGHEST = 9;

  private final Drawing drawing;

  private Chart(Drawing drawing) {
    this.drawing = drawing;
  }

  /** As an SVG document. */
  static String of(Results results) {
    List<Map.Entry<Workload, Map<String, Row>>> groups =
        Workload.ALL.stream()
            .filter(workload -> workload.measure() == Measure.THROUGHPUT)
            .map(workload -> Map.entry(workload, results.engines(workload.id(), PARALLELISM)))
            .filter(group -> !group.getValue().isEmpty())
            .toList();
    int bars = groups.stream().mapToInt(group -> group.getValue().size()).sum();
    int bottom = TOP + bars * BAR + groups.size() * GAP;
    Chart chart =
        new Chart(
            new Drawing(
                WIDTH,
                bottom + 36,
                "Throughput of each workload on each engine",
                "Records a second at parallelism 2, in millions (logarithmic; longer is faster)"));
    chart.frame(bottom);
    int y = TOP;
    for (Map.Entry<Workload, Map<String, Row>> group : groups) {
      y = chart.group(group.getKey(), group.getValue(), y) + GAP;
    }
    return chart.drawing.end();
  }

  private void frame(int bottom) {
    for (int i = 0; i < ENGINES.size(); i++) {
      drawing.legend(LEFT + i * 140, COLOURS.get(i), NAMES.get(i));
    }
    for (int decade = LOWEST; decade <= HIGHEST; decade++) {
      double speed = Math.pow(10, decade);
      drawing.column(x(speed), TOP - 8, bottom, label(speed));
    }
  }

  /** Returns where the next one begins. */
  private int group(Workload workload, Map<String, Row> engines, int top) {
    int y = top;
    for (int i = 0; i < ENGINES.size(); i++) {
      Row row = engines.get(ENGINES.get(i));
      if (row != null) {
        double end = x(row.recordsPerSecond());
        drawing.add(
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
            LEFT, y, Math.max(1, end - LEFT), BAR - 2, COLOURS.get(i));
        drawing.add(
            "<text x=\"%.1f\" y=\"%d\" font-size=\"11\">%s</text>",
            end + 4, y + 10, label(row.recordsPerSecond()));
        y += BAR;
      }
    }
    int middle = (top + y) / 2;
    drawing.add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-weight=\"600\">%s</text>",
        LEFT - 10, middle - 2, workload.id());
    drawing.add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-size=\"11\" fill=\"#666\">%s</text>",
        LEFT - 10, middle + 12, workload.title());
    return y;
  }

  private static double x(double speed) {
    double share = (Math.log10(Math.max(speed, 1)) - LOWEST) / (HIGHEST - LOWEST);
    return LEFT + Math.max(0, share) * (WIDTH - LEFT - RIGHT);
  }

  private static String label(double speed) {
    double millions = speed / 1e6;
    return String.format(
        Locale.ROOT, millions < 0.095 ? "%.2f" : millions < 9.5 ? "%.1f" : "%.0f", millions);
  }
}
