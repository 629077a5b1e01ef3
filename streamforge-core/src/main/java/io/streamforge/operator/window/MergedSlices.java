package io.streamforge.operator.window;

import io.streamforge.operator.Accumulation;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.window.Window;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The only slice of the window as it is, or a table of its own that all are merged into. */
@Specialised
final class MergedSlices implements Gathering {
  private static final String STATE = "merged";

  private final Accumulation accumulation;
  private final KeyedStates states;
  private final Slices slices;
  private final SliceWalk walk = new SliceWalk();
  private Accumulation.@Nullable Table only;
  private Accumulation.@Nullable Table merged;

  MergedSlices(Accumulation accumulation, KeyedStates states, Slices slices) {
    this.accumulation = accumulation;
    this.states = states;
    this.slices = slices;
  }

  @Override
  public void begin(Window window) {
    Collection<Slice> parts = slices.within(window);
    if (parts.size() == 1) {
      only = parts.iterator().next().table;
    } else {
      merged = accumulation.derivedTable(STATE, window);
      walk.over(parts);
    }
  }

  @Override
  public int gather(int budget) throws Exception {
    Accumulation.Table into = merged;
    return into == null ? budget : walk.go(budget, into::merge);
  }

  @Override
  public Accumulation.Walk walk() {
    Accumulation.Table table = merged == null ? only : merged;
    if (table == null) {
      throw new IllegalStateException("no window has begun");
    }
    return table.walk();
  }

  @Override
  public void end(Window window) {
    only = null;
    if (merged != null) {
      merged = null;
      states.drop(STATE, window);
    }
  }

  @Override
  public int forget(int budget) {
    return budget;
  }

  @Override
  public void beforeLate(Slice slice, Object key, long hash) {}

  @Override
  public void afterLate(Slice slice, Object key, long hash, long firedTo) {}
}
