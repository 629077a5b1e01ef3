package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Workload;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A job that does not end by itself, running on a thread of its own while it is measured. */
public final class RunningJob implements AutoCloseable {
  private final Feed feed;
  private final FutureTask<Boolean> task;

  private RunningJob(Feed feed, FutureTask<Boolean> task) {
    this.feed = feed;
    this.task = task;
  }

  /** Starts it; returns when it has read its first records of the feed. */
  static RunningJob start(Measurement measurement, Feed feed) throws Exception {
    return start(measurement.job, measurement.workload, measurement.parallelism, feed);
  }

  /** The same with checkpoints. */
  static RunningJob start(Measurement measurement, Feed feed, Job.Checkpoints checkpoints)
      throws Exception {
    return start(
        () -> measurement.job.run(measurement.workload, measurement.parallelism, checkpoints),
        feed);
  }

  /** Starts it; returns when it has read its first records of the feed. */
  public static RunningJob start(Job job, Workload workload, int parallelism, Feed feed)
      throws Exception {
    return start(() -> job.run(workload, parallelism), feed);
  }

  private interface Body {
    void run() throws Exception;
  }

  private static RunningJob start(Body body, Feed feed) throws Exception {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              body.run();
              return true;
            });
    new Thread(task, "job").start();
    RunningJob running = new RunningJob(feed, task);
    while (feed.read() == 0) {
      running.sleep(0.01);
    }
    return running;
  }

  /** Sleeps, unless the job has ended, which it must not. */
  public void sleep(double seconds) throws InterruptedException, ExecutionException {
    Thread.sleep(Math.round(seconds * 1e3));
    if (task.isDone()) {
      task.get();
      throw new IllegalStateException("the job has ended before it was told to");
    }
  }

  /** Sleeps until it has read so many records. */
  void sleepUntilRead(long records) throws InterruptedException, ExecutionException {
    while (feed.read() < records) {
      sleep(0.05);
    }
  }

  /** Records read so far. */
  public long read() {
    return feed.read();
  }

  /** Ends the job and waits until all its outputs are in; fails when it has failed. */
  @Override
  public void close() throws InterruptedException, ExecutionException {
    feed.stop();
    task.get();
  }
}
