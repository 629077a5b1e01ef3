package io.streamforge.scheduler;

/**
 * A thread that parks when everything it looks after sleeps, and {@link WakeFlag}s that end its
 * sleep. No wake-up is lost.
 *
 * <p>The thread: sets a flag to sleep, looks once more for work, and takes the flag back if there
 * was some. When all flags sleep it announces that it parks, looks at all flags once more, and
 * parks only if they still sleep. Whoever has work: publishes it, passes a full fence, and calls
 * {@link WakeFlag#wake}. Flags and announcement are volatile, so that of two who each write and
 * then read what the other has written at least one sees it. {@code WorkerSleepStress} tries it.
 */
public final class Parking {
  private final Runnable unpark;
  private volatile boolean announced;

  /** Nobody parks yet; {@code unpark} ends the thread's parking, or the next one. */
  public Parking(Runnable unpark) {
    this.unpark = unpark;
  }

  /** The thread: from now on whoever wakes a flag unparks. */
  public void announce() {
    announced = true;
  }

  /** The thread: does not park, or has come back. */
  public void retract() {
    announced = false;
  }

  void flagWoken() {
    if (announced) {
      unpark.run();
    }
  }
}
