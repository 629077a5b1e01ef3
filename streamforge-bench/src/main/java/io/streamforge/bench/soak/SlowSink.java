package io.streamforge.bench.soak;

import io.streamforge.bench.forge.ForgeJob;
import io.streamforge.bench.measure.RunningJob;
import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Workload;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** B1 for minutes: what is used of the heap after a collection must not grow. */
final class SlowSink {
  private static final int PARALLELISM = 2;
  private static final int SAMPLES = 40;
  private static final double GROWTH = 1.05;
  private static final long NOISE_BYTES = 2_000_000;

  private SlowSink() {}

  /** What is wrong. */
  static List<String> run(double minutes) throws Exception {
    Threads before = Threads.now();
    long[] used = new long[SAMPLES];
    Workload workload = Workload.of("B1");
    try (RunningJob job =
        RunningJob.start(new ForgeJob(), workload, PARALLELISM, Feed.begin(Feed.ENDLESS))) {
      for (int i = 0; i < SAMPLES; i++) {
        job.sleep(minutes * 60 / SAMPLES);
        used[i] = usedAfterCollection();
        System.out.printf(
            "%5.1f of %.1f min: %,d records read, %.1f MB used%n",
            minutes * (i + 1) / SAMPLES, minutes, job.read(), used[i] / 1e6);
      }
    }
    List<String> complaints = new ArrayList<>(judge(used));
    before.left().forEach(name -> complaints.add("thread '" + name + "' outlives the job"));
    return complaints;
  }

  /** By then every key has been seen, and all code has been compiled. */
  static List<String> judge(long... used) {
    int quarter = used.length / 4;
    long early = median(Arrays.copyOfRange(used, quarter, 2 * quarter));
    long late = median(Arrays.copyOfRange(used, used.length - quarter, used.length));
    return late <= early * GROWTH + NOISE_BYTES
        ? List.of()
        : List.of("memory grows: %,d bytes used early, %,d late".formatted(early, late));
  }

  private static long median(long... values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static long usedAfterCollection() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
