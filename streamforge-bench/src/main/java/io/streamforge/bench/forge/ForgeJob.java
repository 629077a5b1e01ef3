package io.streamforge.bench.forge;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Scratch;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.StateConfig;
import io.streamforge.engine.Engine;
import io.streamforge.metrics.CheckpointMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs the topologies with the default settings, but for the parallelism. */
public final class ForgeJob implements Job {
  private volatile @Nullable Engine running;

  @Override
  public void run(Workload workload, int parallelism) throws InterruptedException {
    EngineConfig config =
        EngineConfig.builder().parallelism(parallelism).workers(parallelism).build();
    if (workload.shape() instanceof Shape.CheckpointedCount count) {
      try (Scratch scratch = Scratch.create();
          Scratch local = Scratch.create()) {
        CheckpointConfig checkpoints =
            CheckpointConfig.at(scratch.directory().toString()).every(Duration.ofSeconds(1));
        StateConfig state =
            StateConfig.of(count.onDisk() ? "rocksdb" : StateConfig.MEMORY)
                .inDirectory(local.directory())
                .withNativeMemory(Scratch.NATIVE_BYTES);
        run(workload, config.toBuilder().checkpoints(checkpoints).state(state).build());
      }
    } else {
      run(workload, config);
    }
  }

  @Override
  public List<Start> startAgain(Workload workload, int parallelism, int starts)
      throws InterruptedException {
    List<Start> restored = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      EngineConfig config =
          EngineConfig.builder()
              .parallelism(parallelism)
              .workers(parallelism)
              .checkpoints(
                  CheckpointConfig.at(scratch.directory().toString()).every(Duration.ofDays(1)))
              .build();
      Feed.begin(workload.input().userCount());
      run(workload, config);
      for (int i = 0; i < starts; i++) {
        System.gc();
        Feed.begin(workload.input().userCount());
        try (Engine engine = Engine.start(Topologies.of(workload), config)) {
          CheckpointMetrics metrics = Objects.requireNonNull(engine.metrics().checkpoints());
          restored.add(new Start(metrics.restoredBytes(), metrics.restoreMillis() / 1e3));
        }
      }
    }
    return restored;
  }

  private void run(Workload workload, EngineConfig config) throws InterruptedException {
    try (Engine engine = Engine.start(Topologies.of(workload), config)) {
      running = engine;
      engine.awaitCompletion();
    }
  }

  @Override
  public long emitted() {
    Engine engine = running;
    return engine == null ? 0 : engine.metrics().node(Topologies.CLICKS).out();
  }

  @Override
  public double targetDelaySeconds() {
    return EngineConfig.defaults().targetDelay().toNanos() / 1e9;
  }

  /** To the task of its key, and to the writer of the sink, which has a thread of its own. */
  @Override
  public int channels() {
    return 2;
  }
}
