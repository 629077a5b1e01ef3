package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drawn jobs that crash at drawn moments show each record once. */
class SimulationTest {
  private static final int SEEDS = 2_000;
  private static final int PARTS = 4;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void crashingJobsShowEachRecordOnce(int part) {
    int restored = 0;
    for (long seed = part; seed < SEEDS; seed += PARTS) {
      Simulation.Outcome outcome = Simulate.simulation(seed).run(seed);
      assertThat(outcome.violations()).as("seed %d", seed).isEmpty();
      restored += outcome.restored() > 0 ? 1 : 0;
      if (seed % 20 == part) {
        assertThat(Simulate.simulation(seed).run(seed).trace())
            .as("trace of seed %d", seed)
            .isEqualTo(outcome.trace());
      }
    }

    assertThat(restored)
        .as("jobs that go on from a checkpoint")
        .isGreaterThan(SEEDS / PARTS * 2 / 5);
  }
}
