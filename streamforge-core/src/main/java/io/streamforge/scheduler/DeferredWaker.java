package io.streamforge.scheduler;

/** Stands in for whoever is woken until that one exists. The target is set before anything runs. */
public final class DeferredWaker implements Waker {
  private volatile Waker target = () -> {};

  /** From now on wake-ups go there. */
  public void target(Waker target) {
    this.target = target;
  }

  @Override
  public void wake() {
    target.wake();
  }
}
