package io.streamforge.backend.memory;

import io.streamforge.backend.Entries;
import io.streamforge.backend.FrozenTable;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.SnapshotHistory;
import io.streamforge.serde.ByteWriter;
import io.streamforge.specialise.Specialised;
import java.util.Arrays;

/**
 * What has changed in a table since the last snapshot, and how far the snapshot in hand has got.
 *
 * <p>Invariant: what a snapshot writes is each entry as it was when it was frozen. So an entry that
 * is {@link #FROZEN} is written before it changes or goes. And every snapshot that is confirmed,
 * applied to the one confirmed before it, gives the table as it was when it was frozen. So what an
 * abandoned one would have written is in the next.
 */
// A byte a slot, which moves with its entry. All are read at a barrier, one after the other.
@Specialised
final class Changes implements FrozenTable {
  /** Changed since the last barrier. */
  private static final byte DIRTY = 1;

  /** Part of the snapshot in hand. */
  private static final byte IN_FLIGHT = 2;

  /** Part of the snapshot in hand and not written yet. */
  private static final byte FROZEN = 4;

  /** Slots that are passed over in the time of one entry. */
  private static final int SLOTS_PER_ENTRY = 32;

  /** Removed keys that are noted however small the table is; with more it is written as a whole. */
  private static final int MIN_REMOVED = 1024;

  private final SlotTable table;
  private byte[] marks;

  /** Keys removed since the last barrier, as entries. */
  private ByteWriter removed = new ByteWriter();

  private int removedCount;

  /** Keys that were removed before the barrier. */
  private ByteWriter frozenRemoved = new ByteWriter();

  private int frozenRemovedCount;

  /** Entries of the snapshot that were about to change before the sweep had come to them. */
  private final ByteWriter captured = new ByteWriter();

  /** Slots before it have no entry that is still to be written. */
  private int sweep;

  /** Entries that are still to be written. */
  private int frozen;

  private boolean freezing;
  private boolean freezingAll;

  private boolean tooManyRemoved;

  private boolean removedWritten;
  private final SnapshotHistory history = new SnapshotHistory();

  Changes(SlotTable table, int slots) {
    this.table = table;
    this.marks = new byte[slots];
  }

  /** The entry of a slot is about to change. */
  void changing(int slot) {
    byte mark = marks[slot];
    if ((mark & FROZEN) != 0) {
      mark = capture(slot, mark);
    }
    marks[slot] = (byte) (mark | DIRTY);
  }

  private byte capture(int slot, byte mark) {
    table.writeEntry(slot, captured);
    frozen--;
    return (byte) (mark & ~FROZEN);
  }

  /** A slot has got an entry. */
  void inserted(int slot) {
    marks[slot] = DIRTY;
  }

  /** The entry of a slot is about to go. */
  void removing(int slot) {
    if ((marks[slot] & FROZEN) != 0) {
      marks[slot] = capture(slot, marks[slot]);
    }
    if (!history.saved() && !freezing) {
      return;
    }
    if (removedCount >= Math.max(MIN_REMOVED, table.size())) {
      tooManyRemoved = true;
    } else {
      removed.writeByte(Entries.REMOVED);
      table.writeKey(slot, removed);
      removedCount++;
    }
  }

  /** Entries have moved by one slot. */
  void move(int from, int to, int count) {
    System.arraycopy(marks, from, marks, to, count);
    if (to < from && from <= sweep && sweep < from + count) {
      sweep--; // the entry that it stood on has moved back
    }
  }

  void clear(int slot) {
    marks[slot] = 0;
  }

  void lengthen(int slots) {
    marks = Arrays.copyOf(marks, slots);
  }

  /** The table has so many slots now, and is about to be told where the entries are. */
  byte[] reallocate(int slots) {
    byte[] before = marks;
    marks = new byte[slots];
    sweep = 0;
    return before;
  }

  void copy(byte[] before, int from, int to) {
    marks[to] = before[from];
  }

  @Override
  public KeyedSnapshot.Extent freeze() {
    freezingAll = tooManyRemoved || history.wholeIsDue(0);
    history.begin(freezingAll);
    removedWritten = false;
    freezing = true;
    sweep = 0;
    captured.reset();
    frozen = 0;
    for (int slot = 0; slot < marks.length; slot++) {
      boolean freezes = freezingAll ? table.isUsed(slot) : (marks[slot] & DIRTY) != 0;
      marks[slot] = freezes ? (byte) (FROZEN | IN_FLIGHT) : 0;
      frozen += freezes ? 1 : 0;
    }
    ByteWriter spare = frozenRemoved;
    frozenRemoved = removed;
    frozenRemovedCount = removedCount;
    removed = spare;
    removed.reset();
    removedCount = 0;
    tooManyRemoved = false;
    if (freezingAll) {
      return KeyedSnapshot.Extent.WHOLE;
    }
    return frozen + frozenRemovedCount > 0
        ? KeyedSnapshot.Extent.CHANGES
        : KeyedSnapshot.Extent.NOTHING;
  }

  @Override
  public int write(int budget, int bytes, ByteWriter output) {
    if (!removedWritten) {
      removedWritten = true;
      writeRemoved(output);
    }
    int left = budget;
    int passed = 0;
    takeCaptured(output);
    while (frozen > 0) {
      if (left <= 0 || output.size() >= bytes) {
        return -1;
      }
      int slot = sweep++;
      if ((marks[slot] & FROZEN) != 0) {
        table.writeEntry(slot, output);
        marks[slot] &= ~FROZEN;
        frozen--;
        left--;
      } else if (++passed == SLOTS_PER_ENTRY) {
        passed = 0;
        left--;
      }
    }
    return Math.max(0, left);
  }

  private void writeRemoved(ByteWriter output) {
    if (!freezingAll) {
      output.writeBytes(frozenRemoved.buffer(), 0, frozenRemoved.size());
    }
  }

  /** A key is in a snapshot once, so it does not matter when its entry comes. */
  private void takeCaptured(ByteWriter output) {
    output.writeBytes(captured.buffer(), 0, captured.size());
    captured.reset();
  }

  @Override
  public void written(int bytes) {
    history.written(bytes);
  }

  @Override
  public void confirm() {
    settle(false);
    history.confirm();
  }

  @Override
  public void confirmAbsent() {
    settle(false);
    history.forget();
  }

  @Override
  public void abandon() {
    settle(true);
    frozenRemoved.writeBytes(removed.buffer(), 0, removed.size());
    ByteWriter spare = removed;
    removed = frozenRemoved;
    removedCount += frozenRemovedCount;
    frozenRemoved = spare;
    frozenRemoved.reset();
    tooManyRemoved |= freezingAll && history.saved();
  }

  private void settle(boolean dirty) {
    freezing = false;
    frozen = 0;
    captured.reset();
    for (int slot = 0; slot < marks.length; slot++) {
      int mark = marks[slot];
      marks[slot] = (byte) ((mark & DIRTY) | (dirty ? (mark & IN_FLIGHT) >> 1 : 0));
    }
  }

  /** The table is empty and serves another slice, of which there is no snapshot. */
  void begin() {
    Arrays.fill(marks, (byte) 0);
    removed.reset();
    removedCount = 0;
    tooManyRemoved = false;
    history.forget();
    freezing = false;
    frozen = 0;
  }
}
