package io.streamforge.bench;

import io.streamforge.config.EngineConfig;
import io.streamforge.engine.Engine;
import java.util.Locale;

/** What a workload runs on. */
enum BenchEngine {
  /** The loop. */
  HAND {
    @Override
    long run(Workload workload, long records, int parallelism) {
      return workload.byHand(records, parallelism);
    }
  },
  /** The topology, with the default settings but for the parallelism. */
  STREAMFORGE {
    @Override
    long run(Workload workload, long records, int parallelism) throws InterruptedException {
      Checksum checksum = new Checksum();
      EngineConfig config =
          EngineConfig.builder().parallelism(parallelism).workers(parallelism).build();
      try (Engine engine = Engine.start(workload.topology(records, checksum), config)) {
        engine.awaitCompletion();
      }
      return checksum.value();
    }
  };

  /** The checksum of the first {@code records} records. */
  abstract long run(Workload workload, long records, int parallelism) throws InterruptedException;

  /** As in the results. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
