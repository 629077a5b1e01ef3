package io.streamforge.backend.memory;

import io.streamforge.serde.KeyKind;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.TableCursor;
import org.jspecify.annotations.Nullable;

/**
 * Open addressing with linear probing over the hashes of a task's key groups.
 *
 * <p>The home of a hash is its place within the task's range scaled to the capacity, so that slots
 * are in the order of hashes, a key group is a contiguous region, and growing is one sequential
 * pass. The hash is kept beside the key, so that most probes do not follow the key's pointer. Hot
 * path: arrays, no streams, no boxing.
 */
final class MemoryTable<V> implements KeyedTable<V> {
  private static final int INITIAL_CAPACITY = 16;

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
    keys = new Object[newCapacity];
    hashes = new long[newCapacity];
    values = new Object[newCapacity];
  }

  private int home(long hash) {
    long offset = (hash - firstHash) >>> 32;
    return (int) (offset * scale >>> 32) & (capacity - 1);
  }

  private int find(Object key, long hash) {
    int mask = capacity - 1;
    int at = home(hash);
    for (Object k; (k = keys[at]) != null; at = (at + 1) & mask) {
      if (hashes[at] == hash && (k == key || keyKind.same(k, key))) {
        return at;
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
      at = ~at;
      if ((size + 1) * 2L > capacity) {
        grow();
        at = free(hash);
      }
      keys[at] = key;
      hashes[at] = hash;
      size++;
    }
    values[at] = value;
  }

  private int free(long hash) {
    int at = home(hash);
    while (keys[at] != null) {
      at = (at + 1) & (capacity - 1);
    }
    return at;
  }

  private void grow() {
    if (capacity == 1 << 30) {
      throw new IllegalStateException("more than 500 million keys in one task's table");
    }
    @Nullable Object[] oldKeys = keys;
    long[] oldHashes = hashes;
    @Nullable Object[] oldValues = values;
    allocate(capacity * 2);
    for (int from = 0; from < oldKeys.length; from++) {
      if (oldKeys[from] != null) {
        int to = free(oldHashes[from]);
        keys[to] = oldKeys[from];
        hashes[to] = oldHashes[from];
        values[to] = oldValues[from];
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

  /**
   * Moves the entries behind the gap back, so that no probe ends early (Knuth 6.4, algorithm R).
   */
  private void removeAt(int slot) {
    int mask = capacity - 1;
    int gap = slot;
    for (int at = (gap + 1) & mask; keys[at] != null; at = (at + 1) & mask) {
      int home = home(hashes[at]);
      boolean reachable = gap <= at ? gap < home && home <= at : gap < home || home <= at;
      if (!reachable) {
        keys[gap] = keys[at];
        hashes[gap] = hashes[at];
        values[gap] = values[at];
        gap = at;
      }
    }
    keys[gap] = null;
    values[gap] = null;
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
      } while (at < capacity && keys[at] == null);
      return at < capacity;
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
