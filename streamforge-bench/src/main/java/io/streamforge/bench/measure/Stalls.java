package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Scratch;
import io.streamforge.bench.workload.Standstills;
import io.streamforge.bench.workload.Standstills.Standstill;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * For how long a checkpoint keeps a task from its records at full load: of each checkpoint and each
 * task the longest time without an output from shortly before it began until shortly after all
 * parts have heard of its end. Beside it the same of the times between checkpoints, and the records
 * of each tenth of a second for the chart.
 */
final class Stalls {
  private static final double LOOK_SECONDS = 0.005;
  private static final long SAMPLE_NANOS = 100_000_000;

  /** Checkpoints of so many keys take seconds, and a percentile wants many of them. */
  private static final int TIMES_AS_LONG = 12;

  /** Between checkpoints, to have something to compare with. */
  private static final long PAUSE_MILLIS = 1_000;

  /** The times of a checkpoint are known in milliseconds and seen at the next look. */
  private static final long BEFORE_NANOS = 20_000_000;

  /** Until the tasks have heard of the end, and dealt with it. */
  private static final long AFTER_NANOS = 100_000_000;

  private record Span(long beginNanos, long endNanos) {}

  private Stalls() {}

  static void measure(Measurement measurement) throws Exception {
    Feed feed = Feed.begin(Feed.ENDLESS);
    List<Span> checkpoints = new ArrayList<>();
    try (Scratch scratch = Scratch.create();
        RunningJob job =
            RunningJob.start(
                measurement,
                feed,
                new Job.Checkpoints(scratch.directory(), PAUSE_MILLIS, PAUSE_MILLIS))) {
      job.sleepUntilRead(measurement.workload.input().userCount());
      job.sleep(measurement.warmUpSeconds);
      watch(measurement, job, checkpoints);
    }
    print("stall", longest(feed.standstills(), checkpoints));
    print("quiet", longest(feed.standstills(), between(checkpoints)));
    Measurement.print("checkpoints", checkpoints.size());
    measurement.printChecksum();
  }

  /** Notes the checkpoints that begin and end meanwhile, and prints samples of the speed. */
  private static void watch(Measurement measurement, RunningJob job, List<Span> checkpoints)
      throws Exception {
    long start = System.nanoTime();
    long firstRead = job.read();
    long sampleNanos = start;
    long sampleRead = firstRead;
    long number = measurement.job.checkpoint().number();
    long now = start;
    while (now - start < TIMES_AS_LONG * measurement.seconds * 1e9) {
      job.sleep(LOOK_SECONDS);
      now = System.nanoTime();
      Job.Checkpoint last = measurement.job.checkpoint();
      if (last.number() != number) {
        number = last.number();
        long begin = now - (long) (last.seconds() * 1e9);
        if (begin >= start) {
          checkpoints.add(new Span(begin, now));
          System.out.printf(
              Locale.ROOT, "checkpoint %.3f %.3f%n", (begin - start) / 1e9, (now - start) / 1e9);
        }
      }
      if (now - sampleNanos >= SAMPLE_NANOS) {
        long read = job.read();
        double speed = (read - sampleRead) / ((now - sampleNanos) / 1e9);
        System.out.printf(Locale.ROOT, "sample %.3f %.0f%n", (now - start) / 1e9, speed);
        sampleNanos = now;
        sampleRead = read;
      }
    }
    Measurement.print("recordsPerSecond", (job.read() - firstRead) / ((now - start) / 1e9));
  }

  private static List<Span> between(List<Span> checkpoints) {
    List<Span> between = new ArrayList<>();
    for (int i = 1; i < checkpoints.size(); i++) {
      between.add(
          new Span(
              checkpoints.get(i - 1).endNanos + AFTER_NANOS + BEFORE_NANOS,
              checkpoints.get(i).beginNanos - BEFORE_NANOS - AFTER_NANOS));
    }
    return between;
  }

  /** Of each span and task, sorted; 0 where none is worth noting. */
  private static double[] longest(Standstills standstills, List<Span> spans) {
    double[] longest = new double[spans.size() * standstills.tasks()];
    for (Standstill standstill : standstills.all()) {
      for (int i = 0; i < spans.size(); i++) {
        Span span = spans.get(i);
        if (standstill.endNanos() > span.beginNanos - BEFORE_NANOS
            && standstill.beginNanos() < span.endNanos + AFTER_NANOS) {
          int at = i * standstills.tasks() + standstill.task();
          longest[at] = Math.max(longest[at], standstill.endNanos() - standstill.beginNanos());
        }
      }
    }
    Arrays.sort(longest);
    return longest;
  }

  private static void print(String name, double[] sortedNanos) {
    Measurement.print(name + "P50Millis", percentile(sortedNanos, 0.5) / 1e6);
    Measurement.print(name + "P99Millis", percentile(sortedNanos, 0.99) / 1e6);
  }

  private static double percentile(double[] sorted, double share) {
    return sorted[Math.max(0, (int) Math.ceil(sorted.length * share) - 1)];
  }
}
