package io.streamforge.testkit;

import java.util.List;

/**
 * How an {@link OperatorHarness} drives its operator.
 *
 * @param budget steps that each {@code resume} may take
 * @param room how many records the outputs take before they are full, at most; 0: they never are
 * @param restarts whether the state is saved all the time, in small steps while the operator goes
 *     on, and the operator is often replaced by another one that begins with what was saved
 * @param seed of the randomness with which outputs become full and operators are replaced
 */
public record HarnessMode(int budget, int room, boolean restarts, long seed) {
  /** Large steps, outputs that are never full, and one operator to the end. */
  public static final HarnessMode PLAIN = new HarnessMode(Integer.MAX_VALUE, 0, false, 0);

  /**
   * Budgets of 1, 2 and no limit, each with outputs that are never full and that often are; the
   * last two with restarts.
   */
  public static List<HarnessMode> all(long seed) {
    return List.of(
        PLAIN,
        new HarnessMode(1, 0, false, seed),
        new HarnessMode(2, 0, false, seed),
        new HarnessMode(Integer.MAX_VALUE, 3, false, seed),
        new HarnessMode(1, 1, false, seed),
        new HarnessMode(2, 2, false, seed),
        new HarnessMode(Integer.MAX_VALUE, 0, true, seed),
        new HarnessMode(2, 2, true, seed));
  }
}
