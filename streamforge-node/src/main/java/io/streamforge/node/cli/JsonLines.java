package io.streamforge.node.cli;

import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes JSON, a value a line, until nobody reads it any more. */
final class JsonLines {
  /** To look whether somebody still reads costs a flush. */
  private static final int LINES_BETWEEN_CHECKS = 256;

  private final PrintWriter out;
  private long count;

  JsonLines(PrintWriter out) {
    this.out = out;
  }

  /** Writes a line; false when nobody reads it. */
  boolean write(JsonNode line) {
    out.print(JsonMapper.shared().writeValueAsString(line) + "\n");
    count++;
    return count % LINES_BETWEEN_CHECKS != 0 || !out.checkError();
  }

  /** How many were written. */
  long count() {
    return count;
  }

  void flush() {
    out.flush();
  }
}
