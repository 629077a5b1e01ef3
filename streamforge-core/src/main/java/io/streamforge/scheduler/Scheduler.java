package io.streamforge.scheduler;

import io.streamforge.time.Clock;

/**
 * Who runs when. The runtime knows no threads: it registers tasks and hands blocking work to {@link
 * #io}. One scheduler serves one job. The real one is {@link WorkerScheduler}; tests have one that
 * runs everything on a single thread in an order drawn from a seed, with virtual time.
 */
public interface Scheduler extends AutoCloseable {
  /** Time, for everything in the job. */
  Clock clock();

  /**
   * Adds a task; it runs until it is idle, but not before {@link #start}.
   *
   * @param affinity tasks of equal affinity should share a worker
   */
  TaskHandle register(String name, int affinity, Task task);

  /**
   * Runs {@code work} where it may block. Works of one job may run at the same time; whoever needs
   * an order submits the next one when the last has ended.
   */
  void io(String name, Runnable work);

  /** Begins to run tasks. */
  void start();

  /**
   * Whether the caller may wait for other threads to make progress; false where it is the caller's
   * thread that runs everything.
   */
  boolean concurrent();

  /** Stops running tasks, interrupts what blocks, and returns when no thread is left. */
  @Override
  void close();
}
