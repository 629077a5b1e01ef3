package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Job;
import java.util.List;

/**
 * How fast a job reads its state when it starts from a checkpoint, in megabytes (of a million) a
 * second: the first time in this JVM, as after a crash, and again.
 */
final class Restore {
  private static final int STARTS = 4;

  private Restore() {}

  static void measure(Measurement measurement) throws Exception {
    List<Job.Start> starts =
        measurement.job.startAgain(measurement.workload, measurement.parallelism, STARTS);
    Job.Start first = starts.get(0);
    double[] again = starts.stream().skip(1).mapToDouble(Restore::speed).sorted().toArray();
    Measurement.print(
        "recordsPerSecond", measurement.workload.input().userCount() / first.seconds());
    Measurement.print("megabytesPerSecond", speed(first));
    Measurement.print("warmMegabytesPerSecond", again[again.length / 2]);
    Measurement.print("megabytes", first.bytes() / 1e6);
    measurement.printChecksum();
  }

  private static double speed(Job.Start start) {
    return start.bytes() / 1e6 / start.seconds();
  }
}
