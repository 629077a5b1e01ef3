package io.streamforge.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one JVM has measured.
 *
 * @param checksum of the outputs of the first records, as hexadecimal digits
 * @param measures by name, {@code recordsPerSecond} among them
 * @param timeline of the speed, where that was asked for
 */
record Run(String checksum, Map<String, Double> measures, Timeline timeline) {
  /** Reads lines of a name and a number. */
  static Run parse(String output) {
    String checksum = "";
    Map<String, Double> measures = new LinkedHashMap<>();
    for (String line : output.lines().toList()) {
      String[] parts = line.strip().split(" ", -1);
      if (parts.length == 2 && parts[0].equals("checksum")) {
        checksum = parts[1];
      } else if (parts.length == 2) {
        measures.put(parts[0], Double.parseDouble(parts[1]));
      }
    }
    return new Run(checksum, measures, Timeline.parse(output));
  }

  /** A measure that every run has. */
  double recordsPerSecond() {
    return measures.getOrDefault(Row.RECORDS_PER_SECOND, 0.0);
  }
}
