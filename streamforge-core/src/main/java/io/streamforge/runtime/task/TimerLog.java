package io.streamforge.runtime.task;

import io.streamforge.operator.TimerScope;
import io.streamforge.serde.KeyKind;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Timers of one span of time in the order in which they were set and deleted. Only {@link #settle}
 * makes a set of them, sorted by hash, key, scope and time.
 */
// Hot path: appending to two arrays, no objects. The last word on a timer counts. A log that would
// have to grow is settled first, so it is at most about four times as long as what is in it,
// however
// often timers are set anew and deleted; by the doubling that costs each timer a few comparisons.
final class TimerLog {
  /** On a timer that is deleted, instead of its scope. */
  private record Deleted(TimerScope scope) {}

  private static final int INITIAL_CAPACITY = 4;

  /** Shorter logs grow without being settled, which would cost more than the room. */
  private static final int SETTLED_FROM = 256;

  /** Bits of an index below those of a hash. */
  private static final int INDEX_BITS = 31;

  private final KeyKind<Object> keyKind;

  /** First instant of the span. */
  long startMillis;

  /** No timer is before it. */
  long minMillis;

  /** The first that has not been taken, and behind the last. */
  private int next;

  private int end;

  /** Whether it has only been taken from since it was settled. */
  private boolean settled;

  /** Time and hash of each. */
  private long[] numbers = new long[2 * INITIAL_CAPACITY];

  /** Key and scope of each; no key: it was deleted after settling. */
  private @Nullable Object[] objects = new Object[2 * INITIAL_CAPACITY];

  TimerLog(KeyKind<Object> keyKind) {
    this.keyKind = keyKind;
  }

  /** Begins anew, when it is empty. */
  TimerLog open(long spanStartMillis) {
    startMillis = spanStartMillis;
    minMillis = Long.MAX_VALUE;
    next = 0;
    end = 0;
    settled = false;
    return this;
  }

  boolean isEmpty() {
    return next == end;
  }

  int capacity() {
    return numbers.length / 2;
  }

  void set(long timeMillis, Object key, long hash, TimerScope scope) {
    append(timeMillis, key, hash, scope);
  }

  void delete(long timeMillis, Object key, long hash, TimerScope scope) {
    append(timeMillis, key, hash, new Deleted(scope));
  }

  private void append(long timeMillis, Object key, long hash, Object scope) {
    if (end == capacity()) {
      makeRoom();
    }
    settled = false;
    numbers[2 * end] = timeMillis;
    numbers[2 * end + 1] = hash;
    objects[2 * end] = key;
    objects[2 * end + 1] = scope;
    end++;
    minMillis = Math.min(minMillis, timeMillis);
  }

  private void makeRoom() {
    if (end - next >= SETTLED_FROM) {
      settle();
    }
    if (end > capacity() / 2) {
      int newLength = Math.multiplyExact(numbers.length, 2);
      numbers = Arrays.copyOf(numbers, newLength);
      objects = Arrays.copyOf(objects, newLength);
    }
  }

  long timeMillis() {
    return numbers[2 * next];
  }

  long hash() {
    return numbers[2 * next + 1];
  }

  @SuppressWarnings("NullAway") // one that has not been taken has a key
  Object key() {
    return objects[2 * next];
  }

  /** Scope of the next one, which is settled. */
  @SuppressWarnings("NullAway")
  TimerScope scope() {
    return (TimerScope) objects[2 * next + 1];
  }

  /** Takes the next one away. */
  void take() {
    objects[2 * next] = null;
    objects[2 * next + 1] = null;
    next++;
    skipDeleted();
  }

  private void skipDeleted() {
    while (settled && next < end && objects[2 * next] == null) {
      objects[2 * next + 1] = null;
      next++;
    }
  }

  /** Moves the next one, be it set or deleted, to the end of another log. */
  @SuppressWarnings("NullAway")
  void moveNextTo(TimerLog other) {
    int at = 2 * next;
    other.append(numbers[at], objects[at], numbers[at + 1], objects[at + 1]);
    objects[at] = null;
    objects[at + 1] = null;
    next++;
  }

  /** Sorts what is left by hash, key, scope and time, each timer once and none that is deleted. */
  void settle() {
    int size = end - next;
    if (settled || (size == 1 && objects[2 * next + 1] instanceof TimerScope)) {
      settled = true;
      return;
    }
    long[] order = order(size);
    long[] newNumbers = new long[numbers.length];
    @Nullable Object[] newObjects = new Object[objects.length];
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int at = index(order[i]);
      boolean last = i + 1 == size || compare(at, index(order[i + 1])) != 0;
      if (last && objects[2 * at + 1] instanceof TimerScope) {
        System.arraycopy(numbers, 2 * at, newNumbers, 2 * kept, 2);
        System.arraycopy(objects, 2 * at, newObjects, 2 * kept, 2);
        kept++;
      }
    }
    numbers = newNumbers;
    objects = newObjects;
    next = 0;
    end = kept;
    settled = true;
  }

  private static int index(long ordered) {
    return (int) (ordered & (1L << INDEX_BITS) - 1);
  }

  /** Sorted indexes below the upper bits of hashes; those of one timer in the order of the log. */
  private long[] order(int size) {
    long[] order = new long[size];
    long upper = -1L << INDEX_BITS;
    for (int i = 0; i < size; i++) {
      int at = next + i;
      order[i] = (numbers[2 * at + 1] ^ Long.MIN_VALUE) & upper | at;
    }
    Arrays.sort(order);
    for (int from = 0, to; from < size; from = to) {
      to = from + 1;
      while (to < size && (order[to] & upper) == (order[from] & upper)) {
        to++;
      }
      if (to - from > 1) {
        sortAlike(order, from, to);
      }
    }
    return order;
  }

  /** Sorts what the upper bits of the hash do not tell apart: little, or of one key. */
  private void sortAlike(long[] order, int from, int to) {
    Long[] alike = new Long[to - from];
    for (int i = from; i < to; i++) {
      alike[i - from] = order[i];
    }
    Comparator<Long> byTimer = (a, b) -> compare(index(a), index(b));
    Arrays.sort(alike, byTimer); // stable
    for (int i = from; i < to; i++) {
      order[i] = alike[i - from];
    }
  }

  @SuppressWarnings("NullAway") // keys of what has not been taken
  private int compare(int a, int b) {
    int c = compare(a, objects[2 * b], numbers[2 * b + 1], scopeOf(objects[2 * b + 1]));
    return c != 0 ? c : Long.compare(numbers[2 * a], numbers[2 * b]);
  }

  @SuppressWarnings("NullAway")
  private int compare(int at, Object key, long hash, TimerScope scope) {
    int c = Long.compareUnsigned(numbers[2 * at + 1], hash);
    c = c != 0 ? c : keyKind.compare(objects[2 * at], key);
    return c != 0 ? c : scopeOf(objects[2 * at + 1]).compareTo(scope);
  }

  private static TimerScope scopeOf(@Nullable Object scope) {
    if (scope instanceof Deleted deleted) {
      return deleted.scope;
    } else if (scope instanceof TimerScope present) {
      return present;
    }
    throw new IllegalStateException("no timer");
  }

  /** Whether a timer, of the only instant of a log that is settled, is in it. */
  boolean contains(Object key, long hash, TimerScope scope) {
    return find(key, hash, scope) >= 0;
  }

  /** Removes a timer of the only instant of a log that is settled. */
  void remove(Object key, long hash, TimerScope scope) {
    int at = find(key, hash, scope);
    if (at >= 0) {
      objects[2 * at] = null;
      skipDeleted();
    }
  }

  private int find(Object key, long hash, TimerScope scope) {
    // The hash tells where they are, so that those whose keys are gone are not compared by them.
    int low = next;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(numbers[2 * middle + 1], hash) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int at = low; at < end && numbers[2 * at + 1] == hash; at++) {
      if (objects[2 * at] != null && compare(at, key, hash, scope) == 0) {
        return at;
      }
    }
    return -1;
  }

  /** Visits the timers of a log that is settled. */
  @SuppressWarnings("NullAway")
  void forEach(TimerVisitor visitor) throws Exception {
    for (int at = next; at < end; at++) {
      Object key = objects[2 * at];
      if (key != null) {
        visitor.visit(numbers[2 * at], key, numbers[2 * at + 1], scopeOf(objects[2 * at + 1]));
      }
    }
  }
}
