package io.streamforge.runtime.task;

import io.streamforge.backend.EntrySchema;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.TimerHandler;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.serde.KeyKind;
import io.streamforge.time.TimeDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one operator in one task, in the order of time, hash (hence key group), key and
 * scope, so that they fire in the same order in every run.
 */
final class TimerQueue implements Timers {
  private final TimerHandler handler;
  private final KeyKind<Object> keyKind;
  private final KeyContext keyContext;
  private final Gate gate;
  private final TimerVisitor eventFiring = firing(TimeDomain.EVENT);
  private final TimerVisitor processingFiring = firing(TimeDomain.PROCESSING);
  private @Nullable TimerWheel eventTimers;
  private @Nullable TimerWheel processingTimers;

  TimerQueue(TimerHandler handler, KeyKind<Object> keyKind, KeyContext keyContext, Gate gate) {
    this.handler = handler;
    this.keyKind = keyKind;
    this.keyContext = keyContext;
    this.gate = gate;
  }

  private TimerVisitor firing(TimeDomain domain) {
    return (timeMillis, key, hash, scope) -> {
      keyContext.key = key;
      keyContext.hash = hash;
      handler.onTimer(key, timeMillis, domain, scope);
    };
  }

  /** Null when none has ever been set. */
  private @Nullable TimerWheel of(TimeDomain domain) {
    return domain == TimeDomain.EVENT ? eventTimers : processingTimers;
  }

  private TimerWheel newWheel(TimeDomain domain) {
    TimerWheel made = new TimerWheel(keyKind);
    if (domain == TimeDomain.EVENT) {
      eventTimers = made;
    } else {
      processingTimers = made;
    }
    return made;
  }

  @Override
  public void set(TimeDomain domain, long timeMillis, Object key, long hash, TimerScope scope) {
    TimerWheel timers = of(domain);
    (timers == null ? newWheel(domain) : timers).set(timeMillis, key, hash, scope);
  }

  @Override
  public void delete(TimeDomain domain, long timeMillis, Object key, long hash, TimerScope scope) {
    TimerWheel timers = of(domain);
    if (timers != null) {
      timers.delete(timeMillis, key, hash, scope);
    }
  }

  /**
   * A time before which no timer is due, and at which {@link #fire} gets further; {@link
   * Long#MAX_VALUE} when there is none.
   */
  long next(TimeDomain domain) {
    TimerWheel timers = of(domain);
    return timers == null ? Long.MAX_VALUE : timers.nextMillis();
  }

  /**
   * Fires timers that are due, up to {@code budget} steps, and stops when the gate closes.
   *
   * @return whether none is due any more
   */
  boolean fire(TimeDomain domain, long nowMillis, int budget) throws Exception {
    TimerWheel timers = of(domain);
    if (timers == null) {
      return true;
    }
    TimerVisitor firing = domain == TimeDomain.EVENT ? eventFiring : processingFiring;
    for (int left = budget; timers.isDue(nowMillis); ) {
      if (left <= 0 || gate.closed) {
        return false;
      }
      if (timers.isReady(nowMillis)) {
        timers.take(firing);
        left--;
      } else {
        left -= timers.turn(left);
      }
    }
    timers.passed(nowMillis);
    return true;
  }

  /** Shows each timer once, in no particular order; none must be set or deleted meanwhile. */
  void forEach(TimeDomain domain, TimerVisitor visitor) throws Exception {
    TimerWheel timers = of(domain);
    if (timers != null) {
      timers.forEach(visitor);
    }
  }

  /** All timers of a domain as they are now, in the form of {@link SavedTimers}. */
  List<byte[]> save(TimeDomain domain) throws Exception {
    return SavedTimers.write(this, domain, keyKind);
  }

  /** How {@link #save} writes them. */
  EntrySchema schema() {
    return SavedTimers.schema(keyKind);
  }

  /** Timers for which there is memory, whether they are set or not; for tests. */
  int room(TimeDomain domain) {
    TimerWheel timers = of(domain);
    return timers == null ? 0 : timers.room();
  }
}
