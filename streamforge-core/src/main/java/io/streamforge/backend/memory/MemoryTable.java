package io.streamforge.backend.memory;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.TableCursor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Open addressing with linear probing over the hashes of a task's key groups.
 *
 * <p>The home of a hash is its place within the task's range scaled to the capacity, and what
 * collides is kept in the order of hashes, with a tail of slots instead of a wrap-around. So slots
 * are in the order of hashes throughout, a key group is a contiguous region, and growing is one
 * sequential pass. The hash is kept beside the key, so that most probes do not follow the key's
 * pointer. Hot path: arrays, no streams, no boxing.
 */
@Specialised
final class MemoryTable<V> implements KeyedTable<V> {
  private static final int INITIAL_CAPACITY = 16;

  /** Slots behind the last home at first. */
  private static final int TAIL = 8;

  private final KeyKind<Object> keyKind;

  /** First hash of the range, and its length in units of 2^32 hashes, rounded up. */
  private final long firstHash;

  private final long span;
  private @Nullable Object[] keys;
  private long[] hashes;
  private @Nullable Object[] values;
  private int capacity;
  private long scale;
  private int size;

  MemoryTable(KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups) {
    this.keyKind = keyKind;
    this.firstHash = firstHash(firstGroup, groups);
    long end = endGroup == groups ? 1L << 32 : (firstHash(endGroup, groups) >>> 32) + 1;
    this.span = Math.max(1, end - (firstHash >>> 32));
    this.keys = new Object[0];
    this.hashes = new long[0];
    this.values = new Object[0];
    allocate(INITIAL_CAPACITY);
  }

  /** The smallest unsigned hash of a group, at a grain of 2^32. */
  private static long firstHash(int group, int groups) {
    return ((long) group << 32) / groups << 32;
  }

  private void allocate(int newCapacity) {
    capacity = newCapacity;
    scale = ((long) newCapacity << 32) / span;
    int slots = newCapacity + TAIL;
    keys = new Object[slots];
    hashes = new long[slots];
    values = new Object[slots];
  }

  private int home(long hash) {
    long offset = (hash - firstHash) >>> 32;
    return (int) (offset * scale >>> 32) & (capacity - 1);
  }

  /** The slot of the key, or the complement of the slot where it belongs. */
  private int find(Object key, long hash) {
    int at = home(hash);
    for (Object k; (k = keys[at]) != null; at++) {
      long h = hashes[at];
      if (h == hash) {
        if (k == key || keyKind.same(k, key)) {
          return at;
        }
      } else if (Long.compareUnsigned(h, hash) > 0) {
        break;
      }
    }
    return ~at;
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable V get(Object key, long hash) {
    int at = find(key, hash);
    return at < 0 ? null : (V) values[at];
  }

  @Override
  public void put(Object key, long hash, V value) {
    int at = find(key, hash);
    if (at < 0) {
      if ((size + 1) * 2L > capacity) {
        grow();
        at = find(key, hash);
      }
      at = ~at;
      makeRoom(at);
      keys[at] = key;
      hashes[at] = hash;
      size++;
    }
    values[at] = value;
  }

  /** Moves the entries from a slot up to the next free one by one slot. */
  private void makeRoom(int at) {
    int free = at;
    while (keys[free] != null) {
      free++;
    }
    keepLastFree(free);
    System.arraycopy(keys, at, keys, at + 1, free - at);
    System.arraycopy(hashes, at, hashes, at + 1, free - at);
    System.arraycopy(values, at, values, at + 1, free - at);
  }

  /**
   * Makes the tail longer when the last slot is about to be taken: each probe ends at a free one.
   */
  private void keepLastFree(int taken) {
    if (taken == keys.length - 1) {
      int slots = keys.length + Math.max(TAIL, keys.length - capacity);
      keys = Arrays.copyOf(keys, slots);
      hashes = Arrays.copyOf(hashes, slots);
      values = Arrays.copyOf(values, slots);
    }
  }

  private void grow() {
    if (capacity == 1 << 30) {
      throw new IllegalStateException("more than 500 million keys in one task's table");
    }
    @Nullable Object[] oldKeys = keys;
    long[] oldHashes = hashes;
    @Nullable Object[] oldValues = values;
    allocate(capacity * 2);
    int next = 0;
    for (int from = 0; from < oldKeys.length; from++) {
      if (oldKeys[from] != null) {
        int to = Math.max(next, home(oldHashes[from]));
        keepLastFree(to);
        keys[to] = oldKeys[from];
        hashes[to] = oldHashes[from];
        values[to] = oldValues[from];
        next = to + 1;
      }
    }
  }

  @Override
  public void remove(Object key, long hash) {
    int at = find(key, hash);
    if (at >= 0) {
      removeAt(at);
    }
  }

  /** Moves the entries behind the gap back that are not at home. */
  private void removeAt(int slot) {
    int end = slot + 1;
    while (keys[end] != null && home(hashes[end]) < end) {
      end++;
    }
    int moved = end - slot - 1;
    System.arraycopy(keys, slot + 1, keys, slot, moved);
    System.arraycopy(hashes, slot + 1, hashes, slot, moved);
    System.arraycopy(values, slot + 1, values, slot, moved);
    keys[end - 1] = null;
    values[end - 1] = null;
    size--;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public TableCursor<V> cursor() {
    return new Cursor();
  }

  private final class Cursor implements TableCursor<V> {
    private int at = -1;

    @Override
    public boolean next() {
      do {
        at++;
      } while (at < keys.length && keys[at] == null);
      return at < keys.length;
    }

    @Override
    @SuppressWarnings("NullAway") // the cursor stands on an entry
    public Object key() {
      return keys[at];
    }

    @Override
    public long hash() {
      return hashes[at];
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the cursor stands on an entry
    public V value() {
      return (V) values[at];
    }

    @Override
    public void replace(V value) {
      values[at] = value;
    }
  }
}
