package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Scratch;
import java.util.Arrays;

/**
 * What a checkpoint writes when a hundredth of the keys has changed since the last one, as a share
 * of all state. Each round lets so many records in, and waits until the checkpoint is published
 * that has them all.
 */
final class Increments {
  /** Enough for the whole state to be written anew once, as changes pile up. */
  private static final int ROUNDS = 80;

  private static final int CHANGED_SHARE = 100;

  /** Longer than the records of a round take, so that they come between two checkpoints. */
  private static final long PAUSE_MILLIS = 1_000;

  /** Checkpoints that write more percent of the state than this write it anew. */
  private static final double ANEW = 50;

  private Increments() {}

  static void measure(Measurement measurement) throws Exception {
    long keys = measurement.workload.input().userCount();
    double[] percents = new double[ROUNDS];
    long nanos = System.nanoTime();
    Feed feed = Feed.beginHolding(keys);
    try (Scratch scratch = Scratch.create();
        RunningJob job =
            RunningJob.start(
                measurement, feed, new Job.Checkpoints(scratch.directory(), 1, PAUSE_MILLIS))) {
      written(measurement.job, job, feed, keys);
      Measurement.print("recordsPerSecond", keys / ((System.nanoTime() - nanos) / 1e9));
      double fullBytes = measurement.job.checkpoint().fullBytes();
      for (int round = 0; round < ROUNDS; round++) {
        long limit = keys + (round + 1) * keys / CHANGED_SHARE;
        feed.extend(limit);
        percents[round] = 100 * written(measurement.job, job, feed, limit) / fullBytes;
      }
      Measurement.print("fullMegabytes", fullBytes / 1e6);
    }
    double[] changes = Arrays.stream(percents).filter(percent -> percent < ANEW).toArray();
    Measurement.print("changesPercent", Arrays.stream(changes).max().orElseThrow());
    Measurement.print("meanPercent", Arrays.stream(percents).average().orElseThrow());
    Measurement.print("checkpoints", ROUNDS);
    Measurement.print("writtenAnew", ROUNDS - changes.length);
    measurement.printChecksum();
  }

  /** Waits until a checkpoint has so many records; bytes that were written until then. */
  private static long written(Job job, RunningJob running, Feed feed, long records)
      throws Exception {
    long bytes = 0;
    long number = job.checkpoint().number();
    while (true) {
      // In this order: the count of a checkpoint is known before its output is visible.
      boolean all = feed.outputs() >= records;
      Job.Checkpoint last = job.checkpoint();
      if (last.number() != number) {
        number = last.number();
        bytes += last.bytes();
      }
      if (all) {
        return bytes;
      }
      running.sleep(0.002);
    }
  }
}
