package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.TaskStates;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.testkit.simulation.RandomTopology;
import io.streamforge.testkit.simulation.Simulation;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drawn jobs whose state has hardly any room on the heap show each record once. */
class RocksDbSimulationTest {
  private static final int SEEDS = 50;
  private static final int RECORDS = 200;

  @TempDir private Path directory;

  /** A backend of its own in the database of all, which takes longer to open than a job to run. */
  private static KeyedStateBackend in(RocksDbBackend database) {
    return new KeyedStateBackend() {
      @Override
      public TaskStates open(NodeClasses classes, Opening opening) {
        return database.open(classes, opening);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000, 2_000, 3_000})
  void crashingJobsShowEachRecordOnce(int from) {
    int restored = 0;
    try (RocksDbBackend database = TestBackends.open(directory, 0)) {
      for (long seed = from; seed < from + SEEDS; seed++) {
        Simulation simulation =
            Simulation.of(new RandomTopology(seed, RECORDS)).backend(() -> in(database));
        Simulation.Outcome outcome = simulation.run(seed);
        assertThat(outcome.violations()).as("seed %d", seed).isEmpty();
        restored += outcome.restored() > 0 ? 1 : 0;
      }
      assertThat(database.store().tables()).as("tables in the database").isGreaterThan(SEEDS);
    }

    assertThat(restored).as("jobs that go on from a checkpoint").isGreaterThan(SEEDS / 3);
  }
}
