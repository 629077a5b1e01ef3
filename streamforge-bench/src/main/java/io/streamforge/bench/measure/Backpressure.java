package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Shape;

/**
 * Whether a sink that takes a fixed number of records a second is kept busy, and how many records
 * wait for it at most.
 */
final class Backpressure {
  private static final double SAMPLE_SECONDS = 0.005;

  private Backpressure() {}

  static void measure(Measurement measurement) throws Exception {
    Feed feed = Feed.begin(Feed.ENDLESS);
    try (RunningJob job = RunningJob.start(measurement, feed)) {
      job.sleep(measurement.warmUpSeconds);
      long nanos = System.nanoTime();
      long taken = feed.outputs();
      long inFlight = 0;
      double seconds = 0;
      while (seconds < measurement.seconds) {
        // The smaller count first: what happens between the two is counted as in flight.
        long before = feed.outputs();
        inFlight = Math.max(inFlight, measurement.job.emitted() - before);
        job.sleep(SAMPLE_SECONDS);
        seconds = (System.nanoTime() - nanos) / 1e9;
      }
      double rate = (feed.outputs() - taken) / seconds;
      Shape.ThrottledCount shape = (Shape.ThrottledCount) measurement.workload.shape();
      Measurement.print("recordsPerSecond", rate);
      Measurement.print("sinkRateShare", rate / shape.recordsPerSecond());
      Measurement.print("recordsInFlight", inFlight);
      Measurement.print(
          "recordsInFlightAllowed",
          1.5
              * shape.recordsPerSecond()
              * measurement.job.targetDelaySeconds()
              * measurement.job.channels());
    }
  }
}
