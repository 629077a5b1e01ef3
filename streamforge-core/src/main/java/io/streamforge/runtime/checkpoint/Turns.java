package io.streamforge.runtime.checkpoint;

import io.streamforge.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps on several threads. One at a time goes on, so that steps may share whatever they like,
 * but for the work that they do {@linkplain #apart apart}, which touches nothing of that: there
 * they do not wait for each other.
 */
final class Turns {
  private final ReentrantLock turn = new ReentrantLock();
  private volatile boolean failed;

  /** A step that stops because another one has failed, which is what counts. */
  private static final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Runs the steps, in their order where the scheduler has no threads of its own; returns when all
   * have ended.
   *
   * @param threads how many run at a time, the caller's among them
   * @throws RuntimeException what a step has thrown; of several the first in their order
   */
  void run(List<? extends Runnable> steps, Scheduler scheduler, int threads) {
    Steps all = new Steps(steps);
    List<CompletableFuture<?>> helpers = new ArrayList<>();
    if (scheduler.concurrent()) {
      for (int i = 1; i < Math.min(threads, steps.size()); i++) {
        CompletableFuture<?> ended = new CompletableFuture<>();
        helpers.add(ended);
        scheduler.io(
            "restore",
            () -> {
              all.run();
              ended.complete(null);
            });
      }
    }
    all.run();
    helpers.forEach(CompletableFuture::join);
    all.rethrow();
  }

  /** Does part of a step without keeping others from going on. */
  void apart(Runnable work) {
    if (!turn.isHeldByCurrentThread()) {
      work.run();
      return;
    }
    turn.unlock();
    try {
      work.run();
    } finally {
      turn.lock();
    }
  }

  /** Stops the step that asks when another one has failed. */
  void check() {
    if (failed) {
      throw new StoppedException();
    }
  }

  private final class Steps {
    private final List<? extends Runnable> steps;
    private final AtomicInteger next = new AtomicInteger();
    private int failedStep = Integer.MAX_VALUE;
    private @Nullable Throwable failure;

    Steps(List<? extends Runnable> steps) {
      this.steps = steps;
    }

    void run() {
      for (int i; !failed && (i = next.getAndIncrement()) < steps.size(); ) {
        turn.lock();
        try {
          steps.get(i).run();
        } catch (StoppedException e) {
          return;
        } catch (Throwable e) {
          if (i < failedStep) {
            failedStep = i;
            failure = e;
          }
          failed = true;
        } finally {
          turn.unlock();
        }
      }
    }

    void rethrow() {
      Throwable thrown = failure;
      if (thrown instanceof Error error) {
        throw error;
      }
      if (thrown != null) {
        throw (RuntimeException) thrown;
      }
    }
  }
}
