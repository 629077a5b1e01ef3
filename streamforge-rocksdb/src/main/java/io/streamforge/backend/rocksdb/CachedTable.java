package io.streamforge.backend.rocksdb;

import io.streamforge.backend.Entries;
import io.streamforge.backend.EntrySchema;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table whose entries are in the database, those that were used last also on the heap, where they
 * are changed; what tables of every kind share. Used by the task's thread only.
 *
 * <p>Invariant: an entry is what its slot says; where it has no slot, what the database says. A
 * slot may also say that there is no entry. A table that never had to make room is not in the
 * database at all.
 */
// Hot path where an entry has a slot: arrays, no boxing.
abstract class CachedTable {
  /*
   * Slots do not move while they are in use, so that the place of a value is valid beside others
   * that come and go; an open-addressing index finds them by the low bits of the hash. Room is made
   * by the clock algorithm. The two slots that were used last stay: the caller may still change
   * their values.
   */

  /** Slots before it are never in use; the index says 0 for nothing. */
  static final int FIRST_SLOT = 2;

  private static final int INITIAL_SLOTS = 32;

  /** Entries that stay however little room there is. */
  static final int MIN_ENTRIES = 4;

  /** A batch for the database is written when it has so many bytes. */
  private static final int BATCH_BYTES = 1 << 20;

  /** Places of the database that are looked at together when the table is purged. */
  private static final int PURGE_ROUND = 512;

  private static final int MIN_VALUE_BYTES = 256;

  /** The slot has a key. */
  static final byte USED = 1;

  /** There is no entry for the key. */
  static final byte ABSENT = 1 << 1;

  /** The database says something else, or nothing. */
  static final byte STALE = 1 << 2;

  /** Changed since the last barrier. */
  static final byte DIRTY = 1 << 3;

  /** Part of the snapshot in hand. */
  static final byte IN_FLIGHT = 1 << 4;

  /** Part of the snapshot in hand and not written yet. */
  static final byte FROZEN = 1 << 5;

  /** Used since the clock's hand has passed. */
  private static final byte REFERENCED = 1 << 6;

  final KeyKind<Object> keyKind;
  private final Serde<Object> keySerde;
  final RocksStates states;
  private final RocksStore store;

  private long[] hashes = new long[INITIAL_SLOTS];

  /** Null when hashes identify keys. */
  private @Nullable Object @Nullable [] keys;

  byte[] marks = new byte[INITIAL_SLOTS];
  private int[] index = new int[2 * INITIAL_SLOTS];
  private int mask = index.length - 1;

  /** Slots before it have been in use. */
  private int high = FIRST_SLOT;

  private int[] free = new int[INITIAL_SLOTS];
  private int freeCount;
  private int used;
  private int present;

  /** On the heap and in the database; more where keys were put that only the database had. */
  private long entries;

  private int hand = FIRST_SLOT;
  private int recent;
  private int beforeRecent;

  /** Bytes that were counted as taken from the heap. */
  private long accounted;

  /** Number in the database; negative: it is not there. */
  private int number = -1;

  private final ByteWriter rowKey = new ByteWriter();
  private final ByteWriter rowValue = new ByteWriter();
  private byte[] read = new byte[MIN_VALUE_BYTES];
  private final ByteReader reader = new ByteReader(read);

  private final List<MergedWalk> walks = new ArrayList<>();

  /** What snapshots need to know; null unless they are taken. */
  final @Nullable TableChanges changes;

  private int purgeHand = FIRST_SLOT;
  private int purgeDebt;
  private byte @Nullable [] purgeFrom;

  CachedTable(RocksStates states, KeyKind<Object> keyKind, boolean checkpointed) {
    this.states = states;
    this.store = states.store();
    this.keyKind = keyKind;
    this.keySerde = Serdes.delimited(keyKind.serde());
    this.keys = keyKind.hashIsKey() ? null : new Object[INITIAL_SLOTS];
    this.changes = checkpointed ? new TableChanges(this, states.directory()) : null;
  }

  /** How entries are written. */
  abstract EntrySchema schema();

  /** Makes room for the values of so many slots, which includes those that there are. */
  abstract void lengthenValues(int slots);

  /** Forgets the value of a slot; what it was may be read until the slot is used again. */
  abstract void clearValue(int slot);

  /** Sets the value of a slot to what a key begins with. */
  abstract void beginValue(int slot);

  /** Appends the value of a slot. */
  abstract void writeValue(int slot, ByteWriter output);

  /** Sets the value of a slot to what was written. */
  abstract void readValue(int slot, ByteReader input);

  /** What an entry takes of the heap, about. */
  abstract long entryBytes();

  /** The value that the caller has asked for is that of the slot. */
  final void touch(int slot) {
    marks[slot] |= REFERENCED;
    if (slot != recent) {
      beforeRecent = recent;
      recent = slot;
    }
  }

  /** The slot of the key; negative when it has none, whatever the database says. */
  private int lookup(Object key, long hash) {
    int[] index = this.index;
    for (int at = (int) hash & mask; ; at = (at + 1) & mask) {
      int slot = index[at];
      if (slot == 0) {
        return -1;
      }
      if (hashes[slot] == hash && (keys == null || isKey(slot, key))) {
        return slot;
      }
    }
  }

  @SuppressWarnings("NullAway") // the slot is in use
  private boolean isKey(int slot, Object key) {
    return keys == null || keyKind.same(keys[slot], key);
  }

  /** The slot of the key's entry; negative when there is none. */
  final int find(Object key, long hash) {
    int slot = slotOf(key, hash);
    if (slot < 0) {
      return -1;
    }
    touch(slot);
    return (marks[slot] & ABSENT) != 0 ? -1 : slot;
  }

  /** The slot of the key, read from the database if it has none; negative: there is no entry. */
  private int slotOf(Object key, long hash) {
    int slot = lookup(key, hash);
    return slot < 0 && isStored() ? load(key, hash) : slot;
  }

  private boolean isStored() {
    return number >= 0;
  }

  private int load(Object key, long hash) {
    writeRowKey(key, hash);
    int length = store.get(rowKey.buffer(), rowKey.size(), read);
    if (length > read.length) {
      read = new byte[Math.max(length, (int) Math.min(2L * read.length, 1 << 20))];
      length = store.get(rowKey.buffer(), rowKey.size(), read);
    }
    int slot = enter(key, hash);
    if (length < 0) {
      marks[slot] |= ABSENT;
    } else {
      reader.reset(read, 0, length);
      readValue(slot, reader);
      present++;
    }
    return slot;
  }

  private void writeRowKey(Object key, long hash) {
    rowKey.reset();
    rowKey.writeInt(number);
    rowKey.writeLong(hash);
    if (keys != null) {
      keySerde.write(key, rowKey);
    }
  }

  /** The slot of the key's entry, which is made when there is none, and is about to change. */
  final int findToChange(Object key, long hash) {
    int slot = slotOf(key, hash);
    return slot < 0 ? insert(key, hash) : change(slot);
  }

  /** As {@link #findToChange}, for a value that does not depend on what it was. */
  final int findToReplace(Object key, long hash) {
    int slot = lookup(key, hash);
    return slot < 0 ? insert(key, hash) : change(slot);
  }

  private int insert(Object key, long hash) {
    int slot = enter(key, hash);
    marks[slot] |= STALE | DIRTY;
    present++;
    entries++;
    beginValue(slot);
    touch(slot);
    return slot;
  }

  private int change(int slot) {
    changing(slot);
    if ((marks[slot] & ABSENT) != 0) {
      marks[slot] &= ~ABSENT;
      present++;
      entries++;
      beginValue(slot);
    }
    touch(slot);
    return slot;
  }

  /** The entry of a slot is about to change. */
  final void changing(int slot) {
    if ((marks[slot] & FROZEN) != 0) {
      capture(slot);
    }
    marks[slot] |= STALE | DIRTY;
  }

  @SuppressWarnings("NullAway") // frozen slots are those of a snapshot
  private void capture(int slot) {
    changes.capture(slot);
    marks[slot] &= ~FROZEN;
  }

  /** Removes the entry of the key; no effect when there is none. */
  public final void remove(Object key, long hash) {
    int slot = lookup(key, hash);
    if (slot < 0) {
      if (!isStored()) {
        return;
      }
      slot = enter(key, hash);
    } else {
      if ((marks[slot] & ABSENT) != 0) {
        return;
      }
      changing(slot);
      present--;
      entries--;
      clearValue(slot);
    }
    marks[slot] |= ABSENT | DIRTY;
    if (isStored()) {
      marks[slot] |= STALE;
    } else {
      marks[slot] &= ~STALE;
      if (changes == null || !changes.needRemovals()) {
        release(slot);
      }
    }
  }

  /** A new slot for the key, whose value is not set. */
  private int enter(Object key, long hash) {
    states.makeRoom();
    int slot = freeCount > 0 ? free[--freeCount] : nextSlot();
    hashes[slot] = hash;
    if (keys != null) {
      keys[slot] = key;
    }
    marks[slot] = USED | REFERENCED;
    used++;
    if (2 * used > index.length) {
      reindex(2 * index.length);
    } else {
      enterIndex(slot);
    }
    account();
    return slot;
  }

  private int nextSlot() {
    if (high == marks.length) {
      int slots = Math.multiplyExact(2, high);
      hashes = Arrays.copyOf(hashes, slots);
      if (keys != null) {
        keys = Arrays.copyOf(keys, slots);
      }
      marks = Arrays.copyOf(marks, slots);
      lengthenValues(slots);
    }
    return high++;
  }

  private void enterIndex(int slot) {
    int at = (int) hashes[slot] & mask;
    while (index[at] != 0) {
      at = (at + 1) & mask;
    }
    index[at] = slot;
  }

  private void reindex(int length) {
    index = new int[length];
    mask = length - 1;
    for (int slot = FIRST_SLOT; slot < high; slot++) {
      if ((marks[slot] & USED) != 0) {
        enterIndex(slot);
      }
    }
  }

  /** The slot is free; it has no entry, or one that is in the database. */
  private void release(int slot) {
    int gap = (int) hashes[slot] & mask;
    while (index[gap] != slot) {
      gap = (gap + 1) & mask;
    }
    for (int at = (gap + 1) & mask; index[at] != 0; at = (at + 1) & mask) {
      int home = (int) hashes[index[at]] & mask;
      if (((at - home) & mask) >= ((at - gap) & mask)) {
        index[gap] = index[at];
        gap = at;
      }
    }
    index[gap] = 0;
    if (keys != null) {
      keys[slot] = null;
    }
    if ((marks[slot] & ABSENT) == 0) {
      present--;
      clearValue(slot);
    }
    marks[slot] = 0;
    used--;
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, 2 * freeCount);
    }
    free[freeCount++] = slot;
    account();
  }

  /** What an entry takes may have changed. */
  final void account() {
    long now = used * entryBytes();
    states.account(now - accounted);
    accounted = now;
  }

  /** What it takes of the heap, about. */
  final long heapBytes() {
    return accounted;
  }

  /**
   * Gives up to so many slots back, but for the last few.
   *
   * @return how many
   */
  final int evict(int atMost) {
    BatchBytes batch = states.batch();
    batch.clear();
    int evicted = 0;
    // Twice round: the first takes the marks off.
    for (int looks = 2 * high; looks > 0 && evicted < atMost && used > MIN_ENTRIES; looks--) {
      int slot = hand;
      hand = hand + 1 < high ? hand + 1 : FIRST_SLOT;
      byte mark = marks[slot];
      if ((mark & USED) == 0 || slot == recent || slot == beforeRecent) {
        continue;
      }
      if ((mark & REFERENCED) != 0) {
        marks[slot] = (byte) (mark & ~REFERENCED);
        continue;
      }
      evictSlot(slot, batch);
      evicted++;
      if (batch.size() >= BATCH_BYTES) {
        store.write(batch);
        batch.clear();
      }
    }
    if (batch.count() > 0) {
      store.write(batch);
    }
    return evicted;
  }

  private void evictSlot(int slot, BatchBytes batch) {
    if ((marks[slot] & FROZEN) != 0) {
      capture(slot);
    }
    if (changes != null && (marks[slot] & (DIRTY | IN_FLIGHT)) != 0) {
      changes.evicted(slot);
    }
    if ((marks[slot] & STALE) != 0) {
      if (!isStored()) {
        number = store.newTable();
      }
      writeRowKey(keyAt(slot), hashes[slot]);
      if ((marks[slot] & ABSENT) != 0) {
        batch.remove(rowKey);
      } else {
        rowValue.reset();
        writeValue(slot, rowValue);
        batch.put(rowKey, rowValue);
      }
    }
    release(slot);
  }

  /** Slots before it may be in use. */
  final int high() {
    return high;
  }

  /** Gives slots back that only say what the database says as well: that there is no entry. */
  final void releaseAbsent() {
    for (int slot = FIRST_SLOT; slot < high; slot++) {
      if ((marks[slot] & (USED | ABSENT | STALE | DIRTY)) == (USED | ABSENT)) {
        release(slot);
      }
    }
  }

  /** How many entries there are, about. */
  final long entries() {
    return entries;
  }

  /** Whether there may be entries. */
  final boolean mayHaveEntries() {
    return present > 0 || isStored();
  }

  /** A walk over what the database has now; null when the table is not in it. */
  final RocksStore.@Nullable Walk storedWalk() {
    return isStored() ? store.walk(number, null) : null;
  }

  /** Appends the entry of a slot, or that there is none. */
  final void writeEntry(int slot, ByteWriter output) {
    boolean absent = (marks[slot] & ABSENT) != 0;
    output.writeByte(absent ? Entries.REMOVED : Entries.PUT);
    keySerde.write(keyAt(slot), output);
    if (!absent) {
      writeValue(slot, output);
    }
  }

  /** Appends the entry that the walk stands on. */
  final void writeEntry(RocksStore.Walk walk, ByteWriter output) {
    byte[] row = walk.key();
    output.writeByte(Entries.PUT);
    if (keys == null) {
      keySerde.write(keyKind.keyOf(hashOf(row)), output);
    } else {
      int before = RocksStore.PREFIX_BYTES + Long.BYTES;
      output.writeBytes(row, before, row.length - before);
    }
    output.writeBytes(walk.value());
  }

  @SuppressWarnings("NullAway") // the slot is in use
  private Object keyAt(int slot) {
    return keys == null ? keyKind.keyOf(hashes[slot]) : keys[slot];
  }

  private static long hashOf(byte[] row) {
    return new ByteReader(row, RocksStore.PREFIX_BYTES, Long.BYTES).readLong();
  }

  private Object keyOf(byte[] row, long hash) {
    if (keys == null) {
      return keyKind.keyOf(hash);
    }
    int before = RocksStore.PREFIX_BYTES + Long.BYTES;
    return keySerde.read(new ByteReader(row, before, row.length - before));
  }

  /** Number of entries; walks over all of them. */
  public final int size() {
    int count = 0;
    try (MergedWalk walk = new MergedWalk()) {
      while (walk.next()) {
        count++;
      }
    }
    return count;
  }

  /** Nothing is fetched ahead. */
  public final void touch(long[] hashes, int from, int to) {}

  /** Looks at the value of a slot. */
  interface SlotTest {
    boolean expired(int slot);
  }

  /** Looks at a value that has no slot. */
  interface StoredTest {
    boolean expired(ByteReader value);
  }

  /** As {@link io.streamforge.state.KeyedTable#purge}. */
  final void purge(int places, SlotTest cached, StoredTest stored) {
    for (int i = 0; i < places; i++) {
      purgeHand = purgeHand < high ? purgeHand : FIRST_SLOT;
      int slot = purgeHand++;
      if (slot < high && (marks[slot] & (USED | ABSENT)) == USED && cached.expired(slot)) {
        remove(keyAt(slot), hashes[slot]);
      }
    }
    purgeDebt += places;
    if (purgeDebt >= PURGE_ROUND) {
      purgeDebt = 0;
      if (isStored()) {
        purgeStored(stored);
      }
    }
  }

  /** Nothing is removed before the walk has ended: that may let newer entries leave the heap. */
  private void purgeStored(StoredTest stored) {
    List<Object> expired = new ArrayList<>();
    try (RocksStore.Walk walk = store.walk(number, purgeFrom)) {
      purgeFrom = null;
      boolean more = walk.next();
      for (int i = 0; more && i < PURGE_ROUND; i++) {
        long hash = hashOf(walk.key());
        Object key = keyOf(walk.key(), hash);
        if (lookup(key, hash) < 0 && stored.expired(new ByteReader(walk.value()))) {
          expired.add(key);
        }
        more = walk.next();
      }
      if (more) {
        purgeFrom = walk.key();
      }
    }
    for (Object key : expired) {
      remove(key, keyKind.hash(key));
    }
  }

  /** The table is not used any more. */
  final void drop() {
    List.copyOf(walks).forEach(MergedWalk::close);
    states.account(-accounted);
    accounted = 0;
    if (isStored()) {
      store.dropTable(number);
    }
  }

  /**
   * A walk over all entries in the order of their hashes, those of the database and those that have
   * slots. What the caller changes meanwhile is of entries that the walk stands on.
   */
  class MergedWalk implements AutoCloseable {
    /*
     * The keys that had slots in the beginning are noted, so it does not matter when slots are
     * given back meanwhile. The database is read as it was then.
     */
    private final long[] sorted;
    private final @Nullable Object @Nullable [] sortedKeys;
    private int next;
    private final RocksStore.@Nullable Walk stored;
    private boolean storedIsThere;
    private long storedHash;
    private @Nullable Object storedKey;
    private @Nullable Object key;
    private long hash;
    private boolean standsOnStored;

    MergedWalk() {
      sorted = new long[used];
      int count = 0;
      for (int slot = FIRST_SLOT; slot < high; slot++) {
        if ((marks[slot] & USED) != 0) {
          sorted[count++] = hashes[slot] ^ Long.MIN_VALUE;
        }
      }
      Arrays.sort(sorted); // as signed numbers now what hashes are as unsigned ones
      sortedKeys = keys == null ? null : new Object[sorted.length];
      for (int i = 0; i < sorted.length; ) {
        i = noteKeys(i);
      }
      stored = storedWalk();
      walks.add(this);
      fetchStored();
    }

    /** Notes the keys with the hash at {@code from}; where the next hash begins. */
    private int noteKeys(int from) {
      if (sortedKeys == null || keys == null) {
        return sorted.length;
      }
      long wanted = sorted[from] ^ Long.MIN_VALUE;
      int to = from;
      for (int at = (int) wanted & mask; index[at] != 0; at = (at + 1) & mask) {
        if (hashes[index[at]] == wanted) {
          sortedKeys[to++] = keys[index[at]];
        }
      }
      return to;
    }

    private void fetchStored() {
      storedIsThere = false;
      while (stored != null && !storedIsThere && stored.next()) {
        storedHash = hashOf(stored.key());
        storedKey = keyOf(stored.key(), storedHash);
        storedIsThere = !isNoted(storedKey, storedHash);
      }
    }

    @SuppressWarnings("NullAway") // a noted key
    private boolean isNoted(Object storedKey, long storedHash) {
      long wanted = storedHash ^ Long.MIN_VALUE;
      int at = Arrays.binarySearch(sorted, wanted);
      if (at < 0 || sortedKeys == null) {
        return at >= 0;
      }
      while (at > 0 && sorted[at - 1] == wanted) {
        at--;
      }
      for (; at < sorted.length && sorted[at] == wanted; at++) {
        if (keyKind.same(sortedKeys[at], storedKey)) {
          return true;
        }
      }
      return false;
    }

    /** Goes to the next entry; false when there is none. */
    public final boolean next() {
      if (standsOnStored) {
        standsOnStored = false;
        fetchStored();
      }
      while (next < sorted.length
          && (!storedIsThere || sorted[next] <= (storedHash ^ Long.MIN_VALUE))) {
        hash = sorted[next] ^ Long.MIN_VALUE;
        key = sortedKeys == null ? keyKind.keyOf(hash) : sortedKeys[next];
        next++;
        if (find(key(), hash) >= 0) {
          return true;
        }
      }
      if (storedIsThere) {
        key = storedKey;
        hash = storedHash;
        standsOnStored = true;
        return true;
      }
      close();
      return false;
    }

    /** Key of the entry. */
    public final Object key() {
      Object there = key;
      if (there == null) {
        throw new IllegalStateException("the walk does not stand on an entry");
      }
      return there;
    }

    /** Hash of its key. */
    public final long hash() {
      return hash;
    }

    /** The bytes of the entry's value as they are in the database; null: the entry has a slot. */
    final byte @Nullable [] storedValue() {
      return standsOnStored && stored != null && lookup(key(), hash) < 0 ? stored.value() : null;
    }

    @Override
    public final void close() {
      if (stored != null) {
        stored.close();
      }
      storedIsThere = false;
      next = sorted.length;
      walks.remove(this);
    }
  }
}
