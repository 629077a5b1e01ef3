package io.streamforge.backend.memory;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.window.Window;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The tables of one node in one task, made when they are first asked for. */
@Specialised
public final class MemoryKeyedStates implements KeyedStates {
  private record Slice(String state, Window window) {}

  /** Spare tables of a state: as many slices as are commonly open at a time. */
  private static final int MAX_SPARE = 2;

  private final KeyKind<Object> keyKind;
  private final int firstGroup;
  private final int endGroup;
  private final int groups;
  private final Map<String, SlotTable> tables = new HashMap<>();
  private final Map<Slice, SlotTable> slices = new HashMap<>();

  /**
   * Dropped tables of each state, emptied: the next slice uses what is in the caches of the
   * processor already and large enough, instead of new memory.
   */
  private final Map<String, ArrayDeque<SlotTable>> spare = new HashMap<>();

  /** No tables yet, for keys of the groups {@code firstGroup} to {@code endGroup} − 1. */
  public MemoryKeyedStates(KeyKind<Object> keyKind, int firstGroup, int endGroup, int groups) {
    this.keyKind = keyKind;
    this.firstGroup = firstGroup;
    this.endGroup = endGroup;
    this.groups = groups;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> KeyedTable<V> table(String state) {
    return (KeyedTable<V>) tables.computeIfAbsent(state, s -> objects());
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> KeyedTable<V> table(String state, Window slice) {
    return (KeyedTable<V>)
        slices.computeIfAbsent(new Slice(state, slice), s -> spareOr(state, this::objects));
  }

  @Override
  public ColumnTable columns(String state, int columns) {
    return (ColumnTable) tables.computeIfAbsent(state, s -> longs(columns));
  }

  @Override
  public ColumnTable columns(String state, int columns, Window slice) {
    return (ColumnTable)
        slices.computeIfAbsent(new Slice(state, slice), s -> spareOr(state, () -> longs(columns)));
  }

  private SlotTable spareOr(String state, Supplier<SlotTable> newTable) {
    ArrayDeque<SlotTable> tables = spare.get(state);
    SlotTable table = tables == null ? null : tables.poll();
    return table == null ? newTable.get() : table;
  }

  private SlotTable objects() {
    return new MemoryTable<>(keyKind, firstGroup, endGroup, groups);
  }

  private SlotTable longs(int columns) {
    return new MemoryColumnTable(keyKind, firstGroup, endGroup, groups, columns);
  }

  @Override
  public void drop(String state, Window slice) {
    SlotTable dropped = slices.remove(new Slice(state, slice));
    if (dropped != null) {
      ArrayDeque<SlotTable> tables = spare.computeIfAbsent(state, s -> new ArrayDeque<>());
      if (tables.size() < MAX_SPARE && dropped.clear()) {
        tables.push(dropped);
      }
    }
  }

  /** Number of tables of slices that exist; for tests. */
  public int sliceCount() {
    return slices.size();
  }
}
