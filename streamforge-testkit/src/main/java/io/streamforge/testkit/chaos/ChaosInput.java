package io.streamforge.testkit.chaos;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The input of the job, and what has to come of it, computed without the engine. */
final class ChaosInput {
  static final int FILES = 4;
  static final int WINDOW_MILLIS = 1_000;
  static final int DISORDER_MILLIS = 200;
  private static final int KEYS = 50;

  private ChaosInput() {}

  /** A line of the input: key, value and time in epoch milliseconds. */
  record Event(String key, int value, long timestampMillis) {
    static Event parse(String line) {
      String[] parts = line.split(" ", 3);
      return new Event(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
    }

    boolean isKept() {
      return value % 3 == 0;
    }
  }

  /** Writes so many records, always the same, into files of the directory. */
  static List<Path> write(Path directory, long records) throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    List<Path> files = new ArrayList<>();
    for (int f = 0; f < FILES; f++) {
      Path file = directory.resolve("input-" + f + ".txt");
      files.add(file);
      try (BufferedWriter writer = Files.newBufferedWriter(file)) {
        for (long i = 0; i < records / FILES; i++) {
          writer.write(
              "k"
                  + random.nextInt(KEYS)
                  + " "
                  + random.nextInt(1_000_000)
                  + " "
                  + (i + random.nextInt(DISORDER_MILLIS)));
          writer.newLine();
        }
      }
    }
    return files;
  }

  /** For each output how often each of its lines has to be there. */
  static Map<String, Map<String, Integer>> expected(List<Path> files) throws IOException {
    Map<String, Integer> counts = new HashMap<>();
    Map<String, Integer> windows = new HashMap<>();
    Map<String, Map<String, Integer>> expected = new TreeMap<>();
    Map<String, Integer> kept = expected.computeIfAbsent("kept", k -> new HashMap<>());
    Map<String, Integer> running = expected.computeIfAbsent("counts", k -> new HashMap<>());
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        Event event = Event.parse(line);
        running.merge(event.key + "=" + counts.merge(event.key, 1, Integer::sum), 1, Integer::sum);
        long start = Math.floorDiv(event.timestampMillis, WINDOW_MILLIS) * (long) WINDOW_MILLIS;
        windows.merge(event.key + "@" + start, 1, Integer::sum);
        if (event.isKept()) {
          kept.merge(line, 1, Integer::sum);
        }
      }
    }
    Map<String, Integer> results = expected.computeIfAbsent("windows", k -> new HashMap<>());
    windows.forEach((window, count) -> results.put(window + "=" + count, 1));
    return expected;
  }
}
