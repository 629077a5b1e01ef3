package io.streamforge.backend.memory;

import io.streamforge.backend.Entries;
import io.streamforge.backend.EntrySchema;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.Specialised;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Open addressing with linear probing over the hashes of a task's key groups; what the tables of
 * every kind share.
 *
 * <p>The home of a hash is its place within the task's range scaled to the capacity, and what
 * collides is kept in the order of hashes, with a tail of slots instead of a wrap-around. So slots
 * are in the order of hashes throughout, a key group is a contiguous region, and growing is one
 * sequential pass. Hot path: arrays, no streams, no boxing.
 */
@Specialised
abstract class SlotTable {
  /*
   * A slot is a run of longs: the hash of its key, then its columns, so that a probe and an update
   * touch one line of the cache. Keys whose hash identifies them are not kept; others are, apart,
   * and are looked at only when the hash agrees. An empty slot holds a number that is no key's hash:
   * 0, until a key comes whose hash that is.
   */
  private static final int INITIAL_CAPACITY = 16;

  /** Slots behind the last home at first. */
  private static final int TAIL = 8;

  /** From this capacity on memory counts more than the length of probes. */
  private static final int LARGE = 1 << 17;

  /** Of the capacity, in percent, beyond which a table grows: twofold, or by half when large. */
  private static final int MAX_LOAD = 50;

  private static final int MAX_LOAD_OF_LARGE = 70;

  private static final int MAX_CELLS = 1 << 30;

  final KeyKind<Object> keyKind;

  /** First hash of the range, and its length in units of 2^32 hashes, rounded up. */
  private final long firstHash;

  private final long span;

  /** Longs of a slot. */
  final int stride;

  long[] cells = {};

  /** Null when hashes identify keys. */
  private @Nullable Object @Nullable [] keys;

  /** Null unless snapshots are taken. */
  @Nullable Changes changes;

  private final Serde<Object> keySerde;

  private long empty;
  private int capacity;
  private int slots;
  private long scale;
  private int limit;
  private int size;

  /** The last slot in use as far as {@link #load} knows; −1: none is, or it is not known. */
  private int loadedSlot = -1;

  /** Where the purge goes on. Entries that move meanwhile may be looked at in the next round. */
  private int purged;

  /** Takes what {@link #touch} has read, so that it cannot be left out. */
  private long touched;

  /** An empty table. */
  SlotTable(KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups, int columns) {
    this.keyKind = keyKind;
    this.keySerde = Serdes.delimited(keyKind.serde());
    this.firstHash = firstHash(firstGroup, groups);
    long end = endGroup == groups ? 1L << 32 : (firstHash(endGroup, groups) >>> 32) + 1;
    this.span = Math.max(1, end - (firstHash >>> 32));
    this.stride = 1 + columns;
    allocate(INITIAL_CAPACITY);
  }

  /** The smallest unsigned hash of a group, at a grain of 2^32. */
  private static long firstHash(int group, int groups) {
    return ((long) group << 32) / groups << 32;
  }

  private void allocate(int newCapacity) {
    capacity = newCapacity;
    slots = newCapacity + TAIL;
    scale = ((long) newCapacity << 32) / span;
    limit = limit(newCapacity);
    cells = emptyCells(slots);
    keys = keyKind.hashIsKey() ? null : new Object[slots];
    allocateValues(slots);
  }

  private static int limit(int capacity) {
    int load = capacity < LARGE ? MAX_LOAD : MAX_LOAD_OF_LARGE;
    return (int) ((long) capacity * load / 100);
  }

  private static int larger(int capacity) {
    return capacity < LARGE ? capacity * 2 : capacity + capacity / 2;
  }

  private long[] emptyCells(int count) {
    long[] made = new long[Math.multiplyExact(count, stride)];
    if (empty != 0) {
      fillEmpty(made, 0, count);
    }
    return made;
  }

  private void fillEmpty(long[] into, int from, int to) {
    for (int slot = from; slot < to; slot++) {
      into[slot * stride] = empty;
    }
  }

  /** Makes room for the values of so many slots, all of them null; drops the old values. */
  abstract void allocateValues(int slots);

  /** Keeps the values and appends empty slots. */
  abstract void lengthenValues(int slots);

  /** Moves values by {@code System.arraycopy}. */
  abstract void moveValues(int from, int to, int count);

  /** Forgets a value. */
  abstract void clearValue(int slot);

  /** What holds the values now, for {@link #copyValue}. */
  abstract @Nullable Object values();

  /** Copies a value from what held them before growing. */
  abstract void copyValue(@Nullable Object oldValues, int from, int to);

  private int home(long hash) {
    return (int) (((hash - firstHash) >>> 32) * scale >>> 32);
  }

  /** The slot of the key, or the complement of the slot where it belongs. */
  final int find(Object key, long hash) {
    long[] cells = this.cells;
    int slot = home(hash);
    int at = slot * stride;
    for (long h; (h = cells[at]) != empty; at += stride, slot++) {
      if (h == hash) {
        if (isKeyAt(slot, key)) {
          return slot;
        }
      } else if (Long.compareUnsigned(h, hash) > 0) {
        break;
      }
    }
    return ~slot;
  }

  @SuppressWarnings({"NullAway", "ReferenceEquality"}) // a used slot has a key; a short cut
  private boolean isKeyAt(int slot, Object key) {
    if (keys == null) {
      return true;
    }
    Object present = keys[slot];
    return present == key || keyKind.same(present, key);
  }

  /** Adds a key at the slot that {@link #find} has said; where it is now. */
  final int insert(int belongs, Object key, long hash) {
    if (hash == empty) {
      changeEmpty();
    }
    int slot = belongs;
    if (size == limit) {
      grow();
      slot = ~find(key, hash);
    }
    makeRoom(slot);
    set(slot, key, hash);
    return slot;
  }

  private void set(int slot, Object key, long hash) {
    cells[slot * stride] = hash;
    if (keys != null) {
      keys[slot] = key;
    }
    if (changes != null) {
      changes.inserted(slot);
    }
    size++;
  }

  /** Makes room for so many entries at once; while there are none. */
  public final void expect(long entries) {
    int needed = capacity;
    while (limit(needed) < entries && needed < MAX_CELLS / stride / 2) {
      needed = larger(needed);
    }
    if (size == 0 && needed > capacity) {
      allocate(needed);
      if (changes != null) {
        changes.reallocate(slots);
      }
    }
  }

  /**
   * The slot of a key whose entry is loaded, which is added when it is new. Entries that come in
   * the order of hashes are not searched for: while most of them are still to come, those that are
   * there stand close together at the beginning, and a search among them would be long.
   */
  final int load(Object key, long hash) {
    if (loadedSlot < 0 ? size > 0 : Long.compareUnsigned(hash, cells[loadedSlot * stride]) <= 0) {
      int slot = find(key, hash);
      if (slot >= 0) {
        if (changes != null) {
          changes.changing(slot);
        }
        return slot;
      }
      slot = insert(~slot, key, hash);
      // Behind all others, as of equal hashes; otherwise the last one may have moved.
      loadedSlot = loadedSlot >= 0 && slot > loadedSlot ? slot : -1;
      return slot;
    }
    if (hash == empty) {
      changeEmpty();
    }
    if (size == limit) {
      grow();
    }
    int slot = Math.max(home(hash), loadedSlot + 1);
    keepLastFree(slot);
    set(slot, key, hash);
    loadedSlot = slot;
    return slot;
  }

  /** Marks empty slots by a number that is no key's hash. */
  private void changeEmpty() {
    long old = empty;
    long candidate = old;
    do {
      candidate++;
    } while (isHash(candidate));
    empty = candidate;
    for (int slot = 0; slot < slots; slot++) {
      if (cells[slot * stride] == old) {
        cells[slot * stride] = candidate;
      }
    }
  }

  private boolean isHash(long candidate) {
    for (int slot = 0; slot < slots; slot++) {
      if (cells[slot * stride] == candidate) {
        return true;
      }
    }
    return false;
  }

  /** Moves the entries from a slot up to the next free one by one slot. */
  private void makeRoom(int slot) {
    int free = slot;
    while (isUsed(free)) {
      free++;
    }
    keepLastFree(free);
    if (free > slot) {
      move(slot, slot + 1, free - slot);
      Arrays.fill(cells, slot * stride, (slot + 1) * stride, 0);
      clearValue(slot);
    }
  }

  private void move(int from, int to, int count) {
    System.arraycopy(cells, from * stride, cells, to * stride, count * stride);
    if (keys != null) {
      System.arraycopy(keys, from, keys, to, count);
    }
    moveValues(from, to, count);
    if (changes != null) {
      changes.move(from, to, count);
    }
  }

  /**
   * Makes the tail longer when the last slot is about to be taken: each probe ends at a free one.
   */
  private void keepLastFree(int taken) {
    if (taken == slots - 1) {
      int before = slots;
      slots = Math.addExact(slots, Math.max(TAIL, slots - capacity));
      cells = Arrays.copyOf(cells, Math.multiplyExact(slots, stride));
      fillEmpty(cells, before, slots);
      if (keys != null) {
        keys = Arrays.copyOf(keys, slots);
      }
      lengthenValues(slots);
      if (changes != null) {
        changes.lengthen(slots);
      }
    }
  }

  private void grow() {
    if (capacity > MAX_CELLS / stride / 2) {
      throw new IllegalStateException("a task's table cannot hold more than " + size + " keys");
    }
    long[] oldCells = cells;
    @Nullable Object @Nullable [] oldKeys = keys;
    Object oldValues = values();
    int oldSlots = slots;
    allocate(larger(capacity));
    Changes changes = this.changes;
    byte[] oldMarks = changes == null ? null : changes.reallocate(slots);
    int next = 0;
    for (int from = 0; from < oldSlots; from++) {
      long hash = oldCells[from * stride];
      if (hash != empty) {
        int to = Math.max(next, home(hash));
        keepLastFree(to);
        System.arraycopy(oldCells, from * stride, cells, to * stride, stride);
        if (keys != null && oldKeys != null) {
          keys[to] = oldKeys[from];
        }
        copyValue(oldValues, from, to);
        if (changes != null && oldMarks != null) {
          changes.copy(oldMarks, from, to);
        }
        next = to + 1;
      }
    }
    loadedSlot = next - 1;
  }

  /** Moves the entries behind the gap back that are not at home. */
  final void removeAt(int slot) {
    loadedSlot = -1;
    if (changes != null) {
      changes.removing(slot);
    }
    int end = slot + 1;
    while (isUsed(end) && home(cells[end * stride]) < end) {
      end++;
    }
    move(slot + 1, slot, end - slot - 1);
    int last = end - 1;
    Arrays.fill(cells, last * stride, end * stride, 0);
    cells[last * stride] = empty;
    if (keys != null) {
      keys[last] = null;
    }
    if (changes != null) {
      changes.clear(last);
    }
    clearValue(last);
    size--;
  }

  /**
   * Removes all entries and keeps the room; whether so much of it was used that it is worth
   * keeping.
   */
  final boolean clear() {
    boolean worthKeeping = size >= capacity / 8;
    Arrays.fill(cells, 0);
    if (empty != 0) {
      fillEmpty(cells, 0, slots);
    }
    if (keys != null) {
      Arrays.fill(keys, null);
    }
    clearValues();
    if (changes != null) {
      changes.begin();
    }
    size = 0;
    loadedSlot = -1;
    return worthKeeping;
  }

  /** Forgets all values. */
  abstract void clearValues();

  /** From now on changes are noted, for snapshots. */
  final void trackChanges() {
    changes = new Changes(this, slots);
  }

  /** How entries are written. */
  abstract EntrySchema schema();

  /** Appends the entry of a slot in use as {@link Entries} says. */
  final void writeEntry(int slot, ByteWriter output) {
    output.writeByte(Entries.PUT);
    writeKey(slot, output);
    writeValue(slot, output);
  }

  /** Appends the key of a slot in use. */
  final void writeKey(int slot, ByteWriter output) {
    keySerde.write(keyAt(slot), output);
  }

  /** Appends the value of a slot in use. */
  abstract void writeValue(int slot, ByteWriter output);

  /** The slot that the purge looks at next; when its entry goes another one may come there. */
  final int purged() {
    if (purged >= slots) {
      purged = 0;
    }
    return purged;
  }

  /** The purge has done with all slots before this one. */
  final void purgedTo(int slot) {
    purged = slot;
  }

  /** Whether a slot has an entry. */
  final boolean isUsed(int slot) {
    return cells[slot * stride] != empty;
  }

  /** The first slot in use behind {@code slot}; negative when there is none. */
  final int nextUsed(int slot) {
    for (int next = slot + 1; next < slots; next++) {
      if (isUsed(next)) {
        return next;
      }
    }
    return -1;
  }

  /** Key of a slot in use. */
  @SuppressWarnings("NullAway") // the slot is in use
  final Object keyAt(int slot) {
    return keys == null ? keyKind.keyOf(cells[slot * stride]) : keys[slot];
  }

  /** Hash of a slot in use. */
  final long hashAt(int slot) {
    return cells[slot * stride];
  }

  /** Number of entries. */
  public final int size() {
    return size;
  }

  /** Reads the homes of hashes, so that the cache fetches several at a time. */
  public final void touch(long[] hashes, int from, int to) {
    long[] cells = this.cells;
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += cells[home(hashes[i]) * stride];
    }
    touched = sum;
  }

  /** Only so that what was read is used. */
  final long touched() {
    return touched;
  }
}
