package io.streamforge.operator.window;

import io.streamforge.operator.Accumulation;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;

/**
 * Totals over the slices of the window, for aggregates that subtract: slices that are new in it are
 * added, those that are in no later one subtracted. A slice is read twice however many windows
 * contain it.
 */
@Specialised
final class RunningTotals implements Gathering {
  static final String STATE = "totals";

  private final Accumulation.Totals totals;
  private final WindowAssigner assigner;
  private final Slices slices;
  private final SliceWalk walk = new SliceWalk();
  private final SliceWalk.Step add;
  private final SliceWalk.Step subtract;

  /** Where the slices begin that are not in the totals yet; those before are, as long as needed. */
  private long gatheredTo = Timestamps.MIN;

  RunningTotals(Accumulation.Totals totals, WindowAssigner assigner, Slices slices) {
    this.totals = totals;
    this.assigner = assigner;
    this.slices = slices;
    this.add = totals::add;
    this.subtract = totals::subtract;
  }

  @Override
  public void begin(Window window) {
    long from = Math.max(gatheredTo, window.startMillis());
    walk.over(slices.between(from, window.endMillis()));
    gatheredTo = window.endMillis();
  }

  @Override
  public int gather(int budget) throws Exception {
    return walk.go(budget, add);
  }

  @Override
  public Accumulation.Walk walk() {
    return totals.walk();
  }

  @Override
  public void end(Window window) {
    Window next = assigner.next(window);
    walk.over(
        next == null
            ? slices.within(window)
            : slices.between(window.startMillis(), next.startMillis()));
  }

  @Override
  public int forget(int budget) throws Exception {
    return walk.go(budget, subtract);
  }

  @Override
  public void beforeLate(Slice slice, Object key, long hash) throws Exception {
    if (slice.window.startMillis() < gatheredTo) {
      totals.subtract(slice.table, key, hash);
    }
  }

  @Override
  public void afterLate(Slice slice, Object key, long hash, long firedTo) throws Exception {
    if (slice.window.startMillis() < gatheredTo) {
      totals.add(slice.table, key, hash);
    }
  }
}
