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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Runs the topologies with the default settings, but for the parallelism. */
public final class ForgeJob implements Job {
  /** The engine of the last job; completed when it has started. */
  private volatile CompletableFuture<Engine> running = new CompletableFuture<>();

  @Override
  public void run(Workload workload, int parallelism) throws InterruptedException {
    if (workload.shape() instanceof Shape.CheckpointedCount) {
      try (Scratch scratch = Scratch.create()) {
        run(workload, parallelism, Checkpoints.everySecond(scratch.directory()));
      }
    } else if (workload.onDisk()) {
      try (Scratch scratch = Scratch.create()) {
        StateConfig state = state(workload, scratch.directory());
        run(workload, config(parallelism).state(state).build());
      }
    } else {
      run(workload, config(parallelism).build());
    }
  }

  @Override
  public void run(Workload workload, int parallelism, Checkpoints checkpoints)
      throws InterruptedException {
    run(
        workload,
        config(parallelism)
            .checkpoints(
                CheckpointConfig.at(checkpoints.location().toString())
                    .every(Duration.ofMillis(checkpoints.intervalMillis()))
                    .withPause(Duration.ofMillis(checkpoints.pauseMillis())))
            .state(state(workload, checkpoints.state()))
            .build());
  }

  private static EngineConfig.Builder config(int parallelism) {
    return EngineConfig.builder().parallelism(parallelism).workers(parallelism);
  }

  private static StateConfig state(Workload workload, Path directory) {
    return StateConfig.of(workload.onDisk() ? "rocksdb" : StateConfig.MEMORY)
        .inDirectory(directory)
        .withNativeMemory(workload.nativeBytes());
  }

  @Override
  public List<Start> startAgain(Workload workload, int parallelism, int starts)
      throws InterruptedException {
    List<Start> restored = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      EngineConfig config =
          config(parallelism)
              .checkpoints(
                  CheckpointConfig.at(scratch.directory().toString()).every(Duration.ofDays(1)))
              .build();
      Feed.begin(workload.input().userCount());
      run(workload, config);
      for (int i = 0; i < starts; i++) {
        System.gc();
        Feed.begin(workload.input().userCount());
        try (Engine engine = Engine.start(Topologies.of(workload), config)) {
          CheckpointMetrics metrics = checkpoints(engine);
          restored.add(new Start(metrics.restoredBytes(), metrics.restoreMillis() / 1e3));
        }
      }
    }
    return restored;
  }

  private void run(Workload workload, EngineConfig config) throws InterruptedException {
    CompletableFuture<Engine> starting = new CompletableFuture<>();
    running = starting;
    try (Engine engine = Engine.start(Topologies.of(workload), config)) {
      starting.complete(engine);
      engine.awaitCompletion();
    } finally {
      starting.cancel(false); // when it could not be started
    }
  }

  private static CheckpointMetrics checkpoints(Engine engine) {
    return Objects.requireNonNull(engine.metrics().checkpoints());
  }

  @Override
  public Checkpoint checkpoint() {
    CheckpointMetrics metrics = checkpoints(running.join());
    return new Checkpoint(
        metrics.lastNumber(),
        metrics.lastDurationMillis() / 1e3,
        metrics.lastBytes(),
        metrics.fullBytes());
  }

  @Override
  public long restoredBytes() {
    return checkpoints(running.join()).restoredBytes();
  }

  @Override
  public long emitted() {
    return running.join().metrics().node(Topologies.CLICKS).out();
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
