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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables of one node in one task, made when they are first asked for. */
@Specialised
public final class MemoryKeyedStates implements TaskStates {
  /** Spare tables of a state: as many slices as are commonly open at a time. */
  private static final int MAX_SPARE = 2;

  private final KeyedStateBackend.Opening opening;

  /** By state and slice; null stands for the table of a state without slices. */
  private final Map<String, TreeMap<@Nullable Window, SlotTable>> tables = new TreeMap<>();

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
  public <V> KeyedTable<V> table(StateDescriptor<V> state) {
    return objects(state, null);
  }

  @Override
  public <V> KeyedTable<V> table(StateDescriptor<V> state, Window slice) {
    return objects(state, slice);
  }

  @Override
  public ColumnTable columns(ColumnsDescriptor state) {
    return longs(state, null);
  }

  @Override
  public ColumnTable columns(ColumnsDescriptor state, Window slice) {
    return longs(state, slice);
  }

  @SuppressWarnings("unchecked") // a state has tables of one kind
  private <V> KeyedTable<V> objects(StateDescriptor<V> state, @Nullable Window slice) {
    TreeMap<@Nullable Window, SlotTable> ofState = tablesOf(state.name());
    MemoryTable<V> table = (MemoryTable<V>) ofState.get(slice);
    if (table == null) {
      table = (MemoryTable<V>) spareOr(state.name(), () -> objects(state));
      restore(state, slice, table);
      ofState.put(slice, table);
    }
    return table;
  }

  private ColumnTable longs(ColumnsDescriptor state, @Nullable Window slice) {
    TreeMap<@Nullable Window, SlotTable> ofState = tablesOf(state.name());
    MemoryColumnTable table = (MemoryColumnTable) ofState.get(slice);
    if (table == null) {
      table = (MemoryColumnTable) spareOr(state.name(), () -> longs(state));
      restore(state, slice, table);
      ofState.put(slice, table);
    }
    return table;
  }

  private TreeMap<@Nullable Window, SlotTable> tablesOf(String state) {
    return tables.computeIfAbsent(
        state, s -> new TreeMap<>(Comparator.nullsFirst(Comparator.naturalOrder())));
  }

  private SlotTable spareOr(String state, Supplier<SlotTable> newTable) {
    ArrayDeque<SlotTable> ofState = spare.get(state);
    SlotTable table = ofState == null ? null : ofState.poll();
    return table == null ? newTable.get() : table;
  }

  private <V> MemoryTable<V> objects(StateDescriptor<V> state) {
    Inferred form = state.form();
    if (form instanceof Inferred.Missing missing && opening.checkpointed()) {
      throw noSerde(state.name(), missing);
    }
    return tracked(
        form == null,
        new MemoryTable<>(
            opening.keyKind(),
            opening.firstGroup(),
            opening.endGroup(),
            opening.groups(),
            serde(state)));
  }

  @SuppressWarnings("unchecked") // the form is that of the state's values
  private static <V> @Nullable Serde<V> serde(StateDescriptor<V> state) {
    return state.form() instanceof Inferred.Found found ? (Serde<V>) found.serde() : null;
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

  private <V> void restore(StateDescriptor<V> state, @Nullable Window slice, MemoryTable<V> table) {
    StoredState stored = stored(state.form() == null, state.name(), slice);
    if (stored == null) {
      return;
    }
    if (state.form() instanceof Inferred.Missing missing) {
      throw noSerde(state.name(), missing);
    }
    Serde<V> serde = serde(state);
    if (serde != null) {
      new EntryReader(opening, state.name(), stored).fill(state, serde, table);
    }
  }

  private void restore(ColumnsDescriptor state, @Nullable Window slice, MemoryColumnTable table) {
    StoredState stored = stored(state.derived(), state.name(), slice);
    if (stored != null) {
      new EntryReader(opening, state.name(), stored).fill(state, table);
    }
  }

  private @Nullable StoredState stored(boolean derived, String state, @Nullable Window slice) {
    return derived ? null : opening.restored().take(state, slice);
  }

  @Override
  public void drop(String state, Window slice) {
    SlotTable dropped = tablesOf(state).remove(slice);
    if (dropped == null || (snapshot != null && snapshot.holds(dropped))) {
      return;
    }
    ArrayDeque<SlotTable> ofState = spare.computeIfAbsent(state, s -> new ArrayDeque<>());
    if (ofState.size() < MAX_SPARE && dropped.clear()) {
      ofState.push(dropped);
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
    tables.forEach(
        (state, ofState) -> ofState.forEach((slice, table) -> taken.add(state, slice, table)));
    snapshot = taken;
    return taken;
  }

  /** Number of tables of slices that exist; for tests. */
  public int sliceCount() {
    return (int)
        tables.values().stream()
            .flatMap(ofState -> ofState.keySet().stream())
            .filter(Objects::nonNull)
            .count();
  }
}
