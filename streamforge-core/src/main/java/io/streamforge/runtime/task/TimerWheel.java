package io.streamforge.runtime.task;

import io.streamforge.operator.TimerScope;
import io.streamforge.serde.KeyKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one time domain: a set, taken in the order of time, hash (hence key group), key and
 * scope.
 *
 * <p>To fire what is due at an instant: while something {@link #isDue} either take it, when it
 * {@link #isReady}, or {@link #turn} the wheel; then say that the instant has {@link #passed}.
 */
final class TimerWheel {
  /*
   * A hierarchical timing wheel (Varghese and Lauck, 1987) over the whole axis of time. Times are
   * numbers of eleven digits to the base of 64. A timer lies at the level of the highest digit in
   * which it differs from `floor`, in the log of its digit there: at level 0 each log is one
   * millisecond, at level 1 64 of them, and so on. When time comes to a log of a higher level, floor
   * moves to where that begins, and its timers move down, each of them at most once a level; a log
   * of level 0 is sorted and becomes `current`, to be fired. Setting, deleting and moving append to
   * a log. What is sorted in one go is one millisecond.
   *
   * Timers that are set for the past, or for the instant that is being fired, are few and in a tree.
   *
   *   times:   ... tree ...  floor: current (once `taken`)  ... logs, level by level ...
   */
  private record Timer(long timeMillis, Object key, long hash, TimerScope scope) {}

  private static final class Level {
    final @Nullable TimerLog[] logs = new TimerLog[1 << DIGIT_BITS];

    /** A bit for each log. */
    long digits;
  }

  private static final int DIGIT_BITS = 6;
  private static final int DIGITS = 11;
  private static final int MASK = (1 << DIGIT_BITS) - 1;

  /** Moves down that take as long as firing one. */
  private static final int MOVES_A_STEP = 8;

  /** Logs that are kept for the next spans of time, while they are no longer than this. */
  private static final int MAX_SPARE = 32;

  private static final int MAX_SPARE_CAPACITY = 256;

  private final KeyKind<Object> keyKind;
  private final @Nullable Level[] levels = new Level[DIGITS];

  /** A bit for each level at which there is a log. */
  private int used;

  private long floor = Long.MIN_VALUE;

  /** Whether the wheel has nothing at floor itself any more. */
  private boolean taken;

  /** What is left of the instant floor, in order. */
  private @Nullable TimerLog current;

  /** What is being moved down from this level: all that begins with the upper digits of floor. */
  private @Nullable TimerLog moving;

  private int movingLevel;
  private final TreeSet<Timer> past;
  private final ArrayDeque<TimerLog> spare = new ArrayDeque<>();

  TimerWheel(KeyKind<Object> keyKind) {
    this.keyKind = keyKind;
    this.past =
        new TreeSet<>(
            Comparator.comparingLong(Timer::timeMillis)
                .thenComparing(Timer::hash, Long::compareUnsigned)
                .thenComparing(Timer::key, keyKind)
                .thenComparing(Timer::scope));
  }

  void set(long timeMillis, Object key, long hash, TimerScope scope) {
    if (!isPast(timeMillis)) {
      log(timeMillis).set(timeMillis, key, hash, scope);
    } else if (!isCurrent(timeMillis, key, hash, scope)) {
      past.add(new Timer(timeMillis, key, hash, scope));
    }
  }

  void delete(long timeMillis, Object key, long hash, TimerScope scope) {
    if (!isPast(timeMillis)) {
      TimerLog log = present(timeMillis);
      if (log != null) {
        log.delete(timeMillis, key, hash, scope);
      }
      return;
    }
    past.remove(new Timer(timeMillis, key, hash, scope));
    if (isCurrent(timeMillis, key, hash, scope) && current != null) {
      current.remove(key, hash, scope);
      releaseCurrent();
    }
  }

  private boolean isPast(long timeMillis) {
    return timeMillis < floor || (timeMillis == floor && taken);
  }

  private boolean isCurrent(long timeMillis, Object key, long hash, TimerScope scope) {
    return timeMillis == floor && current != null && current.contains(key, hash, scope);
  }

  private int level(long timeMillis) {
    return (63 - Long.numberOfLeadingZeros(timeMillis ^ floor | 1)) / DIGIT_BITS;
  }

  private static int digit(long timeMillis, int level) {
    return (int) ((timeMillis ^ Long.MIN_VALUE) >>> level * DIGIT_BITS) & MASK;
  }

  /** Where a timer may be; null when there is no log. */
  private @Nullable TimerLog present(long timeMillis) {
    int level = level(timeMillis);
    if (moving != null && level < movingLevel) {
      return moving; // behind what was said of the timer before
    }
    Level logs = levels[level];
    return logs == null ? null : logs.logs[digit(timeMillis, level)];
  }

  private TimerLog log(long timeMillis) {
    TimerLog present = present(timeMillis);
    return present != null ? present : newLog(timeMillis, level(timeMillis));
  }

  private TimerLog newLog(long timeMillis, int level) {
    Level logs = levels[level];
    if (logs == null) {
      logs = new Level();
      levels[level] = logs;
    }
    TimerLog log = spare.isEmpty() ? new TimerLog(keyKind) : spare.pop();
    int digit = digit(timeMillis, level);
    logs.logs[digit] = log.open(timeMillis >> level * DIGIT_BITS << level * DIGIT_BITS);
    logs.digits |= 1L << digit;
    used |= 1 << level;
    return log;
  }

  /** The lowest level at which there is a log; null when there is none. */
  private @Nullable Level lowest() {
    return used == 0 ? null : levels[Integer.numberOfTrailingZeros(used)];
  }

  /** The log of the earliest timers of the wheel; null when there is none. */
  private @Nullable TimerLog first() {
    Level lowest = lowest();
    return lowest == null ? null : lowest.logs[Long.numberOfTrailingZeros(lowest.digits)];
  }

  private TimerLog takeFirst() {
    Level lowest = lowest();
    TimerLog first = first();
    if (lowest == null || first == null) {
      throw new IllegalStateException("no timers");
    }
    lowest.logs[Long.numberOfTrailingZeros(lowest.digits)] = null;
    lowest.digits &= lowest.digits - 1;
    if (lowest.digits == 0) {
      used &= used - 1;
    }
    return first;
  }

  private void release(TimerLog log) {
    if (spare.size() < MAX_SPARE && log.capacity() <= MAX_SPARE_CAPACITY) {
      spare.push(log);
    }
  }

  private void releaseCurrent() {
    if (current != null && current.isEmpty()) {
      release(current);
      current = null;
    }
  }

  /** Whether a timer is due, or there may be one once the wheel is turned. */
  boolean isDue(long nowMillis) {
    if (isReady(nowMillis)) {
      return true;
    }
    if (moving != null) {
      return floor <= nowMillis;
    }
    TimerLog first = first();
    return first != null && first.startMillis <= nowMillis;
  }

  /** Whether a timer is due that can be taken at once. */
  boolean isReady(long nowMillis) {
    return (current != null && floor <= nowMillis)
        || (!past.isEmpty() && past.first().timeMillis <= nowMillis);
  }

  /** Takes the first timer, which is ready, and fires it. */
  void take(TimerVisitor firing) throws Exception {
    TimerLog log = current;
    Timer timer = past.isEmpty() ? null : past.first();
    if (log == null || (timer != null && isBefore(timer, log))) {
      past.pollFirst();
      if (timer != null) {
        firing.visit(timer.timeMillis, timer.key, timer.hash, timer.scope);
      }
      return;
    }
    Object key = log.key();
    long hash = log.hash();
    TimerScope scope = log.scope();
    log.take();
    releaseCurrent();
    firing.visit(floor, key, hash, scope);
  }

  private boolean isBefore(Timer timer, TimerLog log) {
    return past.comparator().compare(timer, new Timer(floor, log.key(), log.hash(), log.scope()))
        < 0;
  }

  /**
   * Works towards the next timer, when something is due and none is ready; how many steps that was.
   */
  int turn(int maxSteps) {
    TimerLog log = moving;
    if (log == null) {
      int level = Integer.numberOfTrailingZeros(used);
      log = takeFirst();
      floor = log.startMillis;
      taken = level == 0;
      if (level == 0) {
        log.settle();
        current = log;
        releaseCurrent();
        return 1;
      }
      moving = log;
      movingLevel = level;
    }
    return moveDown(log, maxSteps);
  }

  private int moveDown(TimerLog log, int maxSteps) {
    int moved = 0;
    moving = null; // so that what moves goes where it belongs
    for (; !log.isEmpty() && moved / MOVES_A_STEP < maxSteps; moved++) {
      log.moveNextTo(log(log.timeMillis()));
    }
    if (log.isEmpty()) {
      release(log);
    } else {
      moving = log;
    }
    return 1 + moved / MOVES_A_STEP;
  }

  /** Nothing is due at this time; what is set for it or before is in the past from now on. */
  void passed(long nowMillis) {
    // No timer changes its level by that, since none of the wheel is at or before now.
    if (nowMillis >= floor && current == null && moving == null) {
      floor = nowMillis;
      taken = true;
    }
  }

  /** No timer is before it; {@link Long#MAX_VALUE} when there is none. */
  long nextMillis() {
    if (!past.isEmpty()) {
      return past.first().timeMillis;
    } else if (current != null || moving != null) {
      return floor;
    }
    TimerLog first = first();
    return first == null ? Long.MAX_VALUE : first.minMillis;
  }

  /** Shows each timer once, in no particular order. */
  void forEach(TimerVisitor visitor) throws Exception {
    for (Timer timer : past) {
      visitor.visit(timer.timeMillis, timer.key, timer.hash, timer.scope);
    }
    if (current != null) {
      current.forEach(visitor);
    }
    while (moving != null) {
      moveDown(moving, Integer.MAX_VALUE);
    }
    for (TimerLog log : logs()) {
      log.settle();
      log.forEach(visitor);
    }
  }

  private List<TimerLog> logs() {
    List<TimerLog> all = new ArrayList<>();
    for (Level level : levels) {
      for (int i = 0; level != null && i < level.logs.length; i++) {
        TimerLog log = level.logs[i];
        if (log != null) {
          all.add(log);
        }
      }
    }
    return all;
  }

  /** Timers for which there is memory, whether they are set or not; for tests. */
  int room() {
    int room = past.size();
    for (TimerLog log : logs()) {
      room += log.capacity();
    }
    for (TimerLog log : spare) {
      room += log.capacity();
    }
    return room;
  }
}
