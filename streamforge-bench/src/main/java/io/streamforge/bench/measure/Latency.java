package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import org.HdrHistogram.Histogram;

/** How long results of windows take at a fixed rate that all engines can hold. */
final class Latency {
  private static final long RECORDS_PER_SECOND = 500_000;

  private Latency() {}

  static void measure(Measurement measurement) throws Exception {
    double total = measurement.warmUpSeconds + measurement.seconds;
    Latencies latencies =
        new Latencies(
            measurement.workload.input().times(),
            measurement.parallelism,
            RECORDS_PER_SECOND,
            (int) (total + 60) * 5,
            measurement.warmUpSeconds);
    Feed feed = Feed.beginPaced(RECORDS_PER_SECOND, latencies::arrived);
    try (RunningJob job = RunningJob.start(measurement, feed)) {
      latencies.start(feed.startNanos());
      job.sleep(measurement.warmUpSeconds);
      long nanos = System.nanoTime();
      long read = job.read();
      job.sleep(measurement.seconds);
      double seconds = (System.nanoTime() - nanos) / 1e9;
      Measurement.print("recordsPerSecond", (job.read() - read) / seconds);
      latencies.end();
    }
    Histogram histogram = latencies.sum();
    Measurement.print("p50Millis", histogram.getValueAtPercentile(50) / 1e6);
    Measurement.print("p99Millis", histogram.getValueAtPercentile(99) / 1e6);
    Measurement.print("p9999Millis", histogram.getValueAtPercentile(99.99) / 1e6);
    Measurement.print("results", histogram.getTotalCount());
    // Last, as in Throughput.
    measurement.printChecksum();
  }
}
