package io.streamforge.runtime.channel;

import io.streamforge.scheduler.Waker;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * From one sender to one receiver: full batches one way, empty ones, the credits, the other way.
 * The sender sends only what it has a credit for, or one of a few control carriers, so the ring
 * never overflows and memory is bounded by the credits.
 *
 * <p>Invariant: credits at the sender + batches under way + batches at the receiver = {@link
 * #outstanding}, which never changes here; an {@link AdaptiveChannel} borrows and gives back. The
 * test {@code ChannelStress} catches a batch that is lost, doubled or seen half-written, and a
 * wake-up that gets lost.
 *
 * @param <B> batches
 */
public class Channel<B> {
  /** Control carriers that may be under way besides the credits. */
  public static final int CONTROL_SLOTS = 4;

  private final SpscRing<B> full;
  private final SpscRing<B> credits;
  private final SpscRing<B> carriers;
  private final int made;
  private Waker sender = () -> {};
  private Waker receiver = () -> {};

  /**
   * A channel whose credits are all at the sender.
   *
   * @param creditCount how many batches may be under way
   * @param batches makes an empty batch
   * @param carriers makes an empty carrier of control events
   */
  public Channel(int creditCount, Supplier<B> batches, Supplier<B> carriers) {
    this(creditCount, creditCount, batches, carriers);
  }

  /** As above, with room for more credits than there are. */
  Channel(int creditCount, int most, Supplier<B> batches, Supplier<B> carriers) {
    made = creditCount;
    full = new SpscRing<>(most + CONTROL_SLOTS);
    credits = new SpscRing<>(most);
    for (int i = 0; i < creditCount; i++) {
      credits.offer(batches.get());
    }
    this.carriers = new SpscRing<>(CONTROL_SLOTS);
    for (int i = 0; i < CONTROL_SLOTS; i++) {
      this.carriers.offer(carriers.get());
    }
  }

  /** Who sends and who receives; before the first use. */
  public void connect(Waker sender, Waker receiver) {
    this.sender = sender;
    this.receiver = receiver;
  }

  /** Sender: takes a credit; null when there is none. */
  public @Nullable B takeCredit() {
    return credits.poll();
  }

  /** Sender: takes a carrier of control events; null when all are under way. */
  public @Nullable B takeCarrier() {
    return carriers.poll();
  }

  /** Sender: sends a batch or a carrier that it has taken. */
  public void send(B batch) {
    if (!full.offer(batch)) {
      throw new IllegalStateException("a channel has no room for a batch that had a credit");
    }
    VarHandle.fullFence();
    receiver.wake();
  }

  /**
   * Sender: whether a batch in hand that is not full had better be filled before it is sent: it is
   * the last credit, and the receiver has not even taken the batches before it. Sent now, it would
   * be no earlier at its turn, and the room that is left in it could not be used. As soon as those
   * have been given back, the sender is woken.
   */
  public boolean betterFilled() {
    return credits.isEmpty() && !full.allTaken();
  }

  /** Receiver: takes the oldest batch; null when there is none. */
  public @Nullable B poll() {
    return full.poll();
  }

  /**
   * Receiver: looks at the batch so many behind the oldest one, without taking it; null when there
   * is none.
   */
  public @Nullable B peek(int behind) {
    return full.peek(behind);
  }

  /** Receiver: whether nothing is there to take. */
  public boolean isEmpty() {
    return full.isEmpty();
  }

  /** Receiver: gives a drained batch back. */
  public void giveBack(B batch) {
    giveBack(credits, batch);
  }

  /** Receiver: it will not take anything for a while although there may be something. */
  public void rest() {}

  /** Receiver: gives a carrier back. */
  public void giveBackCarrier(B carrier) {
    giveBack(carriers, carrier);
  }

  private void giveBack(SpscRing<B> ring, B batch) {
    offer(ring, batch);
    VarHandle.fullFence();
    sender.wake();
  }

  /** Receiver: one more credit, which the sender finds when it is next woken. */
  final void addCredit(B batch) {
    offer(credits, batch);
  }

  private void offer(SpscRing<B> ring, B batch) {
    if (!ring.offer(batch)) {
      throw new IllegalStateException("a batch was given back that the channel did not make");
    }
  }

  /** Receiver: whether the sender has taken every credit it was given. */
  final boolean allCreditsTaken() {
    return credits.allTaken();
  }

  /** Receiver: how many batches circulate in the channel. */
  public int outstanding() {
    return made;
  }

  /** Any thread, a little late: what the receiver drains while it has any; 0: not measured. */
  public double recordsPerSecond() {
    return 0;
  }

  /** Sender: how many credits are at hand; for tests and metrics. */
  public int creditsAtHand() {
    return credits.size();
  }
}
