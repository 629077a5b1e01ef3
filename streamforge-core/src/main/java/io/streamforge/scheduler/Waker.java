package io.streamforge.scheduler;

/** Whoever may be waiting for something that another thread does. */
@FunctionalInterface
public interface Waker {
  /**
   * Something has changed. Called by any thread after it has published the change; cheap when
   * nobody sleeps. No wake-up is lost: a sleeper looks once more after it has announced that it
   * sleeps.
   */
  void wake();
}
