package io.streamforge.backend;

import io.streamforge.window.Window;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one node in one task by state and slice, and the snapshot of them that is in hand.
 * Used by the task's thread only.
 *
 * @param <T> tables
 */
public final class TablesOfStates<T> {
  private final boolean checkpointed;
  private final Map<String, TreeMap<@Nullable Window, T>> tables = new TreeMap<>();
  private @Nullable TablesSnapshot snapshot;

  /** What is done with each table. */
  @FunctionalInterface
  public interface Each<T> {
    /** One of them; the slice is null for that of a state without slices. */
    void accept(String state, @Nullable Window slice, T table);
  }

  /**
   * None yet.
   *
   * @param checkpointed whether snapshots are taken
   */
  public TablesOfStates(boolean checkpointed) {
    this.checkpointed = checkpointed;
  }

  private TreeMap<@Nullable Window, T> of(String state) {
    return tables.computeIfAbsent(
        state, s -> new TreeMap<>(Comparator.nullsFirst(Comparator.naturalOrder())));
  }

  /** The table of a state or of a slice of it; null when there is none. */
  public @Nullable T get(String state, @Nullable Window slice) {
    return of(state).get(slice);
  }

  /** There is one from now on. */
  public void put(String state, @Nullable Window slice, T table) {
    of(state).put(slice, table);
  }

  /** There is none from now on; the one that there was. */
  public @Nullable T remove(String state, @Nullable Window slice) {
    return of(state).remove(slice);
  }

  /** All, by names of states and slices in their order. */
  public void forEach(Each<? super T> each) {
    tables.forEach(
        (state, ofState) -> ofState.forEach((slice, table) -> each.accept(state, slice, table)));
  }

  /** The snapshot in hand; null: there is none. */
  public @Nullable TablesSnapshot inHand() {
    return snapshot;
  }

  /**
   * Begins a snapshot, to which all tables are to be added.
   *
   * @throws IllegalStateException when the last one is still in hand, or none are taken
   */
  public TablesSnapshot begin() {
    if (!checkpointed) {
      throw new IllegalStateException("the states were not opened as checkpointed");
    }
    if (snapshot != null) {
      throw new IllegalStateException("the last snapshot is still in hand");
    }
    TablesSnapshot begun = new TablesSnapshot(() -> snapshot = null);
    snapshot = begun;
    return begun;
  }
}
