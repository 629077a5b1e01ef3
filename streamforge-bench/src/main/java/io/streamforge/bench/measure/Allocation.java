package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Workload;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/** What an engine itself allocates for a record, seen where the functions of a job make nothing. */
final class Allocation {
  private Allocation() {}

  static void measure(Measurement measurement) throws Exception {
    Measurement cached = measurement.of(Workload.CACHED);
    try (RunningJob job = RunningJob.start(cached, Feed.begin(Feed.ENDLESS))) {
      job.sleep(measurement.warmUpSeconds);
      long read = job.read();
      long bytes = allocatedBytes();
      job.sleep(1);
      double allocated = allocatedBytes() - bytes;
      Measurement.print("allocatedBytesPerRecord", allocated / (job.read() - read));
    }
  }

  /** By all threads that live: those of the job do as long as it. */
  private static long allocatedBytes() {
    return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        ? Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
            .filter(bytes -> bytes > 0)
            .sum()
        : 0;
  }
}
