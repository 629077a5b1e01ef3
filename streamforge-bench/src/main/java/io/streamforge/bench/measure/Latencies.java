package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Time from the intended send of the record that moves the watermark past the end of a window to
 * each result of the window. The intended time counts even when the record was sent late, because
 * the engine was not ready for it: what waits outside is late all the same.
 */
final class Latencies {
  private static final long SECOND_MILLIS = 1_000;

  private final long[] sentNanos;
  private final long warmUpNanos;
  private final List<Histogram> histograms = new ArrayList<>();
  private final ThreadLocal<Histogram> own = ThreadLocal.withInitial(this::histogram);
  private volatile long startNanos;
  private volatile boolean ended;

  /** Of windows of a second, the first {@code windows} of them. */
  Latencies(Times times, int tasks, long recordsPerSecond, int windows, double warmUpSeconds) {
    warmUpNanos = (long) (warmUpSeconds * 1e9);
    sentNanos = new long[windows];
    for (int window = 0; window < windows; window++) {
      long moving = 0;
      for (int task = 0; task < tasks; task++) {
        long passes = (window + 1) * SECOND_MILLIS + times.outOfOrderMillis();
        moving = Math.max(moving, times.firstAtLeast(passes, task, tasks));
      }
      sentNanos[window] = (long) (moving * 1e9 / recordsPerSecond);
    }
  }

  private Histogram histogram() {
    Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
    synchronized (histograms) {
      histograms.add(histogram);
    }
    return histogram;
  }

  /** Set once it is known when the first record was due. */
  void start(long nanos) {
    startNanos = nanos;
  }

  /** Results from now on do not count. */
  void end() {
    ended = true;
  }

  /** A result has arrived. */
  void arrived(long startMillis) {
    long now = System.nanoTime();
    int window = (int) (startMillis / SECOND_MILLIS);
    if (startNanos == 0 || ended || window >= sentNanos.length) {
      return;
    }
    if (sentNanos[window] >= warmUpNanos) {
      own.get().recordValue(Math.max(0, now - startNanos - sentNanos[window]));
    }
  }

  /** All of them, once the job has ended. */
  Histogram sum() {
    Histogram sum = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
    synchronized (histograms) {
      histograms.forEach(sum::add);
    }
    return sum;
  }
}
