package io.streamforge.runtime.task;

import io.streamforge.operator.KeyContext;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.serde.KeyKind;
import io.streamforge.time.TimeDomain;
import java.util.Comparator;
import java.util.TreeSet;

/**
 * The timers of one operator in one task, in the order of time, hash (hence key group), key and
 * scope, so that they fire in the same order in every run.
 */
final class TimerQueue implements Timers {
  private record Timer(long timeMillis, Object key, long hash, TimerScope scope) {}

  private final TimerHandler handler;
  private final KeyContext keyContext;
  private final Gate gate;
  private final TreeSet<Timer> eventTimers;
  private final TreeSet<Timer> processingTimers;

  TimerQueue(TimerHandler handler, KeyKind<Object> keyKind, KeyContext keyContext, Gate gate) {
    this.handler = handler;
    this.keyContext = keyContext;
    this.gate = gate;
    Comparator<Timer> order =
        (a, b) -> {
          int c = Long.compare(a.timeMillis, b.timeMillis);
          c = c != 0 ? c : Long.compareUnsigned(a.hash, b.hash);
          c = c != 0 ? c : keyKind.compare(a.key, b.key);
          return c != 0 ? c : a.scope.compareTo(b.scope);
        };
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

  /** Whether a timer is due at this time. */
  boolean due(TimeDomain domain, long nowMillis) {
    TreeSet<Timer> timers = of(domain);
    return !timers.isEmpty() && timers.first().timeMillis <= nowMillis;
  }

  /** The time of the next timer; {@link Long#MAX_VALUE} when there is none. */
  long next(TimeDomain domain) {
    TreeSet<Timer> timers = of(domain);
    return timers.isEmpty() ? Long.MAX_VALUE : timers.first().timeMillis;
  }

  /**
   * Fires up to {@code budget} timers that are due, and stops when the gate closes.
   *
   * @return whether none is due any more
   */
  boolean fire(TimeDomain domain, long nowMillis, int budget) throws Exception {
    TreeSet<Timer> timers = of(domain);
    for (int i = 0; due(domain, nowMillis); i++) {
      if (i >= budget || gate.closed) {
        return false;
      }
      Timer timer = timers.pollFirst();
      keyContext.key = timer.key;
      keyContext.hash = timer.hash;
      handler.onTimer(timer.key, timer.timeMillis, domain, timer.scope);
    }
    return true;
  }

  /** Number of timers; for tests and metrics. */
  int size() {
    return eventTimers.size() + processingTimers.size();
  }
}
