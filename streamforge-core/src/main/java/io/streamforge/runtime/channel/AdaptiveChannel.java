package io.streamforge.runtime.channel;

import io.streamforge.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose receiver decides how many credits the sender has: as many records as it drains
 * within the target delay, split into batches. It keeps two batches of its own; further ones are
 * lent by the pool of the receiving task, when the sender has used up what it had, and parked there
 * again when they exceed what the receiver drains.
 *
 * <p>Invariant: credits at the sender + batches under way + batches at the receiver = {@link
 * #outstanding} = own + lent by the pool.
 */
// Two batches of 512 may already be more than the records that a slow receiver drains within the
// target delay. So the bound is in records: a credit carries the number at which the sender is to
// send the batch.
//
// The clock is read twice a batch at most. The coarse time of the receiver's step would not do: a
// step that drains a thousand slow records begins and ends with an empty channel, and would be
// taken for one that lasted no time.
public final class AdaptiveChannel extends Channel<Batch> {
  /** Batches that are the channel's own: one is filled while the other is drained. */
  public static final int OWN = 2;

  private final Receiver receiver;

  /**
   * A channel whose own credits are at the sender.
   *
   * @param most batches that it may have at most, at least 1
   * @param capacity records of a batch; the same as in the pool
   * @param pool of the receiving task
   * @param clock of the job
   */
  public AdaptiveChannel(
      int most, int capacity, BatchPool pool, long targetDelayNanos, Clock clock) {
    this(new Receiver(Math.min(OWN, most), most, capacity, pool, targetDelayNanos, clock));
  }

  private AdaptiveChannel(Receiver receiver) {
    super(receiver.own, receiver.most, receiver::empty, () -> new Batch(0));
    this.receiver = receiver;
  }

  @Override
  public @Nullable Batch poll() {
    Batch batch = super.poll();
    if (batch != null && !batch.control) {
      receiver.taken(batch.size);
    }
    return batch;
  }

  @Override
  public void giveBack(Batch batch) {
    Receiver r = receiver;
    r.drained(isEmpty());
    boolean starved = allCreditsTaken();
    if (r.exceeds(starved)) {
      r.outstanding--;
      r.pool.park(batch);
      return;
    }
    if (starved && r.outstanding < r.wanted) {
      Batch more = r.pool.take();
      if (more != null) {
        r.outstanding++;
        more.limit = r.limit;
        addCredit(more);
      }
    }
    batch.limit = r.limit;
    super.giveBack(batch);
  }

  @Override
  public void giveBackCarrier(Batch carrier) {
    if (isEmpty()) {
      receiver.rests();
    }
    super.giveBackCarrier(carrier);
  }

  @Override
  public void rest() {
    receiver.rests();
  }

  @Override
  public int outstanding() {
    return receiver.outstanding;
  }

  /** Receiver: the records that may be under way. */
  public double window() {
    return receiver.window.records();
  }

  @Override
  public double recordsPerSecond() {
    return receiver.window.recordsPerSecond();
  }

  /** What only the receiver's thread touches, apart from what the sender reads. */
  private static final class Receiver {
    private final int own;
    private final int most;
    private final int capacity;
    private final BatchPool pool;
    private final Clock clock;
    private final DrainWindow window;
    private int outstanding;
    private int wanted;
    private int limit;
    private int inHand;
    private boolean busy;
    private long sinceNanos;

    Receiver(int own, int most, int capacity, BatchPool pool, long targetDelayNanos, Clock clock) {
      this.own = own;
      this.most = most;
      this.capacity = capacity;
      this.pool = pool;
      this.clock = clock;
      this.window = new DrainWindow(targetDelayNanos, (double) most * capacity);
      this.outstanding = own;
      adapt();
    }

    Batch empty() {
      Batch batch = new Batch(capacity);
      batch.limit = limit;
      return batch;
    }

    void taken(int records) {
      inHand = records;
      if (!busy) {
        busy = true;
        sinceNanos = clock.monotonicNanos();
      }
    }

    void drained(boolean nothingLeft) {
      long now = clock.monotonicNanos();
      if (window.drained(inHand, now - sinceNanos)) {
        adapt();
      }
      inHand = 0;
      sinceNanos = now;
      busy = !nothingLeft;
    }

    void rests() {
      busy = false;
    }

    private void adapt() {
      double records = window.records();
      wanted = (int) Math.max(own, Math.min(most, Math.ceil(records / capacity)));
      limit = (int) Math.max(1, Math.min(capacity, records / wanted));
    }

    /** Whether a batch is more than what is needed here, or needed more elsewhere. */
    boolean exceeds(boolean starved) {
      return outstanding > wanted || (outstanding > own && !starved && pool.exhausted());
    }
  }
}
