package io.streamforge.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.streamforge.runtime.channel.Channel;
import io.streamforge.scheduler.Parking;
import io.streamforge.scheduler.WakeFlag;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A worker that goes to sleep while its tasks are sent batches. */
public final class WorkerSleepStress {
  private WorkerSleepStress() {}

  /** A task's only channel and whether the task sleeps. */
  private static final class Inlet {
    private final Channel<Object> channel = new Channel<>(1, Object::new, Object::new);
    private final WakeFlag flag;

    Inlet(Parking parking) {
      flag = new WakeFlag(parking);
      channel.connect(() -> {}, flag);
    }

    void send() {
      Object credit = channel.takeCredit();
      if (credit != null) {
        channel.send(credit);
      }
    }

    /** As a worker does after an idle step: whether the task has found something after all. */
    boolean sleepAndLook() {
      flag.sleep();
      if (channel.poll() == null) {
        return false;
      }
      flag.stayAwake();
      return true;
    }
  }

  /** One task. */
  @JCStressTest
  @Outcome(
      id = {"true, false, false", "true, false, true"},
      expect = ACCEPTABLE,
      desc = "The task finds the batch; a wake-up besides does no harm.")
  @Outcome(
      id = {"false, false, false", "false, false, true"},
      expect = ACCEPTABLE,
      desc = "The task was woken before the worker parks, so it does not.")
  @Outcome(
      id = "false, true, true",
      expect = ACCEPTABLE,
      desc = "The worker parks and is unparked.")
  @Outcome(
      id = "false, true, false",
      expect = FORBIDDEN,
      desc = "The worker parks although there is work, and nobody unparks it.")
  @Outcome(expect = FORBIDDEN, desc = "Cannot be.")
  @State
  public static class OneTask {
    private volatile boolean unparked;
    private final Parking parking = new Parking(() -> unparked = true);
    private final Inlet inlet = new Inlet(parking);

    /** Sends a batch. */
    @Actor
    public void sender() {
      inlet.send();
    }

    /** Goes to sleep. */
    @Actor
    public void worker(ZZZ_Result r) {
      r.r1 = inlet.sleepAndLook();
      if (!r.r1) {
        parking.announce();
        r.r2 = inlet.flag.asleep();
      }
    }

    /** Looks whether it was woken. */
    @Arbiter
    public void end(ZZZ_Result r) {
      r.r3 = unparked;
    }
  }

  /** Two tasks of one sender. */
  @JCStressTest
  @Outcome(
      id = {"true, false, false", "true, false, true"},
      expect = ACCEPTABLE,
      desc = "A task finds a batch, and the worker goes on.")
  @Outcome(
      id = {"false, false, false", "false, false, true"},
      expect = ACCEPTABLE,
      desc = "A task was woken before the worker parks, so it does not.")
  @Outcome(
      id = "false, true, true",
      expect = ACCEPTABLE,
      desc = "The worker parks and is unparked.")
  @Outcome(
      id = "false, true, false",
      expect = FORBIDDEN,
      desc = "The worker parks although there is work, and nobody unparks it.")
  @Outcome(expect = FORBIDDEN, desc = "Cannot be.")
  @State
  public static class TwoTasks {
    private volatile boolean unparked;
    private final Parking parking = new Parking(() -> unparked = true);
    private final Inlet left = new Inlet(parking);
    private final Inlet right = new Inlet(parking);

    /** Sends a batch to each. */
    @Actor
    public void sender() {
      left.send();
      right.send();
    }

    /** Goes to sleep. */
    @Actor
    public void worker(ZZZ_Result r) {
      r.r1 = left.sleepAndLook() | right.sleepAndLook();
      if (!r.r1) {
        parking.announce();
        r.r2 = left.flag.asleep() && right.flag.asleep();
      }
    }

    /** Looks whether it was woken. */
    @Arbiter
    public void end(ZZZ_Result r) {
      r.r3 = unparked;
    }
  }
}
