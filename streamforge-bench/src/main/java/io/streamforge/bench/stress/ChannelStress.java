package io.streamforge.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.streamforge.runtime.channel.Channel;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A channel between its sender and its receiver. */
public final class ChannelStress {
  private ChannelStress() {}

  /** A batch of one number, written without any ordering of its own. */
  static final class Cell {
    int value;
  }

  private static Channel<Cell> channel(int credits) {
    return new Channel<>(credits, Cell::new, Cell::new);
  }

  private static int taken(Channel<Cell> channel) {
    Cell cell = channel.poll();
    return cell == null ? -1 : cell.value;
  }

  private static void send(Channel<Cell> channel, int value) {
    Cell cell = channel.takeCredit();
    if (cell != null) {
      cell.value = value;
      channel.send(cell);
    }
  }

  /** Batches arrive whole, once and in order. */
  @JCStressTest
  @Outcome(
      id = {
        "-1, -1, 1, 2",
        "1, -1, 2, -1",
        "-1, 1, 2, -1",
        "1, 2, -1, -1",
      },
      expect = ACCEPTABLE,
      desc = "What has not been taken by the receiver yet is there afterwards.")
  @Outcome(expect = FORBIDDEN, desc = "A batch was lost, doubled, seen half-written or overtaken.")
  @State
  public static class Batches {
    private final Channel<Cell> channel = channel(2);

    /** Sends two batches. */
    @Actor
    public void sender() {
      send(channel, 1);
      send(channel, 2);
    }

    /** Looks twice. */
    @Actor
    public void receiver(IIII_Result r) {
      r.r1 = taken(channel);
      r.r2 = taken(channel);
    }

    /** Looks at what is left. */
    @Arbiter
    public void rest(IIII_Result r) {
      r.r3 = taken(channel);
      r.r4 = taken(channel);
    }
  }

  /** A credit that is given back is the batch, emptied, and there is never one more. */
  @JCStressTest
  @Outcome(id = "-1, 0, -1", expect = ACCEPTABLE, desc = "Given back too late for the sender.")
  @Outcome(id = "0, -1, -1", expect = ACCEPTABLE, desc = "Given back in time.")
  @Outcome(expect = FORBIDDEN, desc = "A credit was lost, doubled or seen before it was emptied.")
  @State
  public static class Credits {
    private final Channel<Cell> channel = channel(1);
    private final @Nullable Cell underWay;

    /** With the only credit at the receiver. */
    public Credits() {
      send(channel, 7);
      underWay = channel.poll();
    }

    /** Looks for a credit. */
    @Actor
    public void sender(III_Result r) {
      r.r1 = credit();
    }

    /** Empties the batch and gives it back. */
    @Actor
    public void receiver() {
      if (underWay != null) {
        underWay.value = 0;
        channel.giveBack(underWay);
      }
    }

    /** Looks at what is left. */
    @Arbiter
    public void rest(III_Result r) {
      r.r2 = credit();
      r.r3 = credit();
    }

    private int credit() {
      Cell cell = channel.takeCredit();
      return cell == null ? -1 : cell.value;
    }
  }

  /** A receiver that announces its sleep and looks once more is woken or finds the batch. */
  @JCStressTest
  @Outcome(id = "true, -1", expect = ACCEPTABLE, desc = "It finds nothing and is woken.")
  @Outcome(
      id = {"true, 1", "false, 1"},
      expect = ACCEPTABLE,
      desc = "It finds the batch.")
  @Outcome(id = "false, -1", expect = FORBIDDEN, desc = "The wake-up was lost.")
  @State
  public static class WakingTheReceiver {
    private final Channel<Cell> channel = channel(1);
    private volatile boolean asleep;
    private volatile boolean woken;

    /** Whose receiver sleeps as a worker's task does. */
    public WakingTheReceiver() {
      channel.connect(
          () -> {},
          () -> {
            if (asleep) {
              woken = true;
            }
          });
    }

    /** Sends a batch. */
    @Actor
    public void sender() {
      send(channel, 1);
    }

    /** Goes to sleep. */
    @Actor
    public void receiver(ZI_Result r) {
      asleep = true;
      r.r2 = taken(channel);
    }

    /** Looks whether it was woken. */
    @Arbiter
    public void end(ZI_Result r) {
      r.r1 = woken;
    }
  }

  /** As {@link WakingTheReceiver}, for a sender that waits for a credit. */
  @JCStressTest
  @Outcome(id = "true, -1", expect = ACCEPTABLE, desc = "It finds none and is woken.")
  @Outcome(
      id = {"true, 7", "false, 7"},
      expect = ACCEPTABLE,
      desc = "It finds the credit.")
  @Outcome(id = "false, -1", expect = FORBIDDEN, desc = "The wake-up was lost.")
  @State
  public static class WakingTheSender {
    private final Channel<Cell> channel = channel(1);
    private final @Nullable Cell underWay;
    private volatile boolean asleep;
    private volatile boolean woken;

    /** With the only credit at the receiver. */
    public WakingTheSender() {
      channel.connect(
          () -> {
            if (asleep) {
              woken = true;
            }
          },
          () -> {});
      send(channel, 7);
      underWay = channel.poll();
    }

    /** Goes to sleep. */
    @Actor
    public void sender(ZI_Result r) {
      asleep = true;
      Cell cell = channel.takeCredit();
      r.r2 = cell == null ? -1 : cell.value;
    }

    /** Gives the batch back. */
    @Actor
    public void receiver() {
      if (underWay != null) {
        channel.giveBack(underWay);
      }
    }

    /** Looks whether it was woken. */
    @Arbiter
    public void end(ZI_Result r) {
      r.r1 = woken;
    }
  }
}
