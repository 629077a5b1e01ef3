package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;

/**
 * Heap that a key takes: what is used after full collections while a job lives that has seen every
 * key once, less what is used while one lives that has seen a thousand.
 */
final class Memory {
  /** Keys of a job that has hardly any. */
  static final long FEW = 1_000;

  private Memory() {}

  static void measure(Measurement measurement) throws Exception {
    measurement.printChecksum();
    long keys = measurement.workload.input().userCount();
    long empty = used(measurement, FEW);
    long nanos = System.nanoTime();
    long full = used(measurement, keys);
    double seconds = (System.nanoTime() - nanos) / 1e9;
    Measurement.print("recordsPerSecond", keys / seconds);
    Measurement.print("bytesPerKey", (double) (full - empty) / (keys - FEW));
    Measurement.print("keys", keys);
  }

  /** While the job has read so many records and waits. */
  static long used(Measurement measurement, long keys) throws Exception {
    Feed feed = Feed.beginHolding(keys);
    try (RunningJob job = RunningJob.start(measurement, feed)) {
      // A task of the sink publishes its count a chunk at a time.
      long published = keys - (long) Feed.CHUNK * measurement.parallelism;
      while (feed.outputs() < published) {
        job.sleep(0.1);
      }
      job.sleep(1);
      return usedAfterCollection(job);
    }
  }

  /** What the last collection has left, whatever came since. */
  static long usedAtCollection() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getCollectionUsage().getUsed())
        .sum();
  }

  private static long usedAfterCollection(RunningJob job) throws Exception {
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      job.sleep(0.2);
      used = Math.min(used, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return used;
  }
}
