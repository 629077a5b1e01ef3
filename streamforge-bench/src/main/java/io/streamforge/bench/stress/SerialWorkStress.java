package io.streamforge.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.SerialWork;
import io.streamforge.scheduler.SystemClock;
import io.streamforge.scheduler.Task;
import io.streamforge.scheduler.TaskHandle;
import io.streamforge.time.Clock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** Whoever wakes serial work is served by a run that began afterwards, and no two runs overlap. */
@JCStressTest
@Outcome(id = "2, false", expect = ACCEPTABLE, desc = "The last run has seen both.")
@Outcome(expect = FORBIDDEN, desc = "A wake-up was lost, or two runs were at work at once.")
@State
public class SerialWorkStress {
  private final SerialWork work = new SerialWork(new Inline(), "work", this::run);
  private volatile int left;
  private volatile int right;
  private int seen;
  private boolean inside;
  private boolean overlapped;

  private void run() {
    overlapped |= inside;
    inside = true;
    seen = left + right;
    inside = false;
  }

  /** Has something to do. */
  @Actor
  public void first() {
    left = 1;
    work.wake();
  }

  /** Has something to do, too. */
  @Actor
  public void second() {
    right = 1;
    work.wake();
  }

  /** Looks at what the last run has seen. */
  @Arbiter
  public void end(IZ_Result r) {
    r.r1 = seen;
    r.r2 = overlapped;
  }

  /** Runs work on the thread that submits it. */
  private static final class Inline implements Scheduler {
    @Override
    public Clock clock() {
      return new SystemClock();
    }

    @Override
    public TaskHandle register(String name, int affinity, Task task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void io(String name, Runnable work) {
      work.run();
    }

    @Override
    public void start() {}

    @Override
    public boolean concurrent() {
      return true;
    }

    @Override
    public void close() {}
  }
}
