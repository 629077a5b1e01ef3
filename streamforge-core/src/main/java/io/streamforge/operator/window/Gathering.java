package io.streamforge.operator.window;

import io.streamforge.function.Aggregator;
import io.streamforge.operator.Accumulation;
import io.streamforge.operator.ArrayAggregator;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.KeyedStates;
import io.streamforge.window.Window;

/**
 * How the slices of a window are put together when it fires. For each window that contains a slice,
 * in the order in which they close: {@link #begin}, {@link #gather} until it is done, {@link
 * #walk}, {@link #end}, {@link #forget} until it is done. No record comes in between.
 *
 * <p>Whatever a gathering keeps from one window to the next follows from the slices. So only slices
 * are state to be saved, and a gathering that has gathered nothing yet is right between any two
 * windows: it takes in what is missing when the next one begins.
 */
@Specialised
interface Gathering {
  /**
   * From so many windows over an instant on, {@link TwoStacks} take less time than merging all
   * slices for each of them.
   */
  int STACKS_FROM_OVERLAP = 4;

  /** The one that takes least. */
  static Gathering of(
      WindowAssigner assigner,
      Aggregator<Object, Object, Object> aggregator,
      Accumulation accumulation,
      KeyedStates states,
      Slices slices) {
    long overlap = assigner.overlap();
    Accumulation.Totals totals = overlap > 1 ? accumulation.totals(RunningTotals.STATE) : null;
    if (totals != null) {
      return new RunningTotals(totals, assigner, slices);
    }
    return overlap >= STACKS_FROM_OVERLAP
        ? new TwoStacks(ArrayAggregator.orItself(aggregator), states, assigner, slices)
        : new MergedSlices(accumulation, states, slices);
  }

  /** A window is next. */
  void begin(Window window);

  /** Puts slices together; the steps of {@code budget} that are left, 0: to be called again. */
  int gather(int budget) throws Exception;

  /** A walk over the keys of the window. */
  Accumulation.Walk walk();

  /** The walk over the window's keys is finished. */
  void end(Window window);

  /**
   * Forgets what no later window contains; the steps of {@code budget} that are left, 0: to be
   * called again.
   */
  int forget(int budget) throws Exception;

  /**
   * A late record is about to be added to the key's entry of a slice of which some windows have
   * fired and others have not.
   */
  void beforeLate(Slice slice, Object key, long hash) throws Exception;

  /**
   * The record of {@link #beforeLate} has been added.
   *
   * @param firedTo all windows that end at or before have fired
   */
  void afterLate(Slice slice, Object key, long hash, long firedTo) throws Exception;
}
