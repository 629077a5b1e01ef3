package io.streamforge.testkit;

import java.util.List;

/**
 * How an {@link OperatorHarness} drives its operator.
 *
 * @param budget steps that each {@code resume} may take
 * @param room how many records the outputs take before they are full, at most; 0: they never are
 * @param seed of the randomness with which outputs become full
 */
public record HarnessMode(int budget, int room, long seed) {
  /** Large steps and outputs that are never full. */
  public static final HarnessMode PLAIN = new HarnessMode(Integer.MAX_VALUE, 0, 0);

  /** Budgets of 1, 2 and no limit, each with outputs that are never full and that often are. */
  public static List<HarnessMode> all(long seed) {
    return List.of(
        PLAIN,
        new HarnessMode(1, 0, seed),
        new HarnessMode(2, 0, seed),
        new HarnessMode(Integer.MAX_VALUE, 3, seed),
        new HarnessMode(1, 1, seed),
        new HarnessMode(2, 2, seed));
  }
}
