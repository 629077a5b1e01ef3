package io.streamforge.runtime.checkpoint;

import io.streamforge.runtime.task.Rendering;
import io.streamforge.time.Clock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the state has been read that a job goes on from. Says so in the log every few seconds, as
 * long as there is something to read. Thread-safe.
 */
final class RestoreProgress {
  // One logger for all that is said of what a job goes on from.
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** What took less has no speed worth saying. */
  private static final long LEAST_MEASURED_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final String what;
  private final Clock clock;
  private final long begunNanos;
  private long total;
  private long read;
  private long saidNanos;
  private long nanos;

  /**
   * It begins now.
   *
   * @param what is restored of which job, as {@code checkpoint 17 of job 'shop'}
   */
  RestoreProgress(String what, Clock clock) {
    this.what = what;
    this.clock = clock;
    this.begunNanos = clock.monotonicNanos();
    this.saidNanos = begunNanos;
  }

  /** So many bytes more are to be read. */
  synchronized void expect(long bytes) {
    total += bytes;
  }

  /** So many bytes more have been read. */
  synchronized void read(long bytes) {
    read += bytes;
    long now = clock.monotonicNanos();
    if (now - saidNanos >= PERIOD_NANOS && read < total) {
      saidNanos = now;
      long took = now - begunNanos;
      LOG.info(
          "{} is being restored: {} %, {} of {}, at {}, {} left",
          what,
          100 * read / total,
          Rendering.size(read),
          Rendering.size(total),
          Rendering.rate(read, took),
          Rendering.duration((long) ((double) took * (total - read) / Math.max(1, read))));
    }
  }

  /** All has been read. */
  synchronized void end() {
    nanos = clock.monotonicNanos() - begunNanos;
    LOG.info(
        "{} has been restored: {} in {}{}",
        what,
        Rendering.size(read),
        Rendering.duration(nanos),
        nanos < LEAST_MEASURED_NANOS ? "" : ", at " + Rendering.rate(read, nanos));
  }

  /** Bytes that have been read. */
  synchronized long bytes() {
    return read;
  }

  /** How long it took; 0 before the end. */
  synchronized long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }
}
