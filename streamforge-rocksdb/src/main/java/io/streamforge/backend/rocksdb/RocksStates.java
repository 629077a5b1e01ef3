package io.streamforge.backend.rocksdb;

import io.streamforge.backend.EntryReader;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.StoredState;
import io.streamforge.backend.TablesOfStates;
import io.streamforge.backend.TablesSnapshot;
import io.streamforge.backend.TaskStates;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.window.Window;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one node in one task, made when they are first asked for, which share the heap that
 * the node may use. State that can be made again from other state stays in memory.
 */
final class RocksStates implements TaskStates {
  /** Entries that leave the heap in one step at most. */
  private static final int MAX_EVICTED = 1024;

  /** So much of the heap's share is freed when it is full: a sixteenth. */
  private static final int FREED_SHARE = 16;

  private final RocksStore store;
  private final Path directory;
  private final LongSupplier heapShare;
  private final KeyedStateBackend.Opening opening;
  private final TaskStates derived;
  private final BatchBytes batch = new BatchBytes();

  private final TablesOfStates<CachedTable> tables;
  private long heapBytes;

  /**
   * No tables yet.
   *
   * @param directory for files of its own
   * @param heapShare bytes of the heap that it may use, about
   * @param derived for state that is made again from other state
   */
  RocksStates(
      RocksStore store,
      Path directory,
      LongSupplier heapShare,
      KeyedStateBackend.Opening opening,
      TaskStates derived) {
    this.store = store;
    this.directory = directory;
    this.heapShare = heapShare;
    this.opening = opening;
    this.tables = new TablesOfStates<>(opening.checkpointed());
    this.derived = derived;
  }

  RocksStore store() {
    return store;
  }

  Path directory() {
    return directory;
  }

  /** For one step of its tables. */
  BatchBytes batch() {
    return batch;
  }

  /** The tables take so much more of the heap. */
  void account(long bytes) {
    heapBytes += bytes;
  }

  /** Lets entries leave the heap if it is full. */
  void makeRoom() {
    long share = heapShare.getAsLong();
    if (heapBytes <= share) {
      return;
    }
    CachedTable largest = largest();
    if (largest != null) {
      long over = heapBytes - share + share / FREED_SHARE;
      largest.evict((int) Math.min(MAX_EVICTED, 1 + over / largest.entryBytes()));
    }
  }

  private @Nullable CachedTable largest() {
    @Nullable CachedTable[] largest = new CachedTable[1];
    tables.forEach(
        (state, slice, table) -> {
          if (largest[0] == null || table.heapBytes() > largest[0].heapBytes()) {
            largest[0] = table;
          }
        });
    return largest[0];
  }

  @Override
  public <V> KeyedTable<V> table(StateDescriptor<V> state) {
    return state.form() == null ? derived.table(state) : objects(state, null);
  }

  @Override
  public <V> KeyedTable<V> table(StateDescriptor<V> state, Window slice) {
    return state.form() == null ? derived.table(state, slice) : objects(state, slice);
  }

  @Override
  public ColumnTable columns(ColumnsDescriptor state) {
    return state.derived() ? derived.columns(state) : longs(state, null);
  }

  @Override
  public ColumnTable columns(ColumnsDescriptor state, Window slice) {
    return state.derived() ? derived.columns(state, slice) : longs(state, slice);
  }

  @SuppressWarnings("unchecked") // a state has tables of one kind
  private <V> KeyedTable<V> objects(StateDescriptor<V> state, @Nullable Window slice) {
    RocksObjectTable<V> table = (RocksObjectTable<V>) tables.get(state.name(), slice);
    if (table == null) {
      Serde<V> serde = serde(state);
      table = new RocksObjectTable<>(this, opening.keyKind(), opening.checkpointed(), serde);
      tables.put(state.name(), slice, table);
      StoredState stored = opening.restored().take(state.name(), slice);
      if (stored != null) {
        new EntryReader(opening, state.name(), stored).fill(state, serde, table);
      }
    }
    return table;
  }

  private ColumnTable longs(ColumnsDescriptor state, @Nullable Window slice) {
    RocksColumnTable table = (RocksColumnTable) tables.get(state.name(), slice);
    if (table == null) {
      table =
          new RocksColumnTable(
              this, opening.keyKind(), opening.checkpointed(), state.columns(), state.form());
      tables.put(state.name(), slice, table);
      StoredState stored = opening.restored().take(state.name(), slice);
      if (stored != null) {
        new EntryReader(opening, state.name(), stored).fill(state, table);
      }
    }
    return table;
  }

  @SuppressWarnings("unchecked") // the form is that of the state's values
  private <V> Serde<V> serde(StateDescriptor<V> state) {
    if (state.form() instanceof Inferred.Found found) {
      return (Serde<V>) found.serde();
    }
    String reason =
        state.form() instanceof Inferred.Missing missing ? missing.reason() : "it has no form";
    throw new StreamForgeException(
        ErrorCode.SERDE_FAILED,
        ErrorContext.node(opening.node()),
        "state '"
            + state.name()
            + "' of node '"
            + opening.node()
            + "' cannot be kept in RocksDB: "
            + reason,
        "Say how it is written: docs/serdes.md lists the ways; or keep the state of this node in"
            + " memory.",
        null);
  }

  @Override
  public void drop(String state, Window slice) {
    CachedTable dropped = tables.remove(state, slice);
    if (dropped == null) {
      derived.drop(state, slice);
      return;
    }
    dropped.drop();
    TableChanges changes = dropped.changes;
    if (changes != null) {
      changes.drop();
    }
  }

  @Override
  public List<Window> restoredSlices(String state) {
    return opening.restored().slices(state);
  }

  @Override
  public KeyedSnapshot snapshot() {
    TablesSnapshot taken = tables.begin();
    tables.forEach(
        (state, slice, table) -> {
          if (table.changes != null) {
            taken.add(
                state,
                slice,
                table.schema(),
                table.entries(),
                !table.mayHaveEntries(),
                table.changes);
          }
        });
    return taken;
  }
}
