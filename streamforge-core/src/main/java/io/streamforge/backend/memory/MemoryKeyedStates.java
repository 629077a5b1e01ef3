package io.streamforge.backend.memory;

import io.streamforge.serde.KeyKind;
import io.streamforge.specialise.Specialised;
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
  private final Map<String, MemoryTable<?>> tables = new HashMap<>();
  private final Map<Slice, MemoryTable<?>> slices = new HashMap<>();

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
    return (KeyedTable<V>) tables.computeIfAbsent(state, s -> newTable());
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V> KeyedTable<V> table(String state, Window slice) {
    return (KeyedTable<V>) slices.computeIfAbsent(new Slice(state, slice), s -> newTable());
  }

  @Override
  public void drop(String state, Window slice) {
    slices.remove(new Slice(state, slice));
  }

  /** Number of tables of slices that exist; for tests. */
  public int sliceCount() {
    return slices.size();
  }

  private MemoryTable<?> newTable() {
    return new MemoryTable<>(keyKind, firstGroup, endGroup, groups);
  }
}
