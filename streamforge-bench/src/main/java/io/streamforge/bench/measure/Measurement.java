package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Workload;
import java.util.Locale;

/**
 * Measures one workload on one engine; a program of its own, so that nothing else has shaped what
 * the JIT compiler knows. What is measured is one job that warms up and goes on, because an engine
 * may define its classes anew for every job; a short one after it gives the checksum.
 *
 * <p>Arguments: class of the {@link Job}, workload, parallelism, seconds to warm up, seconds to
 * measure.
 */
public final class Measurement {
  /** A further argument that asks for {@link Allocation}. */
  public static final String ALLOCATION = "allocation";

  final Job job;
  final Workload workload;
  final int parallelism;
  final double warmUpSeconds;
  final double seconds;

  private Measurement(
      Job job, Workload workload, int parallelism, double warmUpSeconds, double seconds) {
    this.job = job;
    this.workload = workload;
    this.parallelism = parallelism;
    this.warmUpSeconds = warmUpSeconds;
    this.seconds = seconds;
  }

  private static Measurement parse(String... arguments) throws ReflectiveOperationException {
    return new Measurement(
        (Job) Class.forName(arguments[0]).getConstructor().newInstance(),
        Workload.of(arguments[1]),
        Integer.parseInt(arguments[2]),
        Double.parseDouble(arguments[3]),
        Double.parseDouble(arguments[4]));
  }

  /** The same of another workload. */
  Measurement of(Workload other) {
    return new Measurement(job, other, parallelism, warmUpSeconds, seconds);
  }

  /** Measures, and ends the JVM even when an engine has left threads behind. */
  public static void main(String[] arguments) {
    int status = 1;
    try {
      Measurement measurement = parse(arguments);
      switch (measurement.workload.measure()) {
        case THROUGHPUT -> Throughput.measure(measurement);
        case LATENCY -> Latency.measure(measurement);
        case MEMORY -> Memory.measure(measurement);
        case BACKPRESSURE -> Backpressure.measure(measurement);
        case RESTORE -> Restore.measure(measurement);
        case STALL -> Stalls.measure(measurement);
        case INCREMENT -> Increments.measure(measurement);
        case CHECKPOINT_MEMORY -> CheckpointMemory.measure(measurement);
        case RECOVERY -> Recovery.measure(measurement);
      }
      if (arguments.length > 5 && arguments[5].equals(ALLOCATION)) {
        Allocation.measure(measurement);
      }
      status = 0;
    } catch (Throwable e) {
      e.printStackTrace();
    }
    System.out.flush();
    Runtime.getRuntime().halt(status);
  }

  /** Checksum of the first records. */
  void printChecksum() throws Exception {
    Feed feed = Feed.begin(workload.checkedRecords());
    job.run(workload, parallelism);
    System.out.println("checksum " + Long.toHexString(feed.checksum()));
  }

  /** Prints a measure; plain digits, whatever its size. */
  static void print(String name, double value) {
    System.out.println(name + String.format(Locale.ROOT, " %.6f", value));
  }
}
