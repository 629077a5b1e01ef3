package io.streamforge.testkit;

import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.serde.KeyKind;
import io.streamforge.time.TimeDomain;
import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Timers in the order that the contract promises. */
final class HarnessTimers implements Timers {
  record Timer(long timeMillis, Object key, long hash, TimerScope scope) {}

  private final TreeSet<Timer> eventTimers;
  private final TreeSet<Timer> processingTimers;

  HarnessTimers(KeyKind<Object> keyKind) {
    Comparator<Timer> order =
        Comparator.comparingLong(Timer::timeMillis)
            .thenComparing(Timer::hash, Long::compareUnsigned)
            .thenComparing(Timer::key, keyKind)
            .thenComparing(Timer::scope);
    eventTimers = new TreeSet<>(order);
    processingTimers = new TreeSet<>(order);
  }

  private TreeSet<Timer> of(TimeDomain domain) {
    return domain == TimeDomain.EVENT ? eventTimers : processingTimers;
  }

  @Override
  public void set(TimeDomain domain, long timeMillis, Object key, long hash, TimerScope scope) {
    of(domain).add(new Timer(timeMillis, key, hash, scope));
  }

  @Override
  public void delete(TimeDomain domain, long timeMillis, Object key, long hash, TimerScope scope) {
    of(domain).remove(new Timer(timeMillis, key, hash, scope));
  }

  /** Takes the next timer that is due; null when there is none. */
  @Nullable Timer take(TimeDomain domain, long nowMillis) {
    TreeSet<Timer> due = of(domain);
    return !due.isEmpty() && due.first().timeMillis() <= nowMillis ? due.pollFirst() : null;
  }

  /** Number of timers. */
  int size(TimeDomain domain) {
    return of(domain).size();
  }
}
