package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Workload;
import io.streamforge.config.EngineConfig;
import io.streamforge.engine.Engine;

/** Runs the topologies with the default settings, but for the parallelism. */
public final class ForgeJob implements Job {
  @Override
  public void run(Workload workload, int parallelism) throws InterruptedException {
    EngineConfig config =
        EngineConfig.builder().parallelism(parallelism).workers(parallelism).build();
    try (Engine engine = Engine.start(Topologies.of(workload), config)) {
      engine.awaitCompletion();
    }
  }
}
