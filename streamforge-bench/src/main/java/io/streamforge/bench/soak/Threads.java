package io.streamforge.bench.soak;

import java.util.Set;
import java.util.stream.Collectors;

/** The threads of the JVM at one moment. */
record Threads(Set<Thread> live) {
  private static final long GRACE_MILLIS = 5_000;

  static Threads now() {
    return new Threads(Set.copyOf(Thread.getAllStackTraces().keySet()));
  }

  /** Names of threads that have come since and do not go; they have a few seconds to end. */
  Set<String> left() throws InterruptedException {
    long end = System.nanoTime() + GRACE_MILLIS * 1_000_000;
    Set<String> left = alive();
    while (!left.isEmpty() && System.nanoTime() < end) {
      Thread.sleep(50);
      left = alive();
    }
    return left;
  }

  private Set<String> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !live.contains(thread))
        .map(Thread::getName)
        .collect(Collectors.toSet());
  }
}
