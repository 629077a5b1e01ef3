package io.streamforge.scheduler;

/** Whether one task of a thread sleeps; see {@link Parking} for who does what in which order. */
public final class WakeFlag implements TaskHandle {
  private final Parking parking;
  private volatile boolean asleep;

  /** Awake. */
  public WakeFlag(Parking parking) {
    this.parking = parking;
  }

  /** The thread: announces that the task sleeps; then it looks once more. */
  public void sleep() {
    asleep = true;
  }

  /** The thread: there was something after all, or it is time. */
  public void stayAwake() {
    asleep = false;
  }

  /** Whether nobody has woken it since it went to sleep. */
  public boolean asleep() {
    return asleep;
  }

  @Override
  public void wake() {
    if (asleep) {
      asleep = false;
      parking.flagWoken();
    }
  }
}
