package io.streamforge.backend.rocksdb;

import io.streamforge.backend.FrozenTable;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.SnapshotHistory;
import io.streamforge.serde.ByteWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What has changed in a table since the last snapshot, and how far the snapshot in hand has got.
 *
 * <p>Invariant: as for the table in memory, each confirmed snapshot, applied to the one before it,
 * gives the table as it was at the barrier; what an abandoned one would have written is in the
 * next. A snapshot is first what was not on the heap at the barrier (all of the database, or the
 * log of what was changed and then left the heap), then the entries that were frozen on the heap,
 * which are newer. So a frozen entry that is about to change is written apart and waits for its
 * turn.
 */
final class TableChanges implements FrozenTable {
  /** Changes that left the heap are logged up to half of a whole snapshot, but so much at least. */
  private static final long MIN_LOGGED_BYTES = 1 << 20;

  private final CachedTable table;
  private final Path directory;
  private final ByteWriter entry = new ByteWriter();

  /** Entries that left the heap since the barrier, and had changed. */
  private EntryLog log;

  /** The same of the snapshot in hand, which is one of changes. */
  private @Nullable EntryLog frozenLog;

  /** The database at the barrier, in a whole snapshot. */
  private RocksStore.@Nullable Walk walk;

  /** Entries of the snapshot that were about to change or to leave before their turn. */
  private final ByteWriter captured = new ByteWriter();

  private boolean freezing;
  private boolean whole;
  private int logged;
  private boolean heapsTurn;
  private int sweep;
  private int sweepEnd;
  private int frozen;

  private boolean dropped;

  /** The log has been given up. */
  private boolean wholeNext;

  private final SnapshotHistory history = new SnapshotHistory();

  TableChanges(CachedTable table, Path directory) {
    this.table = table;
    this.directory = directory;
    this.log = new EntryLog(directory);
  }

  /** Whether a snapshot has to say that a key is gone. */
  boolean needRemovals() {
    return history.saved() || freezing;
  }

  /** A frozen entry is about to change or to leave. */
  void capture(int slot) {
    table.writeEntry(slot, captured);
    frozen--;
  }

  /** An entry leaves the heap that has changed, or is part of a snapshot that may be abandoned. */
  void evicted(int slot) {
    if (wholeNext || !needRemovals()) {
      return;
    }
    entry.reset();
    table.writeEntry(slot, entry);
    log.append(entry);
    if (history.saved() && log.bytes() > Math.max(MIN_LOGGED_BYTES, history.mostChangesBytes())) {
      wholeNext = true;
      log.close();
      log = new EntryLog(directory);
    }
  }

  @Override
  public KeyedSnapshot.Extent freeze() {
    whole = wholeNext || history.wholeIsDue(log.bytes());
    history.begin(whole);
    freezing = true;
    heapsTurn = false;
    logged = 0;
    sweep = CachedTable.FIRST_SLOT;
    sweepEnd = table.high();
    frozen = 0;
    captured.reset();
    byte[] marks = table.marks;
    byte wanted = whole ? CachedTable.STALE : CachedTable.DIRTY;
    for (int slot = sweep; slot < sweepEnd; slot++) {
      boolean freezes = (marks[slot] & CachedTable.USED) != 0 && (marks[slot] & wanted) != 0;
      marks[slot] &= ~(CachedTable.DIRTY | CachedTable.IN_FLIGHT | CachedTable.FROZEN);
      if (freezes) {
        marks[slot] |= CachedTable.FROZEN | CachedTable.IN_FLIGHT;
        frozen++;
      }
    }
    if (whole) {
      log.close();
      walk = table.storedWalk();
    } else {
      frozenLog = log;
    }
    boolean nothing = !whole && frozen == 0 && log.bytes() == 0;
    log = new EntryLog(directory);
    wholeNext = false;
    return whole
        ? KeyedSnapshot.Extent.WHOLE
        : nothing ? KeyedSnapshot.Extent.NOTHING : KeyedSnapshot.Extent.CHANGES;
  }

  @Override
  public int write(int budget, int bytes, ByteWriter output) {
    int left = budget;
    while (!heapsTurn) {
      if (left <= 0 || output.size() >= bytes) {
        return -1;
      }
      left -= writeStored(output);
    }
    if (captured.size() > 0) {
      output.writeBytes(captured.buffer(), 0, captured.size());
      captured.reset();
    }
    byte[] marks = table.marks;
    while (frozen > 0) {
      if (left <= 0 || output.size() >= bytes) {
        return -1;
      }
      int slot = sweep++;
      if ((marks[slot] & CachedTable.FROZEN) != 0) {
        table.writeEntry(slot, output);
        marks[slot] &= ~CachedTable.FROZEN;
        frozen--;
        left--;
      }
    }
    return Math.max(0, left);
  }

  /** Writes one entry of the database, or one chunk of the log; what that takes of the budget. */
  private int writeStored(ByteWriter output) {
    RocksStore.Walk stored = walk;
    if (stored != null) {
      if (stored.next()) {
        table.writeEntry(stored, output);
        return 1;
      }
      closeWalk();
    }
    EntryLog of = frozenLog;
    if (of != null && logged < of.chunks()) {
      byte[] chunk = of.chunk(logged++);
      output.writeBytes(chunk);
      return 1 + chunk.length / EntryLog.TYPICAL_ENTRY_BYTES;
    }
    heapsTurn = true;
    return 0;
  }

  @Override
  public void written(int bytes) {
    history.written(bytes);
  }

  @Override
  public void confirm() {
    history.confirm();
    closeFrozenLog();
    settle(false);
  }

  @Override
  public void confirmAbsent() {
    closeFrozenLog();
    settle(false);
    history.forget();
  }

  @Override
  public void abandon() {
    EntryLog of = frozenLog;
    if (of != null) {
      log = of.followedBy(log);
    }
    wholeNext |= whole && history.saved();
    settle(true);
  }

  /** The table goes; a snapshot in hand goes on with what it has of it. */
  void drop() {
    dropped = true;
    if (!freezing) {
      log.close();
    }
  }

  private void closeFrozenLog() {
    EntryLog of = frozenLog;
    if (of != null) {
      of.close();
    }
  }

  private void settle(boolean dirty) {
    freezing = false;
    frozen = 0;
    captured.reset();
    closeWalk();
    frozenLog = null;
    if (dropped) {
      log.close();
      return;
    }
    byte[] marks = table.marks;
    for (int slot = CachedTable.FIRST_SLOT; slot < table.high(); slot++) {
      byte mark = marks[slot];
      boolean wasIn = (mark & CachedTable.IN_FLIGHT) != 0;
      mark &= ~(CachedTable.IN_FLIGHT | CachedTable.FROZEN);
      marks[slot] = dirty && wasIn ? (byte) (mark | CachedTable.DIRTY) : mark;
    }
    table.releaseAbsent();
  }

  private void closeWalk() {
    RocksStore.Walk of = walk;
    walk = null;
    if (of != null) {
      of.close();
    }
  }
}
