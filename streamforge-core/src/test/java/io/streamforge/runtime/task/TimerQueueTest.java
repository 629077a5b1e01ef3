package io.streamforge.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.operator.KeyContext;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.TimerScope;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.time.TimeDomain;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timers against a sorted set of them. */
final class TimerQueueTest {
  private static final int CASES = 400;
  private static final long DAY = 86_400_000;

  private record Timer(long timeMillis, Long key, long hash, TimerScope scope) {}

  private static final KeyKind<Object> KEYS = keys();

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static KeyKind<Object> keys() {
    return (KeyKind) KeyKinds.of(Serdes.longs());
  }

  private static TreeSet<Timer> newModel() {
    return new TreeSet<>(
        Comparator.comparingLong(Timer::timeMillis)
            .thenComparing(Timer::hash, Long::compareUnsigned)
            .thenComparing(Timer::key, KEYS)
            .thenComparing(Timer::scope));
  }

  /** Where the timers of a case lie. */
  enum Spread {
    SAME_INSTANTS {
      @Override
      long distance(Random random) {
        return random.nextInt(3) - 1;
      }
    },
    NEAR {
      @Override
      long distance(Random random) {
        return random.nextInt(400) - 100;
      }
    },
    YEARS {
      @Override
      long distance(Random random) {
        return (random.nextInt(4_000) - 300) * DAY;
      }
    },
    EVERYWHERE {
      @Override
      long distance(Random random) {
        return random.nextLong() >> random.nextInt(64);
      }
    };

    abstract long distance(Random random);
  }

  @ParameterizedTest
  @EnumSource(Spread.class)
  void timersFireAsIfTheyWereASortedSet(Spread spread) throws Exception {
    for (long seed = 1; seed <= CASES; seed++) {
      try {
        new Run(spread, seed).run();
      } catch (Throwable e) {
        throw new AssertionError(spread + ", seed " + seed, e);
      }
    }
  }

  /** Sets, deletes and fires at random, also from within a timer. */
  private static final class Run implements TimerHandler {
    private final Random random;
    private final Spread spread;
    private final Gate gate = new Gate();
    private final KeyContext keyContext = new KeyContext();
    private final TimerQueue queue = new TimerQueue(this, KEYS, keyContext, gate);
    private final TreeSet<Timer> eventModel = newModel();
    private final TreeSet<Timer> processingModel = newModel();
    private final List<Timer> known = new ArrayList<>();
    private final int keys;
    private final int operations;
    private long now;

    Run(Spread spread, long seed) {
      this.random = new Random(seed);
      this.spread = spread;
      this.keys = 1 + random.nextInt(20);
      this.operations = 1 + random.nextInt(random.nextInt(8) == 0 ? 700 : 20);
      this.now =
          switch (random.nextInt(4)) {
            case 0 -> 1_700_000_000_000L;
            case 1 -> Long.MIN_VALUE;
            case 2 -> Long.MAX_VALUE - 500;
            default -> random.nextInt(400) - 200;
          };
    }

    private TreeSet<Timer> model(TimeDomain domain) {
      return domain == TimeDomain.EVENT ? eventModel : processingModel;
    }

    private TimeDomain domain() {
      return random.nextInt(5) == 0 ? TimeDomain.PROCESSING : TimeDomain.EVENT;
    }

    private Timer timer() {
      if (!known.isEmpty() && random.nextInt(3) == 0) {
        return known.get(random.nextInt(known.size()));
      }
      long key = random.nextInt(keys);
      // Some keys share a hash, some its upper bits, some are large when read as unsigned.
      long hash = key % 3 == 0 ? key % 2 : key << (key % 5) * 15;
      TimerScope scope =
          random.nextBoolean()
              ? TimerScope.KEY
              : new TimerScope(new Window(0, 1 + random.nextInt(3)));
      Timer made = new Timer(now + spread.distance(random), key, hash, scope);
      known.add(made);
      return made;
    }

    private void change() {
      TimeDomain domain = domain();
      Timer timer = timer();
      if (random.nextInt(4) == 0) {
        queue.delete(domain, timer.timeMillis, timer.key, timer.hash, timer.scope);
        model(domain).remove(timer);
      } else {
        queue.set(domain, timer.timeMillis, timer.key, timer.hash, timer.scope);
        model(domain).add(timer);
      }
    }

    @Override
    public void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope) {
      Timer expected = model(domain).pollFirst();
      assertThat(new Timer(timeMillis, (Long) key, keyContext.hash, scope)).isEqualTo(expected);
      assertThat(keyContext.key).isEqualTo(key);
      assertThat(timeMillis).isLessThanOrEqualTo(now);
      while (random.nextInt(3) == 0) {
        change();
      }
      gate.closed = random.nextInt(10) == 0;
    }

    void run() throws Exception {
      for (int round = 0; round < 12; round++) {
        for (int i = 0; i < operations; i++) {
          change();
        }
        if (random.nextInt(4) == 0) {
          checkAll();
        }
        long then = now + Math.max(0, spread.distance(random));
        now = Math.max(now, then); // not beyond the end of time
        TimeDomain domain = domain();
        checkNext(domain);
        while (!queue.fire(domain, now, 1 + random.nextInt(9))) {
          gate.closed = false;
          if (random.nextInt(4) == 0) {
            change();
          }
          if (random.nextInt(16) == 0) {
            checkAll();
          }
        }
        gate.closed = false;
        assertThat(model(domain).headSet(upTo(now), true)).isEmpty();
        checkNext(domain);
      }
      now = Long.MAX_VALUE;
      while (!queue.fire(TimeDomain.EVENT, now, 100)) {
        gate.closed = false;
      }
      assertThat(eventModel).isEmpty();
      assertThat(queue.next(TimeDomain.EVENT)).isEqualTo(Long.MAX_VALUE);
    }

    private static Timer upTo(long millis) {
      return new Timer(millis, Long.MAX_VALUE, -1, TimerScope.KEY);
    }

    private void checkNext(TimeDomain domain) {
      if (!model(domain).isEmpty()) {
        assertThat(queue.next(domain)).isLessThanOrEqualTo(model(domain).first().timeMillis);
      }
    }

    private void checkAll() throws Exception {
      for (TimeDomain domain : TimeDomain.values()) {
        List<Timer> all = new ArrayList<>();
        queue.forEach(
            domain, (t, key, hash, scope) -> all.add(new Timer(t, (Long) key, hash, scope)));
        assertThat(all).containsExactlyInAnyOrderElementsOf(model(domain));
      }
    }
  }

  private final List<Long> fired = new ArrayList<>();
  private final TimerQueue queue =
      new TimerQueue(
          (key, timeMillis, domain, scope) -> fired.add(timeMillis),
          KEYS,
          new KeyContext(),
          new Gate());

  private void set(long timeMillis, long key) {
    queue.set(TimeDomain.EVENT, timeMillis, key, key, TimerScope.KEY);
  }

  private void delete(long timeMillis, long key) {
    queue.delete(TimeDomain.EVENT, timeMillis, key, key, TimerScope.KEY);
  }

  private boolean fire(long nowMillis, int budget) throws Exception {
    return queue.fire(TimeDomain.EVENT, nowMillis, budget);
  }

  @Test
  void aWatermarkFiresWhatIsSetForItOrBefore() throws Exception {
    set(12, 1);
    set(11, 1);
    set(10, 1);

    assertThat(fire(11, 100)).isTrue();

    assertThat(fired).containsExactly(10L, 11L);
    assertThat(queue.next(TimeDomain.EVENT)).isEqualTo(12);
  }

  @Test
  void theBudgetBoundsHowManyFire() throws Exception {
    for (long key = 0; key < 10; key++) {
      set(5, key);
    }

    assertThat(fire(5, 4)).isFalse();

    assertThat(fired).hasSizeLessThanOrEqualTo(4);
  }

  @Test
  void manyTimersOfAFarTimeComeNearInBoundedSteps() throws Exception {
    long base = 1_700_000_000_000L;
    for (long key = 0; key < 100_000; key++) {
      set(base + key, key);
    }

    int steps = 0;
    while (!fire(base, 10)) {
      steps++;
    }

    assertThat(fired).containsExactly(base);
    assertThat(steps).isGreaterThan(1_000);
  }

  @Test
  void theMemoryOfManyTimersGoesWithThem() throws Exception {
    for (long key = 0; key < 100_000; key++) {
      set(1_000 + key % 1_000, key);
    }

    assertThat(fire(3_000, Integer.MAX_VALUE)).isTrue();

    assertThat(fired).hasSize(100_000);
    assertThat(queue.room(TimeDomain.EVENT)).isLessThanOrEqualTo(32 * 256);
  }

  @Test
  void settingTimersAgainTakesNoMoreMemory() {
    for (int round = 0; round < 1_000; round++) {
      for (long key = 0; key < 1_000; key++) {
        set(1_700_000_000_000L, key);
      }
    }

    assertThat(queue.room(TimeDomain.EVENT)).isLessThanOrEqualTo(4_096);
  }

  @Test
  void timersThatAreMovedAgainAndAgainTakeNoMoreMemory() {
    for (long round = 0; round < 1_000_000; round++) {
      delete(round - 1, 7);
      set(round, 7);
    }

    assertThat(queue.room(TimeDomain.EVENT)).isLessThanOrEqualTo(64 * 512);
  }

  @Test
  void aTimerADayForTwentyYearsTakesNoMoreMemoryThanOne() throws Exception {
    for (long day = 0; day < 20 * 365; day++) {
      set((day + 1) * DAY, 1);
      fire(day * DAY + DAY / 2, 1_000);
    }

    assertThat(fired).hasSize(20 * 365 - 1);
    assertThat(queue.room(TimeDomain.EVENT)).isLessThanOrEqualTo(32);
  }

  @Test
  void aQueueWithoutTimersHasNoRoomForAny() throws Exception {
    assertThat(fire(5, 1)).isTrue();
    assertThat(queue.next(TimeDomain.EVENT)).isEqualTo(Long.MAX_VALUE);
    assertThat(queue.room(TimeDomain.EVENT)).isZero();
  }
}
