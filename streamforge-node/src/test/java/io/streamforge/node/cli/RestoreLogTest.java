package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.runtime.checkpoint.Recovery;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.testkit.storage.SlowStorage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What is logged of the checkpoint that a job goes on from. */
class RestoreLogTest {
  /** Of 1,024 characters each: read in five pieces of 1 MiB. */
  private static final int KEYS = 5_000;

  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Recovery.class);
  private final VirtualClock clock = new VirtualClock(1_700_000_000_000L);
  private final SimulatedStorage storage = new SimulatedStorage(1, clock);
  private MarkedSink<String, Long> sink = new MarkedSink<>();
  private long token;
  private SteppedScheduler scheduler;

  @BeforeEach
  void attach() {
    appender.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  @AfterEach
  void detach() {
    logger.detachAppender(appender);
    logger.setLevel(null);
  }

  private JobRuntime start(SlowStorage in, InMemoryChannel<String, Integer> input) {
    return start(in, null, 1, input);
  }

  private JobRuntime start(
      SlowStorage in,
      @Nullable CheckpointLog from,
      int parallelism,
      InMemoryChannel<String, Integer> input) {
    Topology topology =
        Topology.builder("shop")
            .source("in", input)
            .typed(String.class, Integer.class)
            .groupByKey("by-key")
            .count("count")
            .sink("out", sink)
            .build();
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(parallelism)
            .workers(1)
            .keyGroups(16)
            .specialise(false)
            .checkpoints(CheckpointConfig.at("simulated").every(Duration.ofHours(1)))
            .build();
    appender.list.clear();
    scheduler = new SteppedScheduler(clock, ++token);
    return JobRuntime.start(
        Planner.plan(topology.graph(), parallelism, 16),
        config,
        new CheckpointPlace(
            CheckpointLog.open(in, topology.name()), () -> ++token, "start " + token, from),
        scheduler,
        RuntimeHooks.NONE);
  }

  private void run() {
    scheduler.runUntilQuiet(1_000_000);
  }

  private SlowStorage connect() {
    return new SlowStorage(storage.connect(), clock);
  }

  private static InMemoryChannel<String, Integer> input() {
    return InMemoryChannel.of(KEYS);
  }

  /** Takes a checkpoint, and lets a minute pass. */
  private JobRuntime runUntilCheckpointed() {
    InMemoryChannel<String, Integer> input = input();
    JobRuntime job = start(connect(), input);
    for (int i = 0; i < KEYS; i++) {
      input.offer("%01024d".formatted(i), 1);
    }
    run();
    job.requestCheckpoint();
    run();
    clock.advance(Duration.ofMinutes(1));
    return job;
  }

  private List<String> lines() {
    return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void jobThatBeginsWithoutStateSaysWhy() {
    start(connect(), input());

    assertThat(lines())
        .containsExactly("job 'shop' begins without state: there is no checkpoint in slow storage");
  }

  @Test
  void longRestoreShowsEveryFiveSecondsHowFarItIsAndHowLongItWillTake() {
    runUntilCheckpointed();
    SlowStorage slow = connect();
    slow.reading(Duration.ofSeconds(3));
    JobRuntime job = start(slow, input());

    assertThat(lines())
        .containsExactly(
            "job 'shop' goes on from checkpoint 2 in slow storage, the newest:"
                + " written at 2023-11-14T22:13:20Z, 60.0 s ago, 4.9 MiB with 5,000 entries",
            "checkpoint 2 of job 'shop' is being restored:"
                + " 20 %, 1.0 MiB of 4.9 MiB, at 170.7 KiB/s, 23.6 s left",
            "checkpoint 2 of job 'shop' is being restored:"
                + " 60 %, 3.0 MiB of 4.9 MiB, at 256.1 KiB/s, 7.7 s left",
            "checkpoint 2 of job 'shop' has been restored: 4.9 MiB in 15.0 s, at 337.0 KiB/s");
    CheckpointMetrics metrics = Objects.requireNonNull(job.metrics().checkpoints());
    assertThat(metrics.restoredFrom()).isEqualTo(2);
    assertThat(metrics.restoredBytes()).isEqualTo(5_176_343);
    assertThat(metrics.restoreMillis()).isEqualTo(15_000);
  }

  @Test
  void atAnotherParallelismAPieceIsCountedForEachTaskThatReadsIt() {
    runUntilCheckpointed();
    start(connect(), null, 2, input());

    assertThat(lines())
        .containsExactly(
            "job 'shop' goes on from checkpoint 2 in slow storage, the newest:"
                + " written at 2023-11-14T22:13:20Z, 60.0 s ago, 4.9 MiB with 5,000 entries",
            "checkpoint 2 of job 'shop' has been restored: 9.9 MiB in 0 ms");
  }

  @Test
  void savepointSaysThatItIsOneAndWhyItIsBegunWith() {
    JobRuntime job = runUntilCheckpointed();
    SimulatedStorage place = new SimulatedStorage(2, clock);
    CompletableFuture<Long> savepoint =
        job.savepoint(
            new CheckpointPlace(CheckpointLog.open(place.connect(), "shop"), () -> ++token, "test"),
            false);
    run();
    assertThat(savepoint).isCompletedWithValue(3L);
    sink = new MarkedSink<>();
    start(
        new SlowStorage(new SimulatedStorage(3, clock).connect(), clock),
        CheckpointLog.openExisting(place.connect()),
        1,
        input());

    assertThat(lines())
        .containsExactly(
            "job 'shop' begins with savepoint 3 in simulated storage, since there is no checkpoint"
                + " in slow storage:"
                + " written at 2023-11-14T22:14:20Z, 0 ms ago, 4.9 MiB with 5,000 entries",
            "savepoint 3 of job 'shop' has been restored: 4.9 MiB in 0 ms");
  }

  @Test
  void checkpointThatIsPassedOverIsNamedAndTheOneBeforeItIsTaken() {
    JobRuntime job = runUntilCheckpointed();
    job.requestCheckpoint();
    run();
    storage.damage("log/0000000000000000003", bytes -> new byte[0]);
    start(connect(), input());

    assertThat(lines())
        .containsExactly(
            "checkpoint at entry 3 in slow storage cannot be used: the object"
                + " 'log/0000000000000000003' in slow storage ends at byte 0, in the middle of what"
                + " was written",
            "job 'shop' goes on from checkpoint 2 in slow storage, the newest that can be used"
                + " (passed over: 1): written at 2023-11-14T22:13:20Z, 60.0 s ago, 4.9 MiB with"
                + " 5,000 entries",
            "checkpoint 2 of job 'shop' has been restored: 4.9 MiB in 0 ms");
  }
}
