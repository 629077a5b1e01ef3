package io.streamforge.testkit.simulation;

import java.io.PrintStream;
import java.util.List;

/**
 * {@code make simulate}: drawn jobs that crash, one a seed. Prints each violation with its seed and
 * ends with the line {@code n schedules, v violations}.
 */
public final class Simulate {
  private static final int PROGRESS = 1_000;

  private Simulate() {}

  /** Reads the system properties {@code seeds} and {@code from}. */
  public static void main(String[] arguments) {
    long seeds = Long.getLong("seeds", 2_000);
    long from = Long.getLong("from", 0);
    System.exit(run(from, seeds, System.out) == 0 ? 0 : 1);
  }

  /** Runs them; how many violations there were. */
  static long run(long from, long seeds, PrintStream output) {
    long violations = 0;
    long restored = 0;
    for (long seed = from; seed < from + seeds; seed++) {
      Simulation.Outcome outcome;
      try {
        outcome = Simulation.of(new RandomTopology(seed)).run(seed);
      } catch (RuntimeException | Error e) {
        outcome = new Simulation.Outcome(List.of("the simulation failed: " + e), 0, 0, 0);
      }
      restored += outcome.restored();
      for (String violation : outcome.violations()) {
        violations++;
        output.println("seed " + seed + ": " + violation);
      }
      long done = seed - from + 1;
      if (done % PROGRESS == 0 && done < seeds) {
        output.println(
            done + " of " + seeds + " schedules, " + restored + " starts from a checkpoint");
      }
    }
    output.println(seeds + " schedules, " + violations + " violations");
    return violations;
  }
}
