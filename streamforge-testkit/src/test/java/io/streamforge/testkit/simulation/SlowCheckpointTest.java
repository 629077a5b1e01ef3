package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.metrics.TaskMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Task;
import io.streamforge.scheduler.TaskHandle;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.sink.SinkFaults;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.testkit.storage.SlowStorage;
import io.streamforge.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is said of checkpoints that take long, and what it is measured by. */
class SlowCheckpointTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  private final VirtualClock clock = new VirtualClock(0);
  private final InMemoryChannel<String, Integer> in = InMemoryChannel.of(1_000);
  private final InMemoryChannel<String, Integer> other = InMemoryChannel.of(1_000);
  private final MarkedSink<String, Long> sink = new MarkedSink<>();
  private final WithholdingScheduler scheduler = new WithholdingScheduler(clock);
  private final SlowStorage storage =
      new SlowStorage(new SimulatedStorage(1, clock).connect(), clock);
  private JobRuntime job;

  /** Keeps some tasks and some I/O work back, as threads do that hang. */
  private static final class WithholdingScheduler implements Scheduler {
    final SteppedScheduler stepped;
    private final List<TaskHandle> tasks = new ArrayList<>();
    private final List<Runnable> works = new ArrayList<>();
    private String withheld = "none";

    WithholdingScheduler(VirtualClock clock) {
      stepped = new SteppedScheduler(clock, 1);
    }

    /** What has a name that begins so does not run any more. */
    void withhold(String name) {
      withheld = name;
    }

    void release() {
      withheld = "none";
      works.forEach(work -> stepped.io("released", work));
      works.clear();
      tasks.forEach(TaskHandle::wake);
    }

    @Override
    public Clock clock() {
      return stepped.clock();
    }

    @Override
    public TaskHandle register(String name, int affinity, Task task) {
      TaskHandle handle =
          stepped.register(
              name,
              affinity,
              new Task() {
                @Override
                public Progress run() {
                  return name.startsWith(withheld) ? Progress.IDLE : task.run();
                }

                @Override
                public long deadlineNanos() {
                  return name.startsWith(withheld) ? Long.MAX_VALUE : task.deadlineNanos();
                }
              });
      tasks.add(handle);
      return handle;
    }

    @Override
    public void io(String name, Runnable work) {
      if (name.startsWith(withheld)) {
        works.add(work);
      } else {
        stepped.io(name, work);
      }
    }

    @Override
    public void start() {
      stepped.start();
    }

    @Override
    public boolean concurrent() {
      return false;
    }

    @Override
    public void close() {
      stepped.close();
    }
  }

  private Topology counting() {
    return counting(Topology.builder("slow").source("in", in).typed(String.class, Integer.class));
  }

  private Topology counting(Stream<String, Integer> records) {
    return records.groupByKey("by-key").count("count").sink("out", sink).build();
  }

  private void start(Topology topology) {
    start(topology, UnaryOperator.identity());
  }

  private void start(Topology topology, UnaryOperator<CheckpointConfig> settings) {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .workers(1)
            .keyGroups(16)
            .batchSize(1)
            .stepBudget(2)
            .specialise(false)
            .checkpoints(
                settings.apply(
                    CheckpointConfig.at("simulated")
                        .every(Duration.ofHours(1))
                        .givenUpAfter(TIMEOUT)))
            .build();
    job =
        JobRuntime.start(
            Planner.plan(topology.graph(), 1, 16),
            config,
            new CheckpointPlace(CheckpointLog.open(storage, topology.name()), () -> 1, "test"),
            scheduler,
            RuntimeHooks.NONE);
    run();
  }

  @AfterEach
  void stop() {
    job.close();
  }

  private void run() {
    scheduler.stepped.runUntilQuiet(1_000_000);
  }

  private void checkpoint() {
    job.requestCheckpoint();
    run();
  }

  private void pass(Duration duration) {
    clock.advance(duration);
    run();
  }

  private CheckpointMetrics metrics() {
    return Objects.requireNonNull(job.metrics().checkpoints());
  }

  private List<Long> alignments() {
    return job.metrics().tasks().stream().map(TaskMetrics::alignmentMillis).toList();
  }

  @Test
  void storageThatTakesLongIsNamedWithSizeAndSpeed() {
    start(counting());
    in.offer("a", 1);
    run();
    storage.completing(Duration.ofSeconds(4));
    checkpoint();

    assertThat(metrics().lastDurationMillis()).isEqualTo(4_000);
    assertThat(metrics().lastCause())
        .isEqualTo("4.0 s of them task 1[0] of 'count' stored 11 B in slow storage, at 2 B/s");
  }

  /** The state of 200 keys is written two at a time, and ten records are processed meanwhile. */
  @Test
  void stateThatTakesLongToSerialiseIsNamedWithItsSize() {
    start(
        Topology.builder("slow")
            .source("in", in)
            .typed(String.class, Integer.class)
            .groupByKey("by-key")
            .count("count")
            .peek("after", (k, v) -> clock.advance(Duration.ofMillis(v > 1 ? 500 : 0)))
            .sink("out", sink)
            .build());
    for (int i = 0; i < 200; i++) {
      in.offer("key " + i, 1);
    }
    run();
    job.requestCheckpoint();
    scheduler.withhold("task 0[0]");
    run();
    scheduler.release();
    for (int i = 0; i < 10; i++) {
      in.offer("key 1", 1);
    }
    run();

    assertThat(metrics().lastDurationMillis()).isEqualTo(5_000);
    assertThat(metrics().lastCause())
        .isEqualTo("5.0 s of them task 1[0] of 'count' serialised the state of 'count' (3.2 KiB)");
  }

  @Test
  void logThatTakesLongIsNamed() {
    start(counting());
    storage.creating(Duration.ofSeconds(3));
    checkpoint();

    assertThat(metrics().lastDurationMillis()).isEqualTo(3_000);
    assertThat(metrics().lastCause())
        .isEqualTo("3.0 s of them its entry in the log in slow storage was written");
  }

  @Test
  void writerThatPreparesForLongIsNamed() {
    start(counting());
    in.offer("a", 1);
    run();
    sink.faults(
        (call, moment, writer, number) -> {
          if (call == SinkFaults.Call.PREPARE && moment == SinkFaults.Moment.BEFORE) {
            clock.advance(Duration.ofSeconds(7));
          }
        });
    storage.completing(Duration.ofSeconds(2));
    scheduler.withhold("write out");
    checkpoint();
    scheduler.release();
    run();

    assertThat(metrics().lastDurationMillis()).isEqualTo(9_000);
    assertThat(metrics().lastCause())
        .isEqualTo("7.0 s of them the writer of 'out' in task 1[0] prepared the output");
  }

  @Test
  void sinkOnTheTaskOwnThreadThatPreparesForLongIsNamed() {
    MarkedSink<String, Long> direct = new MarkedSink<>(false);
    direct.faults(
        (call, moment, writer, number) -> {
          if (call == SinkFaults.Call.PREPARE && moment == SinkFaults.Moment.BEFORE) {
            clock.advance(Duration.ofSeconds(5));
          }
        });
    start(
        Topology.builder("slow")
            .source("in", in)
            .typed(String.class, Integer.class)
            .groupByKey("by-key")
            .count("count")
            .sink("direct", direct)
            .build());
    checkpoint();

    assertThat(metrics().lastDurationMillis()).isEqualTo(5_000);
    assertThat(metrics().lastCause())
        .isEqualTo("5.0 s of them task 1[0] of 'count' prepared the output of 'direct'");
  }

  /** Two sources; the records of the first take as many seconds as they say. */
  private Topology merging() {
    TopologyBuilder builder = Topology.builder("slow");
    Stream<String, Integer> beside =
        builder.source("other", other).typed(String.class, Integer.class).rebalance("beside");
    return counting(
        builder
            .source("in", in)
            .typed(String.class, Integer.class)
            .rebalance("spread")
            .peek("enrich", (k, v) -> clock.advance(Duration.ofSeconds(v)))
            .merge("both", beside));
  }

  /** The barrier waits behind two records that take three seconds each. */
  @Test
  void inputThatIsWaitedForIsNamedAndHowLongOthersWereHeld() {
    start(merging());
    scheduler.withhold("task 2[0]");
    in.offer("a", 3);
    in.offer("a", 3);
    run();
    checkpoint();
    scheduler.release();
    run();

    assertThat(metrics().lastDurationMillis()).isEqualTo(6_000);
    assertThat(metrics().alignmentMillis()).isEqualTo(6_000);
    assertThat(metrics().alignedLast()).isEqualTo("task 3[0] of 'both'");
    assertThat(alignments()).containsExactly(0L, 0L, 0L, 6_000L, 0L);
    assertThat(metrics().lastCause())
        .isEqualTo(
            "6.0 s of them task 2[0] of 'enrich' waited for the barrier from 'spread' in task 1[0],"
                + " behind the records before it");
  }

  @Test
  void atLeastOnceInputsAreReadOnAndTheTimeIsMeasuredAllTheSame() {
    start(merging(), CheckpointConfig::atLeastOnce);
    scheduler.withhold("task 2[0]");
    in.offer("a", 3);
    run();
    checkpoint();
    scheduler.release();
    run();

    assertThat(metrics().alignmentMillis()).isEqualTo(3_000);
  }

  /** More than the credits: the last record keeps the source from passing the barrier on. */
  @Test
  void taskWhoseOutputFindsNoRoomIsNamed() {
    start(merging());
    scheduler.withhold("task 2[0]");
    for (int i = 0; i < 3; i++) {
      in.offer("a", 2);
    }
    run();
    checkpoint();
    scheduler.release();
    run();

    assertThat(metrics().lastDurationMillis()).isEqualTo(6_000);
    assertThat(metrics().lastCause())
        .isEqualTo("4.0 s of them task 1[0] of 'in' had no room for its output");
  }

  @Test
  void overtakenTaskHasHeldInputsUntilItWasTold() {
    start(merging(), config -> config.unalignedAfter(Duration.ofSeconds(1)));
    scheduler.withhold("task 2[0]");
    in.offer("a", 0);
    run();
    checkpoint();
    pass(Duration.ofSeconds(1));

    assertThat(alignments()).containsExactly(0L, 0L, 0L, 1_000L, 0L);
    assertThat(metrics().published()).isZero();
    scheduler.release();
    run();
    assertThat(metrics().published()).isEqualTo(1);
    assertThat(metrics().lastDurationMillis()).isEqualTo(1_000);
    assertThat(metrics().alignmentMillis()).isEqualTo(1_000);
    assertThat(metrics().lastCause())
        .isEqualTo("1.0 s of them barriers were waited for before they were overtaken");
  }

  @Test
  void checkpointThatIsNotCompleteInTimeSaysWhichTasksAreMissingAndWhy() {
    start(merging());
    scheduler.withhold("task 2[0]");
    in.offer("a", 1);
    run();
    checkpoint();
    pass(TIMEOUT);

    assertThat(metrics().abandoned()).isEqualTo(1);
    assertThat(metrics().abandonedBecause())
        .isEqualTo(
            "it was not complete within 10 min 0 s:"
                + " task 2[0] of 'enrich' waits for the barrier from 'spread' in task 1[0],"
                + " behind the records before it;"
                + " task 3[0] of 'both' waits for the barrier from 'enrich' in task 2[0];"
                + " task 4[0] of 'count' waits for the barrier from 'by-key' in task 3[0];"
                + " the writer of 'out' in task 4[0] has not written all that comes before it");
  }

  @Test
  void whatHangsInTheStorageOrInAWriterIsMissing() {
    start(counting());
    in.offer("a", 1);
    run();
    scheduler.withhold("write ");
    checkpoint();
    pass(TIMEOUT);

    assertThat(metrics().abandonedBecause())
        .isEqualTo(
            "it was not complete within 10 min 0 s:"
                + " task 1[0] of 'count' stores 11 B in slow storage;"
                + " the writer of 'out' in task 1[0] has not written all that comes before it");
  }

  @Test
  void sourceThatDoesNotComeToItIsMissing() {
    start(counting());
    scheduler.withhold("task 0[0]");
    checkpoint();
    pass(TIMEOUT);

    assertThat(metrics().abandonedBecause())
        .isEqualTo(
            "it was not complete within 10 min 0 s: task 0[0] of 'in' has not come to it;"
                + " task 1[0] of 'count' waits for the barrier from 'by-key' in task 0[0];"
                + " the writer of 'out' in task 1[0] has not written all that comes before it");
  }
}
