package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of the process as the system sees it, in megabytes (of a million). */
final class Resident {
  private static final String PEAK = "VmHWM:";

  private Resident() {}

  /**
   * The most that was resident at once, and what of it is neither heap nor classes nor compiled
   * code; beside it what the state may take of that.
   */
  static void print(Workload workload) throws IOException {
    long resident = peakBytes();
    long outside =
        resident
            - ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getCommitted()
            - ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getCommitted();
    Measurement.print("residentMegabytes", resident / 1e6);
    Measurement.print("nativeMegabytes", outside / 1e6);
    Measurement.print("nativeMegabytesAllowed", workload.nativeBytes() / 1e6);
  }

  private static long peakBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(PEAK)) {
        return 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("/proc/self/status has no " + PEAK);
  }
}
