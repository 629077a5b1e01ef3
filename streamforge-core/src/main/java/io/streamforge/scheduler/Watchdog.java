package io.streamforge.scheduler;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Looks at workers from time to time and reports, once each, steps that last longer than between
 * two looks: a user's function that blocks or loops keeps all other tasks of its worker waiting.
 */
final class Watchdog implements Runnable {
  /** Frames of a stack that are shown. */
  private static final int FRAMES = 12;

  private final List<Worker> workers;
  private final Duration period;
  private final Consumer<String> report;
  private final int[] seen;
  private final int[] reported;
  private volatile boolean stopped;

  Watchdog(List<Worker> workers, Duration period, Consumer<String> report) {
    this.workers = workers;
    this.period = period;
    this.report = report;
    this.seen = new int[workers.size()];
    this.reported = new int[workers.size()];
  }

  /** Looks no more. */
  void stop(Thread thread) {
    stopped = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    while (!stopped && workers.stream().anyMatch(Worker::isAlive)) {
      LockSupport.parkNanos(this, period.toNanos());
      look();
    }
  }

  private void look() {
    for (int i = 0; i < seen.length; i++) {
      Worker worker = workers.get(i);
      int step = worker.step();
      if (Worker.isWithin(step) && step == seen[i] && step != reported[i] && !stopped) {
        reported[i] = step;
        report.accept(describe(worker));
      }
      seen[i] = step;
    }
  }

  private String describe(Worker worker) {
    StringBuilder text =
        new StringBuilder()
            .append(worker.name())
            .append(" has been in one step of ")
            .append(worker.taskInHand())
            .append(" for more than ")
            .append(period.toMillis())
            .append(" ms; its other tasks wait. It is at:");
    StackTraceElement[] stack = worker.stack();
    for (int i = 0; i < Math.min(FRAMES, stack.length); i++) {
      text.append(System.lineSeparator()).append("    ").append(stack[i]);
    }
    return text.toString();
  }
}
