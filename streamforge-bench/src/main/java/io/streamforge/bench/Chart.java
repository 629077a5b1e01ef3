package io.streamforge.bench;

import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Workload;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The speeds at parallelism 2 as bars on a logarithmic scale: they are orders of magnitude apart.
 * On a panel of its own, so that it reads on light and dark pages.
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

  private final StringBuilder text = new StringBuilder();

  private Chart() {}

  /** As an SVG document. */
  static String of(Results results) {
    Chart chart = new Chart();
    List<Workload> shown =
        Workload.ALL.stream()
            .filter(workload -> workload.measure() == Measure.THROUGHPUT)
            .filter(workload -> !results.engines(workload.id(), PARALLELISM).isEmpty())
            .toList();
    int y = TOP;
    for (Workload workload : shown) {
      y = chart.group(workload, results.engines(workload.id(), PARALLELISM), y) + GAP;
    }
    String bars = chart.text.toString();
    chart.text.setLength(0);
    chart.frame(y);
    return chart.text + bars + "</svg>\n";
  }

  private void add(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private void frame(int bottom) {
    int height = bottom + 36;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#222\">",
        WIDTH, height, WIDTH, height);
    add("<title>Throughput of each workload on each engine</title>");
    add(
        "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\" stroke=\"#cccccc\"/>",
        WIDTH, height);
    add(
        "<text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"600\">Records a second at"
            + " parallelism 2, in millions (logarithmic; longer is faster)</text>");
    for (int i = 0; i < ENGINES.size(); i++) {
      int x = LEFT + i * 140;
      add("<rect x=\"%d\" y=\"36\" width=\"11\" height=\"11\" fill=\"%s\"/>", x, COLOURS.get(i));
      add("<text x=\"%d\" y=\"46\">%s</text>", x + 16, NAMES.get(i));
    }
    for (int decade = LOWEST; decade <= HIGHEST; decade++) {
      double x = x(Math.pow(10, decade));
      add(
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
          x, TOP - 8, x, bottom);
      add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#666\">%s</text>",
          x, bottom + 18, label(Math.pow(10, decade)));
    }
  }

  /** Returns where the next one begins. */
  private int group(Workload workload, Map<String, Row> engines, int top) {
    int y = top;
    for (int i = 0; i < ENGINES.size(); i++) {
      Row row = engines.get(ENGINES.get(i));
      if (row != null) {
        double end = x(row.recordsPerSecond());
        add(
            "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
            LEFT, y, Math.max(1, end - LEFT), BAR - 2, COLOURS.get(i));
        add(
            "<text x=\"%.1f\" y=\"%d\" font-size=\"11\">%s</text>",
            end + 4, y + 10, label(row.recordsPerSecond()));
        y += BAR;
      }
    }
    int middle = (top + y) / 2;
    add(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-weight=\"600\">%s</text>",
        LEFT - 10, middle - 2, workload.id());
    add(
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
