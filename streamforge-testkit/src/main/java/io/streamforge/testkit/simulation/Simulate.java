package io.streamforge.testkit.simulation;

import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code make simulate}: drawn jobs that crash, one a seed. Prints each violation with its seed and
 * ends with the line {@code n schedules, v violations}.
 */
public final class Simulate {
  private static final int PROGRESS = 1_000;

  /** Of a partition at most, so that most jobs live long enough to be restored. */
  static final int RECORDS = 200;

  private static final int AT_LEAST_ONCE = 8;

  private Simulate() {}

  /**
   * Reads the system properties {@code seeds}, {@code from} and {@code bug}: the mistake to plant,
   * or {@code list} to name them. Fails when there are violations, or none although a mistake is
   * planted.
   */
  public static void main(String[] arguments) {
    String name = System.getProperty("bug", "");
    if (name.equals("list")) {
      list(System.out);
      return;
    }
    PlantedBug bug = PlantedBug.of(name).orElse(null);
    if (bug == null && !name.isEmpty()) {
      System.err.println("there is no bug '" + name + "'; BUG=list names them");
      System.exit(2);
    }
    long seeds = Long.getLong("seeds", 2_000);
    long from = Long.getLong("from", 0);
    boolean found = run(from, seeds, bug, System.out) > 0;
    System.exit(found == (bug != null) ? 0 : 1);
  }

  private static void list(PrintStream output) {
    for (PlantedBug bug : PlantedBug.values()) {
      output.printf("%-26s %s; found within %,d seeds%n", bug.id(), bug.description(), bug.seeds());
    }
  }

  /** The drawn job of a seed; one in so many may process records more than once. */
  static Simulation simulation(long seed) {
    RandomTopology drawn = new RandomTopology(seed, RECORDS);
    return seed % AT_LEAST_ONCE == AT_LEAST_ONCE - 1
        ? Simulation.atLeastOnce(drawn)
        : Simulation.of(drawn);
  }

  /** One run; whatever it throws is a violation. */
  static Simulation.Outcome outcome(long seed, @Nullable PlantedBug bug) {
    try {
      Simulation simulation = simulation(seed);
      return bug == null ? simulation.run(seed) : simulation.run(seed, bug);
    } catch (RuntimeException | Error e) {
      return new Simulation.Outcome(List.of("the simulation failed: " + e), 0, 0, 0);
    }
  }

  /** Runs them; how many violations there were. */
  static long run(long from, long seeds, @Nullable PlantedBug bug, PrintStream output) {
    long violations = 0;
    long restored = 0;
    for (long seed = from; seed < from + seeds; seed++) {
      Simulation.Outcome outcome = outcome(seed, bug);
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
