package io.streamforge.scheduler;

import io.streamforge.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on a fixed number of worker threads, each task always on the same one, and blocking
 * work on threads that come and go.
 */
public final class WorkerScheduler implements Scheduler {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerScheduler.class);

  /** A step that lasts longer keeps other tasks waiting noticeably. */
  private static final Duration LONG_STEP = Duration.ofMillis(100);

  private final String name;
  private final Clock clock = new SystemClock();
  private final List<Worker> workers = new ArrayList<>();
  private final ExecutorService io;

  /** To be joined: the executor counts a thread as gone a little before it is. */
  private final Set<Thread> ioThreads = ConcurrentHashMap.newKeySet();

  private final Duration closeTimeout;
  private final Watchdog watchdog;
  private final Thread watchdogThread;

  /**
   * A scheduler that is not started.
   *
   * @param name begins the names of all threads
   * @param workers number of worker threads
   * @param closeTimeout how long {@link #close} waits for threads that do not stop
   * @param onFailure told what escapes a task or I/O work, which is a defect
   */
  public WorkerScheduler(
      String name, int workers, Duration closeTimeout, Consumer<Throwable> onFailure) {
    this.name = name;
    this.closeTimeout = closeTimeout;
    for (int i = 0; i < workers; i++) {
      this.workers.add(new Worker(name + "-worker-" + i, clock, onFailure));
    }
    this.watchdog = new Watchdog(this.workers, LONG_STEP, LOG::warn);
    this.watchdogThread = new Thread(watchdog, name + "-watchdog");
    this.watchdogThread.setDaemon(true);
    AtomicInteger threads = new AtomicInteger();
    this.io =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work -> {
              Thread thread = new Thread(work, name + "-io-" + threads.getAndIncrement());
              thread.setDaemon(true);
              thread.setUncaughtExceptionHandler((t, e) -> onFailure.accept(e));
              ioThreads.removeIf(t -> t.getState() == Thread.State.TERMINATED);
              ioThreads.add(thread);
              return thread;
            });
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public TaskHandle register(String name, int affinity, Task task) {
    return workers.get(Math.floorMod(affinity, workers.size())).add(name, task);
  }

  @Override
  public void io(String name, Runnable work) {
    try {
      io.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.debug("{}: '{}' came after the end and is not run", this.name, name);
    }
  }

  @Override
  public void start() {
    for (Worker worker : workers) {
      worker.start();
    }
    watchdogThread.start();
  }

  @Override
  public boolean concurrent() {
    return true;
  }

  @Override
  public void close() {
    workers.forEach(Worker::stop);
    watchdog.stop(watchdogThread);
    io.shutdownNow();
    long begin = clock.monotonicNanos();
    long deadline = begin + closeTimeout.toNanos();
    boolean interrupted = false;
    try {
      for (Worker worker : workers) {
        worker.join(begin + closeTimeout.toNanos() / 2);
      }
      workers.forEach(Worker::interrupt);
      for (Worker worker : workers) {
        worker.join(deadline);
        worker.warnIfAlive();
      }
      watchdogThread.join(LONG_STEP.toMillis());
      if (!io.awaitTermination(
          Math.max(1, deadline - clock.monotonicNanos()), TimeUnit.NANOSECONDS)) {
        LOG.warn("{}: a blocking call does not return; its thread is left behind", name);
      } else {
        for (Thread thread : ioThreads) {
          thread.join();
        }
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
