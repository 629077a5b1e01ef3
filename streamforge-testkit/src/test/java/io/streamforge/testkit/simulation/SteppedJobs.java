package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sources;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.storage.SimulatedStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Starts jobs with checkpoints on one thread and kills them between two steps. */
final class SteppedJobs {
  private final VirtualClock clock = new VirtualClock(0);
  private final SimulatedStorage storage = newStorage(1);
  private long token;

  /** A process that runs a job. */
  static final class Running {
    final SimulatedStorage.Connection connection;
    final SteppedScheduler scheduler;
    final JobRuntime job;

    Running(SimulatedStorage.Connection connection, SteppedScheduler scheduler, JobRuntime job) {
      this.connection = connection;
      this.scheduler = scheduler;
      this.job = job;
    }

    CheckpointMetrics checkpoints() {
      return Objects.requireNonNull(job.metrics().checkpoints());
    }
  }

  /** Without waiting for anything. */
  static CheckpointConfig atOnce(CheckpointConfig config) {
    return config.unalignedAfter(Duration.ZERO);
  }

  /** A source of i at the time 10 · i with the key {@code k<i mod keys>}, in three partitions. */
  static ReplayedSource numbers(int records, int keys) {
    List<List<Record<Object, Object>>> partitions = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      List<Record<Object, Object>> partition = new ArrayList<>();
      for (int i = p; i < records; i += 3) {
        partition.add(new Record<>("k" + i % keys, i, i * 10L, null));
      }
      partitions.add(partition);
    }
    return new ReplayedSource(Sources.collection(List.of(Record.of("k", 1, 0))), partitions, false);
  }

  /** Where checkpoints are unless a start says otherwise. */
  SimulatedStorage storage() {
    return storage;
  }

  SimulatedStorage newStorage(long seed) {
    return new SimulatedStorage(seed, clock);
  }

  /** Goes on from what is in the storage, with a checkpoint every 5 ms. */
  Running start(Topology topology, int parallelism, UnaryOperator<CheckpointConfig> settings) {
    return start(topology, parallelism, settings, storage, null);
  }

  /** As {@link #start(Topology, int, UnaryOperator)}, with another number of key groups than 16. */
  Running start(
      Topology topology, int parallelism, int keyGroups, UnaryOperator<CheckpointConfig> settings) {
    return start(topology, parallelism, keyGroups, settings, storage, null);
  }

  /** As {@link #start(Topology, int, UnaryOperator)}, from a savepoint when there is nothing. */
  Running start(
      Topology topology,
      int parallelism,
      UnaryOperator<CheckpointConfig> settings,
      SimulatedStorage in,
      @Nullable CheckpointLog from) {
    return start(topology, parallelism, 16, settings, in, from);
  }

  private Running start(
      Topology topology,
      int parallelism,
      int keyGroups,
      UnaryOperator<CheckpointConfig> settings,
      SimulatedStorage in,
      @Nullable CheckpointLog from) {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(parallelism)
            .workers(1)
            .keyGroups(keyGroups)
            .batchSize(2)
            .stepBudget(2)
            .specialise(false)
            .checkpoints(
                settings.apply(CheckpointConfig.at("simulated").every(Duration.ofMillis(5))))
            .build();
    SimulatedStorage.Connection connection = in.connect();
    SteppedScheduler scheduler = new SteppedScheduler(clock, ++token);
    return new Running(
        connection,
        scheduler,
        JobRuntime.start(
            Planner.plan(topology.graph(), parallelism, keyGroups),
            config,
            new CheckpointPlace(
                CheckpointLog.open(connection, topology.name()),
                () -> ++token,
                "start " + token,
                from),
            scheduler,
            RuntimeHooks.NONE));
  }

  /** Goes on until something is so, or the job has ended. */
  void run(Running running, BooleanSupplier until) {
    for (int i = 0; running.job.status() == JobStatus.RUNNING && !until.getAsBoolean(); i++) {
      if (!running.scheduler.step()) {
        long next = running.scheduler.nextDeadlineNanos();
        clock.advance(Duration.ofNanos(Math.max(1, next - clock.monotonicNanos())));
      } else if (i % 20 == 0) {
        clock.advance(Duration.ofMillis(1));
      }
    }
  }

  /** Goes on until the job has finished. */
  void finish(Running running) {
    run(running, () -> false);
    assertThat(running.job.status()).isEqualTo(JobStatus.FINISHED);
  }

  /** Dies as soon as a checkpoint has been published that has records in flight. */
  void killWithRecordsInFlight(Running running) {
    run(running, () -> running.checkpoints().inFlightBytes() > 0);
    assertThat(running.checkpoints().inFlightBytes()).as("records in flight").isPositive();
    running.connection.kill();
  }

  /** Dies as soon as a checkpoint has been published that is of this kind. */
  void killBehind(Running running, Predicate<Manifest> checkpoint) {
    long[] seen = {0};
    boolean[] found = {false};
    run(
        running,
        () -> {
          long published = running.checkpoints().published();
          if (published > seen[0]) {
            seen[0] = published;
            found[0] = checkpoint.test(newest());
          }
          return found[0];
        });
    assertThat(found[0]).as("such a checkpoint").isTrue();
    running.connection.kill();
  }

  /** Takes a savepoint in a storage of its own. */
  CheckpointLog savepoint(Running running, boolean stop) {
    SimulatedStorage target = newStorage(2);
    CheckpointLog log = CheckpointLog.open(target.connect(), running.job.metrics().job());
    CompletableFuture<Long> savepoint =
        running.job.savepoint(new CheckpointPlace(log, () -> ++token, "savepoint"), stop);
    run(running, savepoint::isDone);
    assertThat(savepoint).isCompleted();
    return CheckpointLog.openExisting(target.connect());
  }

  /** The published checkpoints, the newest last. */
  static List<LogEntry.Published> published(SimulatedStorage storage) {
    try {
      return CheckpointLog.openExisting(storage.connect()).read().published();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes a bit of the entry of a checkpoint, so that it cannot be used. */
  void damage(LogEntry.Published published) {
    storage.damage(
        "log/%019d".formatted(published.position()),
        content -> {
          content[content.length / 2] ^= 1;
          return content;
        });
  }

  /** What the newest checkpoint consists of. */
  Manifest newest() {
    List<LogEntry.Published> published = published(storage);
    return published.get(published.size() - 1).manifest();
  }
}
