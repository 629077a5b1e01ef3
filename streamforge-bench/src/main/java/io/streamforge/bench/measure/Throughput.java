package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import java.lang.management.ManagementFactory;

/** How many records a second a job reads at full load, and what each costs. */
final class Throughput {
  private Throughput() {}

  static void measure(Measurement measurement) throws Exception {
    try (RunningJob job = RunningJob.start(measurement, Feed.begin(Feed.ENDLESS))) {
      if (measurement.workload.loadedFirst()) {
        job.sleepUntilRead(measurement.workload.input().userCount());
      }
      job.sleep(measurement.warmUpSeconds);
      long nanos = System.nanoTime();
      long cpuNanos = cpuNanos();
      long read = job.read();
      job.sleep(measurement.seconds);
      long records = job.read() - read;
      double seconds = (System.nanoTime() - nanos) / 1e9;
      double cpuMicros = (cpuNanos() - cpuNanos) / 1e3;
      Measurement.print("recordsPerSecond", records / seconds);
      Measurement.print("cpuMicrosPerRecord", cpuMicros / records);
      if (measurement.workload.loadedFirst()) {
        Resident.print(measurement.workload);
      }
    }
    // Last, since an earlier job would shape what the compiler knows of the classes they share.
    measurement.printChecksum();
  }

  /** Of all threads of the JVM, the collector's and the compiler's included. */
  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }
}
