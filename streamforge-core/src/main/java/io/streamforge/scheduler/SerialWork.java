package io.streamforge.scheduler;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work on I/O threads that never overlaps with itself and misses no wake-up: a wake-up during a run
 * makes another run follow.
 */
public final class SerialWork implements Waker {
  private static final int IDLE = 0;
  private static final int RUNNING = 1;
  private static final int RUNNING_AGAIN = 2;

  private final Scheduler scheduler;
  private final String name;
  private final Runnable work;
  private final AtomicInteger state = new AtomicInteger();

  /** Does {@code work}, a bounded amount of it, after each wake-up. */
  public SerialWork(Scheduler scheduler, String name, Runnable work) {
    this.scheduler = scheduler;
    this.name = name;
    this.work = work;
  }

  @Override
  public void wake() {
    int before = state.getAndUpdate(s -> s == IDLE ? RUNNING : RUNNING_AGAIN);
    if (before == IDLE) {
      scheduler.io(name, this::run);
    }
  }

  private void run() {
    // Wake-ups from here on mean another run; those before are served by this one.
    state.set(RUNNING);
    work.run();
    if (!state.compareAndSet(RUNNING, IDLE)) {
      scheduler.io(name, this::run);
    }
  }
}
