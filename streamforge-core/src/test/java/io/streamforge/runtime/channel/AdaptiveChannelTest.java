package io.streamforge.runtime.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many batches and records a channel lets be under way. */
class AdaptiveChannelTest {
  private static final long TARGET_NANOS = Duration.ofMillis(50).toNanos();
  private static final long SECOND = 1_000_000_000L;
  private static final int CAPACITY = 512;
  private static final int MOST = 16;

  private final ManualClock clock = new ManualClock();

  /** A channel with a sender that sends whenever it has a credit, and its receiver. */
  private final class Pair {
    private final AdaptiveChannel channel;
    private final BatchPool pool;
    private final Deque<Batch> underWay = new ArrayDeque<>();
    private @Nullable Batch inHand;
    private long sent;
    private long drained;

    Pair(BatchPool pool) {
      this.pool = pool;
      this.channel = new AdaptiveChannel(MOST, CAPACITY, pool, TARGET_NANOS, clock);
    }

    /** Sends batches, filled to their limits, until there is no credit. */
    void sendAll() {
      for (Batch batch; (batch = channel.takeCredit()) != null; ) {
        send(batch, batch.limit);
      }
    }

    void send(Batch batch, int records) {
      for (int i = 0; i < records; i++) {
        batch.add("k", i, i, i, null);
      }
      sent += records;
      underWay.add(batch);
      channel.send(batch);
    }

    /** Takes a batch and drains it; whether there was one. */
    boolean drain(long nanosPerRecord) {
      Batch batch = channel.poll();
      inHand = batch;
      if (batch == null) {
        return false;
      }
      underWay.remove();
      clock.pass(batch.size * nanosPerRecord);
      drained += batch.size;
      batch.clear();
      inHand = null;
      channel.giveBack(batch);
      return true;
    }

    /** Drains and sends for that long. */
    void run(long nanos, long nanosPerRecord) {
      for (long end = clock.monotonicNanos() + nanos; clock.monotonicNanos() < end; ) {
        sendAll();
        drain(nanosPerRecord);
        check();
      }
    }

    long inFlight() {
      return sent - drained;
    }

    void check() {
      assertThat(channel.creditsAtHand() + underWay.size() + (inHand == null ? 0 : 1))
          .as("credits at the sender, under way and at the receiver")
          .isEqualTo(channel.outstanding());
      assertThat(channel.outstanding()).isBetween(AdaptiveChannel.OWN, MOST);
    }
  }

  private static BatchPool pool() {
    return new BatchPool(CAPACITY, MOST);
  }

  private static void checkPool(BatchPool pool, List<Pair> pairs) {
    int lent = 0;
    for (Pair pair : pairs) {
      lent += pair.channel.outstanding() - AdaptiveChannel.OWN;
    }
    assertThat(pool.parked() + lent).as("parked and lent").isEqualTo(pool.made());
    assertThat(pool.made()).isLessThanOrEqualTo(pool.most());
  }

  @ParameterizedTest
  @ValueSource(longs = {20, 1_000, 20_000, 100_000, 150_000})
  void slowReceiverHasAsMuchUnderWayAsItDrainsWithinTheTargetDelay(long rate) {
    Pair pair = new Pair(pool());
    pair.run(Math.max(2, 400 / rate) * SECOND, SECOND / rate);

    long most = 0;
    long before = pair.drained;
    for (long end = clock.monotonicNanos() + 2 * SECOND; clock.monotonicNanos() < end; ) {
      pair.sendAll();
      most = Math.max(most, pair.inFlight());
      pair.drain(SECOND / rate);
      checkPool(pair.pool, List.of(pair));
    }

    assertThat(most).isLessThanOrEqualTo(Math.max(2, rate * 3 / 40));
    assertThat(most).isGreaterThanOrEqualTo(Math.min(rate / 25, CAPACITY * (MOST - 2)));
    // It never had nothing to drain.
    assertThat(pair.drained - before).isGreaterThanOrEqualTo(2 * rate);
  }

  @Test
  void fastReceiverWhoseSenderWantsMoreGetsAllThatTheChannelMayHave() {
    Pair pair = new Pair(pool());
    pair.run(SECOND / 10, 50);

    assertThat(pair.channel.outstanding()).isEqualTo(MOST);
    pair.sendAll();
    assertThat(pair.inFlight()).isEqualTo(MOST * CAPACITY);
  }

  @Test
  void fastReceiverGetsThereAfterSomeThousandRecords() {
    Pair pair = new Pair(pool());
    for (pair.sendAll(); pair.inFlight() < MOST * CAPACITY; pair.sendAll()) {
      pair.drain(10);
      assertThat(pair.drained).isLessThan(50_000);
    }
  }

  @Test
  void channelWhoseSenderKeepsUpWithFewBatchesBorrowsNone() {
    Pair pair = new Pair(pool());
    for (int i = 0; i < 1_000; i++) {
      Batch batch = pair.channel.takeCredit();
      assertThat(batch).isNotNull();
      pair.send(batch, batch.limit);
      pair.drain(10);
      pair.check();
    }

    assertThat(pair.channel.outstanding()).isEqualTo(AdaptiveChannel.OWN);
    assertThat(pair.pool.made()).isZero();
  }

  @Test
  void receiverThatWaitsForInputIsNotTakenForASlowOne() {
    Pair pair = new Pair(pool());
    pair.run(SECOND / 10, 50);

    // Ten records now and then.
    for (int i = 0; i < 100; i++) {
      while (pair.drain(50)) {
        pair.check();
      }
      clock.pass(SECOND);
      Batch batch = pair.channel.takeCredit();
      assertThat(batch).isNotNull();
      pair.send(batch, 10);
    }

    assertThat(pair.channel.window()).isEqualTo(MOST * CAPACITY);
  }

  @Test
  void carrierOfControlEventsDoesNotMakeAnIdleReceiverLookBusy() {
    Pair pair = new Pair(pool());
    pair.run(SECOND / 10, 50);
    while (pair.drain(50)) {
      pair.check();
    }
    for (int i = 0; i < 10; i++) {
      Batch batch = pair.channel.takeCredit();
      Batch carrier = pair.channel.takeCarrier();
      assertThat(batch).isNotNull();
      assertThat(carrier).isNotNull();
      pair.send(batch, 10);
      pair.channel.send(carrier);
      pair.drain(50);
      pair.channel.giveBackCarrier(carrierOf(pair.channel));
      clock.pass(10 * SECOND);
    }

    assertThat(pair.channel.window()).isEqualTo(MOST * CAPACITY);
  }

  private static Batch carrierOf(AdaptiveChannel channel) {
    Batch carrier = channel.poll();
    assertThat(carrier).isNotNull();
    assertThat(carrier.control).isTrue();
    return carrier;
  }

  @ParameterizedTest
  @CsvSource({"100, 1000000", "1000000, 100", "10000, 1000000", "50, 10000"})
  void changeOfSpeedIsFollowedWithinSomeTargetDelays(long before, long after) {
    Pair pair = new Pair(pool());
    pair.run(SECOND, before);
    // What is under way is drained at the new speed first.
    pair.run(Math.max(10 * TARGET_NANOS, 2 * pair.inFlight() * after), after);
    pair.sendAll();

    double wanted = Math.min((double) TARGET_NANOS / after, MOST * CAPACITY);
    assertThat((double) pair.inFlight()).isBetween(wanted * 0.7, wanted * 1.5 + 2);
  }

  @Test
  void windowDoesNotOscillateUnderASteadyReceiver() {
    Pair pair = new Pair(pool());
    pair.run(SECOND, 10_000);
    double least = Double.MAX_VALUE;
    double most = 0;
    for (int i = 0; i < 1_000; i++) {
      pair.sendAll();
      pair.drain(10_000);
      least = Math.min(least, pair.channel.window());
      most = Math.max(most, pair.channel.window());
    }

    assertThat(most / least).isLessThan(1.05);
    assertThat(pair.channel.recordsPerSecond()).isBetween(98_000.0, 102_000.0);
  }

  @Test
  void poolIsSharedByTheChannelsOfATaskAndGoesWhereItIsNeeded() {
    BatchPool pool = new BatchPool(CAPACITY, 6);
    Pair left = new Pair(pool);
    Pair right = new Pair(pool);
    left.run(SECOND / 10, 50);
    assertThat(left.channel.outstanding()).isEqualTo(8);
    assertThat(right.channel.outstanding()).isEqualTo(2);

    // The left sender has little to send now, the right one a lot.
    for (int i = 0; i < 1_000; i++) {
      if (left.underWay.isEmpty()) {
        Batch batch = left.channel.takeCredit();
        assertThat(batch).isNotNull();
        left.send(batch, 1);
      }
      left.drain(50);
      right.sendAll();
      right.drain(50);
      left.check();
      right.check();
      checkPool(pool, List.of(left, right));
    }

    assertThat(left.channel.outstanding()).isEqualTo(2);
    assertThat(right.channel.outstanding()).isEqualTo(8);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothingIsLostOrMadeWhateverHappens(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BatchPool pool = new BatchPool(CAPACITY, 1 + random.nextInt(20));
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      pairs.add(new Pair(pool));
    }
    for (int i = 0; i < 5_000; i++) {
      Pair pair = pairs.get(random.nextInt(pairs.size()));
      switch (random.nextInt(4)) {
        case 0 -> pair.sendAll();
        case 1 -> {
          Batch batch = pair.channel.takeCredit();
          if (batch != null) {
            pair.send(batch, 1 + random.nextInt(batch.limit));
          }
        }
        case 2 -> pair.drain(1L << random.nextInt(20));
        default -> clock.pass(1L << random.nextInt(30));
      }
      pairs.forEach(Pair::check);
      checkPool(pool, pairs);
    }
  }

  @Test
  void channelOfOneCreditNeverHasMore() {
    AdaptiveChannel channel = new AdaptiveChannel(1, CAPACITY, pool(), TARGET_NANOS, clock);
    for (int i = 0; i < 100; i++) {
      Batch batch = channel.takeCredit();
      assertThat(batch).isNotNull();
      assertThat(channel.takeCredit()).isNull();
      batch.add("k", i, i, i, null);
      channel.send(batch);
      assertThat(channel.poll()).isSameAs(batch);
      batch.clear();
      channel.giveBack(batch);
    }

    assertThat(channel.outstanding()).isEqualTo(1);
  }
}
