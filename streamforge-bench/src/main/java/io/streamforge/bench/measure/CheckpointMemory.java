package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Scratch;
import io.streamforge.bench.workload.Workload;
import java.util.Arrays;

/**
 * Heap that a key takes at full load: without checkpoints, and the most that it takes while one
 * checkpoint follows the other. As in {@link Memory}, what few keys take is not counted.
 */
final class CheckpointMemory {
  private static final int LOOKS = 40;
  private static final double SECONDS_BETWEEN = 0.2;

  private CheckpointMemory() {}

  static void measure(Measurement measurement) throws Exception {
    measurement.printChecksum();
    Measurement plain = measurement.of(Workload.UNCHECKPOINTED);
    long keys = measurement.workload.input().userCount();
    double empty = Memory.used(plain, Memory.FEW);
    double[] without;
    try (RunningJob job = RunningJob.start(plain, Feed.begin(Feed.ENDLESS))) {
      without = used(job, keys);
    }
    double[] during;
    double seconds;
    try (Scratch scratch = Scratch.create();
        RunningJob job =
            RunningJob.start(
                measurement,
                Feed.begin(Feed.ENDLESS),
                new Job.Checkpoints(scratch.directory(), 1, 0))) {
      long nanos = System.nanoTime();
      job.sleepUntilRead(keys);
      seconds = (System.nanoTime() - nanos) / 1e9;
      long before = measurement.job.checkpoint().number();
      during = used(job, keys);
      Measurement.print("checkpoints", measurement.job.checkpoint().number() - before);
    }
    Measurement.print("recordsPerSecond", keys / seconds);
    Measurement.print("bytesPerKey", (without[LOOKS / 2] - empty) / (keys - Memory.FEW));
    Measurement.print(
        "bytesPerKeyDuringCheckpoints", (during[LOOKS - 1] - empty) / (keys - Memory.FEW));
    Measurement.print("keys", keys);
  }

  /** Looks at it again and again; sorted. */
  private static double[] used(RunningJob job, long keys) throws Exception {
    job.sleepUntilRead(keys);
    double[] used = new double[LOOKS];
    for (int i = 0; i < LOOKS; i++) {
      job.sleep(SECONDS_BETWEEN);
      System.gc();
      used[i] = Memory.usedAtCollection();
    }
    Arrays.sort(used);
    return used;
  }
}
