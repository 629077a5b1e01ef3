package io.streamforge.formats.csv;

import io.streamforge.connector.file.MalformedRecordException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds columns. */
final class Columns {
  private Columns() {}

  /** The index of the column for each component; all that are missing are named at once. */
  static int[] match(List<String> components, List<String> header) throws MalformedRecordException {
    int[] columns = new int[components.size()];
    List<String> missing = new ArrayList<>();
    for (int i = 0; i < columns.length; i++) {
      String name = components.get(i);
      List<Integer> found = indexes(name, header);
      if (found.size() > 1) {
        throw new MalformedRecordException("more than one column is named '" + name + "'");
      }
      if (found.isEmpty()) {
        missing.add(name);
      } else {
        columns[i] = found.get(0);
      }
    }
    if (!missing.isEmpty()) {
      throw new MalformedRecordException(
          (missing.size() == 1 ? "no column is named '" : "no columns are named '")
              + String.join("', '", missing)
              + "'; there are: "
              + String.join(", ", header));
    }
    return columns;
  }

  private static List<Integer> indexes(String name, List<String> header) {
    List<Integer> exact = new ArrayList<>();
    List<Integer> alike = new ArrayList<>();
    for (int i = 0; i < header.size(); i++) {
      if (header.get(i).equals(name)) {
        exact.add(i);
      }
      if (plain(header.get(i)).equals(plain(name))) {
        alike.add(i);
      }
    }
    return exact.isEmpty() ? alike : exact;
  }

  private static String plain(String name) {
    return name.replaceAll("[ _-]", "").toLowerCase(Locale.ROOT);
  }

  /** The first field, counted from 1, that goes on behind its closing quote; 0 when none does. */
  static int misquoted(String text, CsvDialect dialect) {
    int column = 1;
    int at = 0;
    while (at < text.length()) {
      if (text.charAt(at) == dialect.quote()) {
        at = closing(text, at + 1, dialect.quote()) + 1;
        if (at < text.length() && text.charAt(at) != dialect.separator()) {
          return column;
        }
      }
      int separator = text.indexOf(dialect.separator(), at);
      if (separator < 0) {
        return 0;
      }
      at = separator + 1;
      column++;
    }
    return 0;
  }

  private static int closing(String text, int from, char quote) {
    int at = text.indexOf(quote, from);
    while (at >= 0 && at + 1 < text.length() && text.charAt(at + 1) == quote) {
      at = text.indexOf(quote, at + 2);
    }
    return at < 0 ? text.length() : at;
  }
}
