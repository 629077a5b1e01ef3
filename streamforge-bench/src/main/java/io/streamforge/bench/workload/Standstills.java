package io.streamforge.bench.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** When the tasks of a sink got no output for a while. Thread-safe. */
public final class Standstills {
  /** Shorter ones are not noted. */
  private static final long LEAST_NANOS = 200_000;

  /** Outputs from one look at the clock to the next, which costs as much as one of them. */
  private static final int LOOK_EVERY = 64;

  private final LongSupplier clock;
  private final List<Standstill> all = new ArrayList<>();
  private int tasks;

  /** By a clock as {@link System#nanoTime}. */
  Standstills(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * From one output of a task to a later one that should have come at once.
   *
   * @param task from 0 on
   * @param beginNanos by the clock
   */
  public record Standstill(int task, long beginNanos, long endNanos) {}

  /** Those so far, each task's in their order. */
  public synchronized List<Standstill> all() {
    return List.copyOf(all);
  }

  /** How many tasks are watched. */
  public synchronized int tasks() {
    return tasks;
  }

  /** Watches one more task. */
  public synchronized Watch watch() {
    return new Watch(tasks++);
  }

  private synchronized void add(Standstill standstill) {
    all.add(standstill);
  }

  /** Told of every output of one task. Not thread-safe. */
  public final class Watch {
    private final int task;
    private long lastNanos = clock.getAsLong();
    private int count;

    private Watch(int task) {
      this.task = task;
    }

    /** One more output. */
    public void output() {
      if (++count == LOOK_EVERY) {
        count = 0;
        long now = clock.getAsLong();
        if (now - lastNanos >= LEAST_NANOS) {
          add(new Standstill(task, lastNanos, now));
        }
        lastNanos = now;
      }
    }
  }
}
