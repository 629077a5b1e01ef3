package io.streamforge.engine;

import io.streamforge.config.RestartStrategy;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a job, and starts it again when it has failed, as its restart strategy says. Thread-safe.
 */
// A thread of its own waits for the end of each attempt; where nothing is started again there is
// none.
final class Supervisor {
  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

  /** What another start does not mend. */
  private static final Set<ErrorCode> FINAL =
      Set.of(
          ErrorCode.CHECKPOINT_FENCED,
          ErrorCode.CHECKPOINT_INCOMPATIBLE,
          ErrorCode.CHECKPOINT_DAMAGED,
          ErrorCode.STATE_INCOMPATIBLE,
          ErrorCode.CONFIG_INVALID,
          ErrorCode.SOURCE_REUSED);

  /** Starts an attempt. */
  @FunctionalInterface
  interface Starter {
    JobRuntime start();
  }

  private final Starter starter;
  private final RestartPauses pauses;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final @Nullable Thread thread;
  private volatile JobRuntime job;
  private volatile int restarts;
  private volatile boolean pausing;
  private volatile boolean draining;

  /** Why the last start has failed, when it was that what ended the job. */
  private volatile @Nullable StreamForgeException startFailure;

  private Supervisor(Starter starter, RestartStrategy strategy, JobRuntime first) {
    this.starter = starter;
    this.pauses = new RestartPauses(strategy);
    this.job = first;
    this.thread =
        strategy instanceof RestartStrategy.None
            ? null
            : new Thread(this::supervise, "streamforge-" + first.job() + "-restarts");
  }

  /**
   * Starts the job.
   *
   * @throws StreamForgeException when the first start fails
   */
  static Supervisor start(Starter starter, RestartStrategy strategy) {
    Supervisor supervisor = new Supervisor(starter, strategy, starter.start());
    Thread thread = supervisor.thread;
    if (thread != null) {
      thread.setDaemon(true);
      thread.start();
    }
    return supervisor;
  }

  /** The attempt that runs, or has run last. */
  JobRuntime job() {
    return job;
  }

  /** How often the job was started again. */
  int restarts() {
    return restarts;
  }

  JobStatus status() {
    if (thread == null) {
      return job.status();
    }
    if (ended.getCount() > 0) {
      JobStatus status = job.status();
      return pausing || status == JobStatus.FAILED ? JobStatus.RESTARTING : status;
    }
    return startFailure != null ? JobStatus.FAILED : job.status();
  }

  /** What has ended the job; null when nothing has failed, or it is started again. */
  @Nullable StreamForgeException failure() {
    StreamForgeException atStart = startFailure;
    return atStart != null ? atStart : job.failure();
  }

  void await() throws InterruptedException {
    if (thread == null) {
      job.await();
    } else {
      ended.await();
    }
  }

  boolean await(Duration timeout) throws InterruptedException {
    return thread == null
        ? job.await(timeout)
        : ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  void cancel() {
    stopped.countDown();
    job.cancel();
  }

  void drain() {
    draining = true;
    job.drain();
  }

  void close() {
    stopped.countDown();
    Thread supervising = thread;
    boolean interrupted = false;
    job.close();
    if (supervising != null) {
      try {
        supervising.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      // It may have been about to start the next attempt.
      job.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  private void supervise() {
    try {
      while (true) {
        JobRuntime attempt = job;
        attempt.await();
        StreamForgeException failure = attempt.failure();
        if (failure == null || isStopped() || !startAgain(attempt, failure)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("job '{}' is not watched any more", job.job(), e);
    } finally {
      ended.countDown();
    }
  }

  /** Waits and starts, until a start has succeeded; false when there is none any more. */
  private boolean startAgain(JobRuntime attempt, StreamForgeException first)
      throws InterruptedException {
    StreamForgeException failure = first;
    long ranNanos = attempt.runningNanos();
    attempt.close();
    while (true) {
      Duration pause = FINAL.contains(failure.code()) ? null : pauses.next(ranNanos);
      if (pause == null) {
        return false;
      }
      LOG.warn(
          "job '{}' is started again in {} from its last checkpoint, for the {}. time: {}",
          attempt.job(),
          pause,
          restarts + 1,
          failure.summary());
      pausing = true;
      if (stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
        return false;
      }
      try {
        JobRuntime next = starter.start();
        restarts++;
        job = next;
        startFailure = null;
        pausing = false;
        if (isStopped()) {
          next.cancel();
        } else if (draining) {
          next.drain();
        }
        return true;
      } catch (StreamForgeException e) {
        failure = e;
        startFailure = e;
        ranNanos = 0;
      }
    }
  }
}
