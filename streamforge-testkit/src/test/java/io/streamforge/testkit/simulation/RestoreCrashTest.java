package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sources;
import io.streamforge.error.StreamForgeException;
import io.streamforge.plan.Planner;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.storage.SimulatedCrash;
import io.streamforge.testkit.storage.SimulatedStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process that dies while it restores, however often. */
class RestoreCrashTest {
  private static final int RECORDS = 200;
  private static final int MOST_CALLS = 60;

  private final VirtualClock clock = new VirtualClock(0);
  private final SimulatedStorage storage = new SimulatedStorage(1, clock);
  private final MarkedSink<String, Long> sink = new MarkedSink<>();
  private final EngineConfig config =
      EngineConfig.builder()
          .parallelism(2)
          .workers(1)
          .keyGroups(16)
          .stepBudget(4)
          .specialise(false)
          .checkpoints(CheckpointConfig.at("simulated").every(Duration.ofMillis(5)))
          .build();
  private long token;

  private Topology topology() {
    List<Record<Object, Object>> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      records.add(new Record<>("k" + i % 3, i, i, null));
    }
    return Topology.builder("restored")
        .source(
            "in",
            new ReplayedSource(
                Sources.collection(List.of(Record.of("k", 1, 0))), List.of(records), false))
        .typed(Object.class, Object.class)
        .map("typed", (k, v) -> io.streamforge.record.KeyValue.of((String) k, (Integer) v))
        .typed(String.class, Integer.class)
        .groupByKey("keys")
        .count("count")
        .sink("out", sink)
        .build();
  }

  private JobRuntime start(SimulatedStorage.Connection connection, SteppedScheduler scheduler) {
    Topology topology = topology();
    return JobRuntime.start(
        Planner.plan(topology.graph(), config.parallelism(), config.keyGroups()),
        config,
        new CheckpointPlace(
            CheckpointLog.open(connection, topology.name()), () -> ++token, "start " + token),
        scheduler,
        RuntimeHooks.NONE);
  }

  private void run(SteppedScheduler scheduler, JobRuntime job, long published) {
    while (job.status() == JobStatus.RUNNING
        && job.metrics().checkpoints().published() < published) {
      if (!scheduler.step()) {
        clock.advance(
            Duration.ofNanos(Math.max(1, scheduler.nextDeadlineNanos() - clock.monotonicNanos())));
      }
    }
  }

  @Test
  void c15EachStartBeginsFromTheSameCheckpointHoweverManyDieInIt() {
    SteppedScheduler first = new SteppedScheduler(clock, 1);
    SimulatedStorage.Connection alive = storage.connect();
    JobRuntime job = start(alive, first);
    run(first, job, 2);
    long checkpoint = job.metrics().checkpoints().lastNumber();
    alive.kill();
    int died = 0;
    for (int call = 1; call <= MOST_CALLS; call++) {
      SimulatedStorage.Connection dying = storage.connect();
      dying.crashAt(call);
      try {
        JobRuntime restored = start(dying, new SteppedScheduler(clock, call));
        assertThat(restored.restoredFrom()).isEqualTo(checkpoint);
      } catch (SimulatedCrash e) {
        died++;
      } catch (StreamForgeException e) {
        assertThat(e).hasRootCauseInstanceOf(SimulatedCrash.class);
        died++;
      }
      dying.kill();
    }
    assertThat(died).isGreaterThan(10);

    SteppedScheduler last = new SteppedScheduler(clock, 0);
    JobRuntime restored = start(storage.connect(), last);
    assertThat(restored.restoredFrom()).isEqualTo(checkpoint);
    run(last, restored, Long.MAX_VALUE);

    assertThat(restored.status()).isEqualTo(JobStatus.FINISHED);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      expected.add("k" + i % 3 + "=" + (i / 3 + 1));
    }
    assertThat(sink.records().stream().map(r -> r.key() + "=" + r.value()))
        .containsExactlyInAnyOrderElementsOf(expected);
  }
}
