package io.streamforge.plan;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, numbers, booleans and null as indented JSON. */
final class JsonWriter {
  private final StringBuilder output = new StringBuilder();

  private JsonWriter() {}

  static String write(@Nullable Object value) {
    JsonWriter writer = new JsonWriter();
    writer.value(value, "\n");
    return writer.output.append('\n').toString();
  }

  private void value(@Nullable Object value, String line) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        output.append(separator).append(line).append("  ");
        string(String.valueOf(entry.getKey()));
        output.append(": ");
        value(entry.getValue(), line + "  ");
        separator = ",";
      }
      output.append(map.isEmpty() ? "{}" : line + "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        output.append(separator).append(line).append("  ");
        value(element, line + "  ");
        separator = ",";
      }
      output.append(list.isEmpty() ? "[]" : line + "]");
    } else if (value == null || value instanceof Boolean || value instanceof Number) {
      output.append(value);
    } else {
      string(value.toString());
    }
  }

  private void string(String text) {
    output.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> output.append("\\\"");
        case '\\' -> output.append("\\\\");
        case '\n' -> output.append("\\n");
        case '\r' -> output.append("\\r");
        case '\t' -> output.append("\\t");
        default -> {
          if (c < ' ' || Character.isSurrogate(c)) {
            output.append(String.format("\\u%04x", (int) c));
          } else {
            output.append(c);
          }
        }
      }
    }
    output.append('"');
  }
}
