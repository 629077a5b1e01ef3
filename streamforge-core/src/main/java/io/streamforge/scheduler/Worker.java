package io.streamforge.scheduler;

import io.streamforge.time.Clock;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs its tasks in turns and parks when all of them sleep. No wake-up is lost: see
 * {@link Parking}.
 */
final class Worker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  /** Rounds without work before parking: about as long as parking and waking take. */
  private static final int SPINS = 200;

  private final Thread thread;
  private final Clock clock;
  private final Consumer<Throwable> onFailure;
  private final AtomicInteger steps = new AtomicInteger();
  private String inHand = "";
  private volatile Entry[] entries = {};
  private final Parking parking;
  private volatile boolean stopped;

  Worker(String name, Clock clock, Consumer<Throwable> onFailure) {
    this.clock = clock;
    this.onFailure = onFailure;
    thread = new Thread(this, name);
    parking = new Parking(() -> LockSupport.unpark(thread));
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((t, e) -> onFailure.accept(e));
  }

  synchronized TaskHandle add(String name, Task task) {
    Entry entry = new Entry(name, task, new WakeFlag(parking));
    Entry[] more = Arrays.copyOf(entries, entries.length + 1);
    more[entries.length] = entry;
    entries = more;
    LockSupport.unpark(thread);
    return entry.flag;
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  /** Waits until the thread has ended or the time has come. */
  void join(long deadlineNanos) throws InterruptedException {
    if (thread != Thread.currentThread()) {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadlineNanos - clock.monotonicNanos()));
    }
  }

  /** Interrupts a thread that has not ended. */
  void interrupt() {
    if (thread != Thread.currentThread()) {
      thread.interrupt();
    }
  }

  void warnIfAlive() {
    if (thread.isAlive() && thread != Thread.currentThread()) {
      LOG.warn("{} does not return from a user's function and is left behind", thread.getName());
    }
  }

  @Override
  public void run() {
    int idleRounds = 0;
    while (!stopped) {
      boolean worked = false;
      boolean live = false;
      long now = 0;
      for (Entry entry : entries) {
        if (entry.done) {
          continue;
        }
        live = true;
        if (entry.flag.asleep()) {
          if (entry.deadlineNanos == Long.MAX_VALUE) {
            continue;
          }
          now = now == 0 ? clock.monotonicNanos() : now;
          if (now - entry.deadlineNanos < 0) {
            continue;
          }
          entry.flag.stayAwake();
        }
        worked |= step(entry);
      }
      if (!live) {
        return;
      }
      if (worked) {
        idleRounds = 0;
      } else if (++idleRounds < SPINS) {
        Thread.onSpinWait();
      } else {
        park();
        idleRounds = 0;
      }
    }
  }

  private boolean step(Entry entry) {
    inHand = entry.name;
    steps.lazySet(steps.getPlain() + 1);
    try {
      return step(entry, entry.task.run());
    } catch (Throwable e) {
      // A defect, since tasks do not throw; the other tasks of the worker go on.
      entry.done = true;
      onFailure.accept(e);
      return true;
    } finally {
      steps.lazySet(steps.getPlain() + 1);
    }
  }

  /** A number for each moment: odd within a step, even between two. */
  int step() {
    return steps.get();
  }

  /** Whether a number that {@link #step} has returned means that the worker was within a step. */
  static boolean isWithin(int step) {
    return (step & 1) != 0;
  }

  /** Name of the task that is or was run last. */
  String taskInHand() {
    return inHand;
  }

  /** Where the thread is. */
  StackTraceElement[] stack() {
    return thread.getStackTrace();
  }

  /** Name of the thread. */
  String name() {
    return thread.getName();
  }

  /** Whether the thread runs. */
  boolean isAlive() {
    return thread.isAlive();
  }

  private static boolean step(Entry entry, Task.Progress first) {
    Task.Progress progress = first;
    if (progress == Task.Progress.IDLE) {
      entry.flag.sleep();
      progress = entry.task.run();
      if (progress == Task.Progress.IDLE) {
        entry.deadlineNanos = entry.task.deadlineNanos();
        return false;
      }
      entry.flag.stayAwake();
    }
    entry.done = progress == Task.Progress.DONE;
    return true;
  }

  private void park() {
    parking.announce();
    long deadline = Long.MAX_VALUE;
    for (Entry entry : entries) {
      if (!entry.done) {
        if (!entry.flag.asleep()) {
          parking.retract();
          return;
        }
        deadline = Math.min(deadline, entry.deadlineNanos);
      }
    }
    if (!stopped) {
      if (deadline == Long.MAX_VALUE) {
        LockSupport.park(this);
      } else {
        long wait = deadline - clock.monotonicNanos();
        if (wait > 0) {
          LockSupport.parkNanos(this, wait);
        }
      }
    }
    parking.retract();
    if (Thread.interrupted()) {
      LOG.debug("{} was interrupted", thread.getName());
    }
  }

  private static final class Entry {
    private final String name;
    private final Task task;
    private final WakeFlag flag;
    private long deadlineNanos = Long.MAX_VALUE;
    private boolean done;

    Entry(String name, Task task, WakeFlag flag) {
      this.name = name;
      this.task = task;
      this.flag = flag;
    }
  }
}
