package io.streamforge.bench;

import java.util.concurrent.atomic.LongAdder;

/** Runs a hand-written loop on several threads. */
final class HandThreads {
  private HandThreads() {}

  /** What one of the threads does. */
  @FunctionalInterface
  interface Share {
    /** The checksum of what thread {@code thread} of {@code threads} has done. */
    long run(int thread, int threads);
  }

  /** The sum over all threads. */
  static long sum(int threads, Share share) {
    if (threads == 1) {
      return share.run(0, 1);
    }
    LongAdder sum = new LongAdder();
    Thread[] started = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int thread = i;
      started[i] = new Thread(() -> sum.add(share.run(thread, threads)), "hand-" + i);
      started[i].start();
    }
    try {
      for (Thread thread : started) {
        thread.join();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while a loop runs", e);
    }
    return sum.sum();
  }
}
