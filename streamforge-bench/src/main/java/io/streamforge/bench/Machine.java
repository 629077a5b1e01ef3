package io.streamforge.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Describes where the numbers come from. */
final class Machine {
  private Machine() {}

  /** In one sentence. */
  static String describe() {
    long memory =
        ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system
            ? system.getTotalMemorySize()
            : 0;
    return String.format(
        Locale.ROOT,
        "%d cores (%s, %s), %d GB of memory, %s, JDK %s, ParallelGC, heap fixed.",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.arch"),
        processor(),
        Math.round(memory / 1e9),
        System.getProperty("os.name"),
        System.getProperty("java.version"));
  }

  /** The maker and the family, no more. */
  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).replaceAll("\\([A-Z]+\\)", "").strip())
          .map(name -> String.join(" ", List.of(name.split(" +", 3)).subList(0, 2)))
          .findFirst()
          .orElse("unknown processor");
    } catch (IOException | IndexOutOfBoundsException e) {
      return "unknown processor";
    }
  }
}
