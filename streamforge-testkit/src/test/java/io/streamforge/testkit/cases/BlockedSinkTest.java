package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sources;
import io.streamforge.plan.Planner;
import io.streamforge.record.Headers;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.source.Source;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Case I08: a sink that blocks for a minute, in which everything else has all the steps that it
 * wants. What is under way is counted, since it is what memory holds.
 */
class BlockedSinkTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long RECORDS = 20_000;
  private static final long BLOCKS_AT = 5_000;
  private static final int STEPS_TO_REST = 100_000;

  private final VirtualClock clock = new VirtualClock(0);
  private SteppedScheduler scheduler = new SteppedScheduler(clock, 1);

  private long made;
  private long written;
  private long sum;
  private boolean hasBlocked;

  /** Records made and not yet written, when all the others had come to rest. */
  private long heldAtRest;

  /** The same at the end of the minute. */
  private long heldAfterAMinute;

  /** Blocks at one record for a minute. */
  private final class BlockingSink<K> implements Sink<K, Long> {
    @Override
    public SinkWriter<K, Long> writer(SinkContext context) {
      return new SinkWriter<>() {
        @Override
        public void write(
            @Nullable K key,
            @Nullable Long value,
            long timestampMillis,
            @Nullable Headers headers) {
          if (!hasBlocked && written == BLOCKS_AT) {
            hasBlocked = true;
            block();
          }
          written++;
          sum += value == null ? 0 : value;
        }
      };
    }

    @Override
    public String describe() {
      return "blocking";
    }
  }

  private void block() {
    scheduler.runUntilQuiet(STEPS_TO_REST);
    heldAtRest = made - written;
    long end = clock.monotonicNanos() + MINUTE.toNanos();
    while (clock.monotonicNanos() < end) {
      long next = Math.min(end, scheduler.nextDeadlineNanos());
      clock.advance(Duration.ofNanos(Math.max(1, next - clock.monotonicNanos())));
      scheduler.runUntilQuiet(STEPS_TO_REST);
    }
    heldAfterAMinute = made - written;
  }

  private static EngineConfig config(int parallelism, int batchSize, int credits) {
    return EngineConfig.builder()
        .parallelism(parallelism)
        .workers(1)
        .keyGroups(16)
        .batchSize(batchSize)
        .creditsPerChannel(credits)
        .build()
        .validate();
  }

  private void run(Topology topology, EngineConfig config, long seed) {
    scheduler = new SteppedScheduler(clock, seed);
    JobRuntime job =
        JobRuntime.start(
            Planner.plan(topology.graph(), config.parallelism(), config.keyGroups()),
            config,
            scheduler,
            RuntimeHooks.NONE);
    while (written < RECORDS) {
      if (!scheduler.step()) {
        long next = scheduler.nextDeadlineNanos();
        assertThat(next).as("somebody is still to do something").isNotEqualTo(Long.MAX_VALUE);
        clock.advance(Duration.ofNanos(Math.max(1, next - clock.monotonicNanos())));
      }
    }
    job.close();
  }

  private Source<Void, Long> numbers() {
    return Sources.generator(
            (index, random) -> {
              made++;
              return index;
            })
        .splits(1)
        .count(RECORDS);
  }

  private void assertHeld(long most) {
    assertThat(hasBlocked).isTrue();
    assertThat(heldAtRest).isPositive().isLessThanOrEqualTo(most);
    assertThat(heldAfterAMinute).isEqualTo(heldAtRest);
    assertThat(written).isEqualTo(RECORDS);
    assertThat(sum).isEqualTo(RECORDS * (RECORDS - 1) / 2);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "16, 2, 2", "512, 16, 3"})
  void i08ASinkThatBlocksStopsTheSourceOfItsStage(int batchSize, int credits, long seed) {
    Topology topology =
        Topology.builder("fused")
            .source("in", numbers())
            .sink("out", new BlockingSink<Void>())
            .build();
    run(topology, config(1, batchSize, credits), seed);
    // What the channel holds, and a record that found no room.
    assertHeld((long) batchSize * credits + 1);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1, 1", "1, 16, 2, 2", "2, 16, 2, 3", "2, 512, 16, 4"})
  void i08ASinkThatBlocksStopsTheSourceBehindAnExchange(
      int parallelism, int batchSize, int credits, long seed) {
    Topology topology =
        Topology.builder("exchange")
            .source("in", numbers())
            .groupBy("by-key", (key, value) -> value % 100)
            .reduce("last", (before, value) -> value)
            .sink("out", new BlockingSink<Long>())
            .build();
    run(topology, config(parallelism, batchSize, credits), seed);
    // The channels between the tasks and those to the sinks, and a record of each task that found
    // no room in them.
    long channels = (long) parallelism * parallelism + parallelism;
    assertHeld(channels * batchSize * credits + 2L * parallelism);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "16, 2, 2", "512, 16, 3"})
  void i08ASinkThatBlocksStopsTheExpansionOfOneRecord(int batchSize, int credits, long seed) {
    Topology topology =
        Topology.builder("fan-out")
            .source("in", Sources.values("all"))
            .flatMapValues("expand", all -> this::numbersOfOne)
            .sink("out", new BlockingSink<Void>())
            .build();
    run(topology, config(1, batchSize, credits), seed);
    assertHeld((long) batchSize * credits + 1);
  }

  private Iterator<Long> numbersOfOne() {
    return new Iterator<>() {
      private long next;

      @Override
      public boolean hasNext() {
        return next < RECORDS;
      }

      @Override
      public Long next() {
        made++;
        return next++;
      }
    };
  }
}
