package io.streamforge.bench;

import java.lang.management.ManagementFactory;

/**
 * Measures one workload on one engine; a program of its own, so that nothing else has shaped what
 * the JIT compiler knows. Prints records a second, nanoseconds of CPU a record (garbage collection
 * and compilation included; hardly disturbed by what else the machine does) and the checksum.
 *
 * <p>Arguments: workload, engine, parallelism, seconds to measure.
 */
final class Measurement {
  /** Records of the checksum; the same for all. */
  static final long CHECKED = 1_000_000;

  private static final double WARM_UP_SECONDS = 3;

  private final Workload workload;
  private final BenchEngine engine;
  private final int parallelism;

  private Measurement(Workload workload, BenchEngine engine, int parallelism) {
    this.workload = workload;
    this.engine = engine;
    this.parallelism = parallelism;
  }

  /** Measures. */
  public static void main(String[] arguments) throws InterruptedException {
    Workload workload =
        Workload.ALL.stream().filter(w -> w.id().equals(arguments[0])).findFirst().orElseThrow();
    Measurement measurement =
        new Measurement(
            workload, BenchEngine.valueOf(arguments[1]), Integer.parseInt(arguments[2]));
    long checksum = measurement.engine.run(workload, CHECKED, measurement.parallelism);
    long records = measurement.warmUp(Double.parseDouble(arguments[3]));
    long cpu = cpuNanos();
    double seconds = measurement.secondsOf(records);
    double cpuPerRecord = (double) (cpuNanos() - cpu) / records;
    System.out.println(records / seconds + " " + cpuPerRecord + " " + Long.toHexString(checksum));
  }

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : 0;
  }

  /** Runs of growing length; returns how many records take about {@code seconds}. */
  private long warmUp(double seconds) throws InterruptedException {
    long records = CHECKED;
    double warm = 0;
    double last = 0;
    while (warm < WARM_UP_SECONDS || last < WARM_UP_SECONDS / 4) {
      last = secondsOf(records);
      warm += last;
      if (last < WARM_UP_SECONDS / 4) {
        records *= 2;
      }
    }
    return (long) (records / last * seconds);
  }

  private double secondsOf(long records) throws InterruptedException {
    long start = System.nanoTime();
    engine.run(workload, records, parallelism);
    return (System.nanoTime() - start) / 1e9;
  }
}
