package io.streamforge.bench.hand;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs a hand-written loop on several threads. */
final class HandThreads {
  private HandThreads() {}

  /** What one of the threads does. */
  @FunctionalInterface
  interface Share {
    /** Does the share of one thread. */
    void run(int thread);
  }

  /** Returns when all have done theirs. */
  static void run(int threads, Share share) throws InterruptedException, ExecutionException {
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      FutureTask<Boolean> task = new FutureTask<>(() -> share.run(thread), true);
      tasks.add(task);
      new Thread(task, "hand-" + thread).start();
    }
    for (FutureTask<Boolean> task : tasks) {
      task.get();
    }
  }
}
