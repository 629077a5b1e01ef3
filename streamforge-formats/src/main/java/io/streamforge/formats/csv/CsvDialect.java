package io.streamforge.formats.csv;

import java.util.Objects;

/**
 * How fields are told apart.
 *
 * @param missing stands for no value, as an empty field does; may be empty itself
 */
record CsvDialect(char separator, char quote, String missing) {
  static final CsvDialect DEFAULT = new CsvDialect(',', '"', "");

  CsvDialect {
    Objects.requireNonNull(missing);
    check("separator", separator);
    check("quote", quote);
    if (separator == quote) {
      throw new IllegalArgumentException("separator and quote are the same: " + quote);
    }
  }

  private static void check(String what, char c) {
    if (c == '\n' || c == '\r' || c == 0 || c > 0x7F) {
      throw new IllegalArgumentException(
          "the " + what + " must be an ASCII character and no line end: " + (int) c);
    }
  }
}
