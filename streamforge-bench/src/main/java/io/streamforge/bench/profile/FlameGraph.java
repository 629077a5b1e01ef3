package io.streamforge.bench.profile;

import java.util.Locale;

/**
 * A call tree as an SVG: callers above, callees below, as wide as their share of the samples; what
 * a frame is called in full and how many samples it has shows when one points at it.
 */
final class FlameGraph {
  private static final int WIDTH = 1400;
  private static final int ROW = 17;
  private static final int TOP = 40;
  private static final double CHARACTER = 6.2;
  private static final double NARROWEST = 0.5;

  private final StringBuilder text = new StringBuilder();
  private final long all;
  private int deepest;

  private FlameGraph(long all) {
    this.all = Math.max(1, all);
  }

  static String of(String title, Frame root) {
    FlameGraph graph = new FlameGraph(root.samples());
    graph.frame(root, 0, 0);
    int height = TOP + (graph.deepest + 1) * ROW + 10;
    return String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" width=\"%1$d\""
                + " height=\"%2$d\" font-family=\"monospace\" font-size=\"11\">%n"
                + "<rect width=\"%1$d\" height=\"%2$d\" fill=\"#ffffff\"/>%n"
                + "<text x=\"10\" y=\"24\" font-size=\"15\" fill=\"#222\">%3$s</text>%n",
            WIDTH,
            height,
            escape(title))
        + graph.text
        + "</svg>\n";
  }

  private void frame(Frame frame, double x, int depth) {
    double width = (double) frame.samples() / all * WIDTH;
    if (width < NARROWEST) {
      return;
    }
    deepest = Math.max(deepest, depth);
    int y = TOP + depth * ROW;
    text.append(
        String.format(
            Locale.ROOT,
            "<g><title>%s: %d samples, %.2f %%</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\""
                + " height=\"%d\" rx=\"1\" fill=\"%s\"/>%s</g>%n",
            escape(frame.name()),
            frame.samples(),
            100.0 * frame.samples() / all,
            x,
            y,
            Math.max(0.3, width - 0.5),
            ROW - 1,
            colour(frame.name()),
            label(frame.name(), x, y, width)));
    double at = x;
    for (Frame callee : frame.callees()) {
      frame(callee, at, depth + 1);
      at += (double) callee.samples() / all * WIDTH;
    }
  }

  private static String label(String name, double x, int y, double width) {
    int fits = (int) ((width - 4) / CHARACTER);
    if (fits < 4) {
      return "";
    }
    String shortName = name.replaceAll("^(?:[a-z0-9_]+\\.)+(?=[A-Z])", "");
    String shown = shortName.length() <= fits ? shortName : shortName.substring(0, fits - 1) + "…";
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%d\" fill=\"#111\">%s</text>",
        x + 2,
        y + 12,
        escape(shown));
  }

  /** The benchmark's own code, the engine's, and the rest. */
  private static String colour(String name) {
    if (name.contains("io.streamforge.bench")) {
      return "#9fc5e8";
    }
    return name.contains("io.streamforge") ? "#f6b26b" : "#d9d9d9";
  }

  private static String escape(String name) {
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
