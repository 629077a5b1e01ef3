package io.streamforge.bench;

import java.util.Locale;

/** An SVG document, on a panel of its own, so that it reads on light and dark pages. */
final class Drawing {
  private final StringBuilder text = new StringBuilder();
  private final int width;
  private final int height;

  /**
   * With nothing on it yet but its title.
   *
   * @param title for who cannot see it
   * @param heading for who can
   */
  Drawing(int width, int height, String title, String heading) {
    this.width = width;
    this.height = height;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#222\">",
        width, height, width, height);
    add("<title>%s</title>", title);
    add(
        "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#ffffff\" stroke=\"#cccccc\"/>",
        width, height);
    add("<text x=\"16\" y=\"24\" font-size=\"15\" font-weight=\"600\">%s</text>", heading);
  }

  /** Appends an element, formatted. */
  void add(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** A square of a colour at the top, and what it stands for. */
  void legend(int x, String colour, String name) {
    add("<rect x=\"%d\" y=\"36\" width=\"11\" height=\"11\" fill=\"%s\"/>", x, colour);
    add("<text x=\"%d\" y=\"46\">%s</text>", x + 16, name);
  }

  /** A line of the grid from top to bottom, with its label below. */
  void column(double x, int top, int bottom, String label) {
    add(
        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
        x, top, x, bottom);
    add(
        "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#666\">%s</text>",
        x, bottom + 18, label);
  }

  /** A line of the grid from left to right, with its label on the left. */
  void row(double y, int left, int right, String label) {
    add(
        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
        left, y, right, y);
    add(
        "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#666\">%s</text>",
        left - 8, y + 4, label);
  }

  /** The document. */
  String end() {
    return text + "</svg>\n";
  }
}
