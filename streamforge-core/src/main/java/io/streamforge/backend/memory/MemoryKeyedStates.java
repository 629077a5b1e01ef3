package io.streamforge.backend.memory;

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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables of one node in one task, made when they are first asked for. */
@Specialised
public final class MemoryKeyedStates implements TaskStates {
  /** Spare tables of a state: as many slices as are commonly open at a time. */
  private static final int MAX_SPARE = 2;

  private final KeyedStateBackend.Opening opening;

  private final TablesOfStates<SlotTable> tables;

  /**
   * Dropped tables of each state, emptied: the next slice uses what is in the caches of the
   * processor already and large enough, instead of new memory.
   */
  private final Map<String, ArrayDeque<SlotTable>> spare = new HashMap<>();

  /** No tables yet. */
  public MemoryKeyedStates(KeyedStateBackend.Opening opening) {
    this.opening = opening;
    this.tables = new TablesOfStates<>(opening.checkpointed());
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
    MemoryTable<V> table = (MemoryTable<V>) tables.get(state.name(), slice);
    if (table == null) {
      table = (MemoryTable<V>) spareOr(state.name(), () -> objects(state));
      restore(state, slice, table);
      tables.put(state.name(), slice, table);
    }
    return table;
  }

  private ColumnTable longs(ColumnsDescriptor state, @Nullable Window slice) {
    MemoryColumnTable table = (MemoryColumnTable) tables.get(state.name(), slice);
    if (table == null) {
      table = (MemoryColumnTable) spareOr(state.name(), () -> longs(state));
      restore(state, slice, table);
      tables.put(state.name(), slice, table);
    }
    return table;
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
    SlotTable dropped = tables.remove(state, slice);
    if (dropped == null || isFrozen(dropped)) {
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

  private boolean isFrozen(SlotTable table) {
    TablesSnapshot inHand = tables.inHand();
    return inHand != null && table.changes != null && inHand.holds(table.changes);
  }

  @Override
  public KeyedSnapshot snapshot() {
    TablesSnapshot taken = tables.begin();
    tables.forEach(
        (state, slice, table) -> {
          if (table.changes != null) {
            int size = table.size();
            taken.add(state, slice, table.schema(), size, size == 0, table.changes);
          }
        });
    return taken;
  }

  /** Number of tables of slices that exist; for tests. */
  public int sliceCount() {
    int[] count = new int[1];
    tables.forEach((state, slice, table) -> count[0] += slice == null ? 0 : 1);
    return count[0];
  }
}
