package io.streamforge.node.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows with aligned columns. */
final class Table {
  private static final String GAP = "  ";

  private final String columns;
  private final List<String[]> rows = new ArrayList<>();

  /**
   * A table with a head.
   *
   * @param columns a character for each: {@code l} aligned to the left, {@code r} to the right
   */
  Table(String columns, String... head) {
    this.columns = columns;
    row(head);
  }

  void row(String... cells) {
    if (cells.length != columns.length()) {
      throw new IllegalArgumentException(cells.length + " cells, not " + columns.length());
    }
    rows.add(cells);
  }

  @Override
  public String toString() {
    int[] widths = new int[columns.length()];
    for (String[] row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row[i].codePointCount(0, row[i].length()));
      }
    }
    StringBuilder table = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String blanks = " ".repeat(widths[i] - row[i].codePointCount(0, row[i].length()));
        line.append(i == 0 ? "" : GAP);
        line.append(columns.charAt(i) == 'l' ? row[i] + blanks : blanks + row[i]);
      }
      table.append(line.toString().stripTrailing()).append(System.lineSeparator());
    }
    return table.toString();
  }
}
