package io.streamforge.testkit;

import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Task;
import io.streamforge.scheduler.TaskHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs tasks and I/O work one step at a time on the caller's thread, in an order drawn from a seed.
 * The same seed gives the same trace. A task sleeps and is woken under the same rules as on real
 * workers, so a lost wake-up shows as work that is never done. Not thread-safe.
 */
public final class SteppedScheduler implements Scheduler {
  private static final long FNV_PRIME = 0x100000001b3L;

  private final VirtualClock clock;
  private final SplittableRandom random;
  private final List<Entry> entries = new ArrayList<>();
  private final List<Work> works = new ArrayList<>();
  private final List<Object> runnable = new ArrayList<>();
  private long trace = 0xcbf29ce484222325L;
  private long steps;
  private boolean started;
  private boolean closed;

  private record Work(String name, Runnable runnable) {}

  /** Draws the order of steps from {@code seed}. */
  public SteppedScheduler(VirtualClock clock, long seed) {
    this.clock = clock;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public VirtualClock clock() {
    return clock;
  }

  @Override
  public TaskHandle register(String name, int affinity, Task task) {
    Entry entry = new Entry(name, task);
    entries.add(entry);
    return entry;
  }

  @Override
  public void io(String name, Runnable work) {
    if (!closed) {
      works.add(new Work(name, work));
    }
  }

  @Override
  public void start() {
    started = true;
  }

  @Override
  public boolean concurrent() {
    return false;
  }

  @Override
  public void close() {
    closed = true;
    works.clear();
  }

  /** Takes one step; false when nobody has anything to do at this time. */
  public boolean step() {
    if (!started || closed) {
      return false;
    }
    runnable.clear();
    for (Entry entry : entries) {
      if (!entry.done
          && (!entry.asleep
              || (entry.deadlineNanos != Long.MAX_VALUE
                  && clock.monotonicNanos() - entry.deadlineNanos >= 0))) {
        runnable.add(entry);
      }
    }
    runnable.addAll(works);
    if (runnable.isEmpty()) {
      return false;
    }
    Object next = runnable.get(random.nextInt(runnable.size()));
    steps++;
    if (next instanceof Entry entry) {
      note(entry.name);
      entry.run();
    } else if (next instanceof Work work) {
      note(work.name());
      works.remove(work);
      work.runnable().run();
    }
    return true;
  }

  /**
   * Takes steps until nobody has anything to do at this time.
   *
   * @throws IllegalStateException after {@code limit} steps: something never comes to rest
   */
  public void runUntilQuiet(long limit) {
    for (long i = 0; step(); i++) {
      if (i >= limit) {
        throw new IllegalStateException("no rest after " + limit + " steps");
      }
    }
  }

  /** When the next sleeping task wants to run, in monotonic nanoseconds; MAX_VALUE: never. */
  public long nextDeadlineNanos() {
    long next = Long.MAX_VALUE;
    for (Entry entry : entries) {
      if (!entry.done && entry.asleep) {
        next = Math.min(next, entry.deadlineNanos);
      }
    }
    return next;
  }

  /** A fingerprint of all steps taken. */
  public long trace() {
    return trace;
  }

  /** Number of steps taken. */
  public long steps() {
    return steps;
  }

  private void note(String name) {
    for (int i = 0; i < name.length(); i++) {
      trace = (trace ^ name.charAt(i)) * FNV_PRIME;
    }
  }

  private final class Entry implements TaskHandle {
    private final String name;
    private final Task task;
    private boolean asleep;
    private boolean done;
    private long deadlineNanos = Long.MAX_VALUE;

    Entry(String name, Task task) {
      this.name = name;
      this.task = task;
    }

    private void run() {
      asleep = false;
      Task.Progress progress = task.run();
      if (progress == Task.Progress.IDLE) {
        asleep = true;
        progress = task.run();
        if (progress == Task.Progress.IDLE) {
          deadlineNanos = task.deadlineNanos();
          return;
        }
        asleep = false;
      }
      done = progress == Task.Progress.DONE;
    }

    @Override
    public void wake() {
      asleep = false;
    }
  }
}
