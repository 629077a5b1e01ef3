package io.streamforge.backend.memory;

import io.streamforge.backend.EntryReader;
import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.StoredState;
import io.streamforge.backend.TaskStates;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.window.Window;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables of one node in one task, made when they are first asked for. */
@Specialised
public final class MemoryKeyedStates implements TaskStates {
  /** Spare tables of a state: as many slices as are commonly open at a time. */
  private static final int MAX_SPARE = 2;

  private final KeyedStateBackend.Opening opening;
  private final Map<String, SlotTable> tables = new TreeMap<>();
  private final Map<String, TreeMap<Window, SlotTable>> slices = new TreeMap<>();

  /**
   * Dropped tables of each state, emptied: the next slice uses what is in the caches of the
   * processor already and large enough, instead of new memory.
   */
  private final Map<String, ArrayDeque<SlotTable>> spare = new HashMap<>();

  private @Nullable MemorySnapshot snapshot;

  /** No tables yet. */
  public MemoryKeyedStates(KeyedStateBackend.Opening opening) {
    this.opening = opening;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> KeyedTable<V> table(StateDescriptor<V> state) {
    SlotTable known = tables.get(state.name());
    if (known == null) {
      known = restored(state, null, objects(state));
      tables.put(state.name(), known);
    }
    return (KeyedTable<V>) known;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> KeyedTable<V> table(StateDescriptor<V> state, Window slice) {
    TreeMap<Window, SlotTable> ofState = slicesOf(state.name());
    SlotTable known = ofState.get(slice);
    if (known == null) {
      known = restored(state, slice, (MemoryTable<V>) spareOr(state.name(), () -> objects(state)));
      ofState.put(slice, known);
    }
    return (KeyedTable<V>) known;
  }

  @Override
  public ColumnTable columns(ColumnsDescriptor state) {
    SlotTable known = tables.get(state.name());
    if (known == null) {
      known = restored(state, null, longs(state));
      tables.put(state.name(), known);
    }
    return (ColumnTable) known;
  }

  @Override
  public ColumnTable columns(ColumnsDescriptor state, Window slice) {
    TreeMap<Window, SlotTable> ofState = slicesOf(state.name());
    SlotTable known = ofState.get(slice);
    if (known == null) {
      known = restored(state, slice, (MemoryColumnTable) spareOr(state.name(), () -> longs(state)));
      ofState.put(slice, known);
    }
    return (ColumnTable) known;
  }

  private TreeMap<Window, SlotTable> slicesOf(String state) {
    return slices.computeIfAbsent(state, s -> new TreeMap<>());
  }

  private SlotTable spareOr(String state, Supplier<SlotTable> newTable) {
    ArrayDeque<SlotTable> tables = spare.get(state);
    SlotTable table = tables == null ? null : tables.poll();
    return table == null ? newTable.get() : table;
  }

  private <V> MemoryTable<V> objects(StateDescriptor<V> state) {
    Inferred form = state.form();
    if (form instanceof Inferred.Missing missing && opening.checkpointed()) {
      throw noSerde(state.name(), missing);
    }
    @SuppressWarnings("unchecked")
    Serde<V> serde = form instanceof Inferred.Found found ? (Serde<V>) found.serde() : null;
    return tracked(
        form == null,
        new MemoryTable<>(
            opening.keyKind(), opening.firstGroup(), opening.endGroup(), opening.groups(), serde));
  }

  private StreamForgeException noSerde(String state, Inferred.Missing missing) {
    return new StreamForgeException(
        ErrorCode.SERDE_FAILED,
        ErrorContext.node(opening.node()),
        "state '"
            + state
            + "' of node '"
            + opening.node()
            + "' cannot be part of checkpoints: "
            + missing.reason(),
        "Say how it is written: docs/serdes.md lists the ways; or run without checkpoints.",
        null);
  }

  private MemoryColumnTable longs(ColumnsDescriptor state) {
    return tracked(
        state.derived(),
        new MemoryColumnTable(
            opening.keyKind(),
            opening.firstGroup(),
            opening.endGroup(),
            opening.groups(),
            state.columns(),
            state.form()));
  }

  private <T extends SlotTable> T tracked(boolean derived, T table) {
    if (opening.checkpointed() && !derived) {
      table.trackChanges();
    }
    return table;
  }

  private <V> SlotTable restored(
      StateDescriptor<V> state, @Nullable Window slice, MemoryTable<V> table) {
    StoredState stored = stored(state.form() == null, state.name(), slice);
    if (stored != null && state.form() instanceof Inferred.Missing missing) {
      throw noSerde(state.name(), missing);
    }
    if (stored != null && state.form() instanceof Inferred.Found found) {
      EntryReader reader = new EntryReader(opening, state.name(), stored);
      @SuppressWarnings("unchecked")
      Serde<V> serde = (Serde<V>) found.serde();
      reader.apply(table.restoring(reader.values(serde)));
    }
    return table;
  }

  private SlotTable restored(
      ColumnsDescriptor state, @Nullable Window slice, MemoryColumnTable table) {
    StoredState stored = stored(state.derived(), state.name(), slice);
    if (stored != null) {
      EntryReader reader = new EntryReader(opening, state.name(), stored);
      reader.checkColumns(state.columns(), state.form());
      reader.apply(table);
    }
    return table;
  }

  private @Nullable StoredState stored(boolean derived, String state, @Nullable Window slice) {
    return derived ? null : opening.restored().take(state, slice);
  }

  @Override
  public void drop(String state, Window slice) {
    SlotTable dropped = slicesOf(state).remove(slice);
    if (dropped == null || (snapshot != null && snapshot.holds(dropped))) {
      return;
    }
    ArrayDeque<SlotTable> tables = spare.computeIfAbsent(state, s -> new ArrayDeque<>());
    if (tables.size() < MAX_SPARE && dropped.clear()) {
      tables.push(dropped);
    }
  }

  @Override
  public List<Window> restoredSlices(String state) {
    return opening.restored().slices(state);
  }

  @Override
  public KeyedSnapshot snapshot() {
    if (!opening.checkpointed()) {
      throw new IllegalStateException("the states were not opened as checkpointed");
    }
    if (snapshot != null) {
      throw new IllegalStateException("the last snapshot is still in hand");
    }
    MemorySnapshot taken = new MemorySnapshot(() -> snapshot = null);
    tables.forEach((state, table) -> taken.add(state, null, table));
    slices.forEach(
        (state, ofState) -> ofState.forEach((slice, table) -> taken.add(state, slice, table)));
    snapshot = taken;
    return taken;
  }

  /** Number of tables of slices that exist; for tests. */
  public int sliceCount() {
    return slices.values().stream().mapToInt(Map::size).sum();
  }
}
