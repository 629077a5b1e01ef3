package io.streamforge.backend.memory;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.KeyedStates;
import io.streamforge.state.KeyedTable;
import io.streamforge.window.Window;
import java.util.HashMap;
import java.util.Map;

/** The tables of one node in one task, made when they are first asked for. */
@Specialised
public final class MemoryKeyedStates implements KeyedStates {
  private record Slice(String state, Window window) {}

  private final KeyKind<Object> keyKind;
  private final int firstGroup;
  private final int endGroup;
  private final int groups;
  private final Map<String, SlotTable> tables = new HashMap<>();
  private final Map<Slice, SlotTable> slices = new HashMap<>();

  /** How many keys the last slice of a state had, which the next one is made for. */
  private final Map<String, Integer> lastSizes = new HashMap<>();

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
    return (KeyedTable<V>) tables.computeIfAbsent(state, s -> objects(0));
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> KeyedTable<V> table(String state, Window slice) {
    return (KeyedTable<V>)
        slices.computeIfAbsent(new Slice(state, slice), s -> objects(expected(state)));
  }

  @Override
  public ColumnTable columns(String state, int columns) {
    return (ColumnTable) tables.computeIfAbsent(state, s -> longs(columns, 0));
  }

  @Override
  public ColumnTable columns(String state, int columns, Window slice) {
    return (ColumnTable)
        slices.computeIfAbsent(new Slice(state, slice), s -> longs(columns, expected(state)));
  }

  private int expected(String state) {
    return lastSizes.getOrDefault(state, 0);
  }

  private MemoryTable<?> objects(int expected) {
    return new MemoryTable<>(keyKind, firstGroup, endGroup, groups, expected);
  }

  private MemoryColumnTable longs(int columns, int expected) {
    return new MemoryColumnTable(keyKind, firstGroup, endGroup, groups, columns, expected);
  }

  @Override
  public void drop(String state, Window slice) {
    SlotTable dropped = slices.remove(new Slice(state, slice));
    if (dropped != null) {
      lastSizes.put(state, dropped.size());
    }
  }

  /** Number of tables of slices that exist; for tests. */
  public int sliceCount() {
    return slices.size();
  }
}
