package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.runtime.JobStatus;
import io.streamforge.source.ReadStatus;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs on real threads: how they end, and what they leave behind. */
class EngineLifecycleTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void cancelledJobEndsAndSaysSo() throws Exception {
    InMemoryChannel<String, Integer> channel = Sources.channel(10);
    try (Engine engine = Engine.start(copying("cancelled", channel, Sinks.collect()), config())) {
      engine.cancel();

      assertThatThrownBy(() -> engine.awaitCompletion(SOON))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.JOB_STOPPED));
      assertThat(engine.status()).isEqualTo(JobStatus.CANCELLED);
    }
  }

  @Test
  void awaitingForAWhileSaysThatTheJobStillRuns() throws Exception {
    InMemoryChannel<String, Integer> channel = Sources.channel(10);
    try (Engine engine = Engine.start(copying("awaited", channel, Sinks.collect()), config())) {
      assertThat(engine.awaitCompletion(Duration.ofMillis(1))).isFalse();
      channel.close();
      assertThat(engine.awaitCompletion(SOON)).isTrue();
      assertThat(engine.status()).isEqualTo(JobStatus.FINISHED);
    }
  }

  @Test
  void drainedJobFinishesWithEverythingThatWasRead() throws Exception {
    InMemoryChannel<String, Integer> channel = Sources.channel(10);
    CollectingSink<String, Integer> sink = Sinks.collect();
    CountDownLatch seen = new CountDownLatch(5);
    TopologyBuilder builder = Topology.builder("drained");
    builder
        .source("in", channel)
        .typed(String.class, Integer.class)
        .peek("see", (k, v) -> seen.countDown())
        .sink("out", sink);
    try (Engine engine = Engine.start(builder.build(), config())) {
      for (int i = 0; i < 5; i++) {
        channel.send("k", i);
      }
      seen.await();
      engine.drain();

      assertThat(engine.awaitCompletion(SOON)).isTrue();
      assertThat(sink.values()).containsExactly(0, 1, 2, 3, 4);
      assertThat(engine.metrics().nodes()).allMatch(NodeMetrics::balanced);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closeReturnsInTimeAlthoughAFunctionOrASinkBlocks(boolean inSink) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    InMemoryChannel<String, Integer> channel = Sources.channel(10);
    TopologyBuilder builder = Topology.builder("blocked");
    var stream = builder.source("in", channel).typed(String.class, Integer.class);
    if (inSink) {
      stream.sink("out", Sinks.forEach(record -> block(entered, never)));
    } else {
      stream.peek("stuck", (k, v) -> block(entered, never)).sink("out", Sinks.none());
    }
    Engine engine =
        Engine.start(
            builder.build(), config().toBuilder().closeTimeout(Duration.ofSeconds(2)).build());
    channel.send("k", 1);
    entered.await();

    long begin = System.nanoTime();
    engine.close();

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(6));
    assertThat(threadsOf("blocked")).isEmpty();
  }

  @Test
  void failureOfAJobWhoseSinkBlocksIsThrownAfterClose() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch failing = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    InMemoryChannel<String, Integer> channel = Sources.channel(10);
    TopologyBuilder builder = Topology.builder("fails-blocked");
    builder
        .source("in", channel)
        .typed(String.class, Integer.class)
        .peek(
            "check",
            (k, v) -> {
              if (v == 2) {
                failing.countDown();
                throw new IllegalArgumentException("no twos");
              }
            })
        .sink("out", Sinks.forEach(record -> block(entered, never)));
    Engine engine =
        Engine.start(
            builder.build(), config().toBuilder().closeTimeout(Duration.ofSeconds(2)).build());
    channel.send("k", 1);
    entered.await();
    channel.send("k", 2);
    failing.await();
    assertThat(engine.awaitCompletion(Duration.ofMillis(1))).isFalse();

    engine.close();

    assertThat(engine.status()).isEqualTo(JobStatus.FAILED);
    assertThatThrownBy(engine::awaitCompletion)
        .hasMessageContaining("node 'check'")
        .hasMessageContaining("no twos");
    assertThat(threadsOf("fails-blocked")).isEmpty();
  }

  @Test
  void closeReturnsInTimeAlthoughAFunctionIgnoresInterrupts() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    InMemoryChannel<String, Integer> channel = Sources.channel(10);
    TopologyBuilder builder = Topology.builder("deaf");
    builder
        .source("in", channel)
        .typed(String.class, Integer.class)
        .peek(
            "stuck",
            (k, v) -> {
              entered.countDown();
              awaitUninterruptibly(leave);
            })
        .sink("out", Sinks.none());
    Engine engine =
        Engine.start(
            builder.build(), config().toBuilder().closeTimeout(Duration.ofSeconds(2)).build());
    channel.send("k", 1);
    entered.await();

    long begin = System.nanoTime();
    engine.close();

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
    assertThat(engine.status()).isEqualTo(JobStatus.CANCELLED);
    leave.countDown();
    for (Thread thread : threadsOf("deaf")) {
      thread.join();
    }
  }

  @Test
  void twoHundredJobsLeaveNoThreadBehind() throws Exception {
    for (int i = 0; i < 200; i++) {
      InMemoryChannel<String, Integer> channel = Sources.channel(10);
      TopologyBuilder builder = Topology.builder("many-jobs");
      builder
          .source("in", channel)
          .typed(String.class, Integer.class)
          .groupByKey("by-key")
          .count("count")
          .sink("out", Sinks.forEach(record -> {}));
      Engine engine = Engine.start(builder.build(), config());
      channel.send("k", i);
      if (i % 2 == 0) {
        channel.close();
        engine.awaitCompletion();
      }
      engine.close();
    }

    assertThat(threadsOf("many-jobs")).isEmpty();
  }

  @Test
  void blockingReaderIsClosedHoweverTheJobEnds() throws Exception {
    for (int i = 0; i < 50; i++) {
      TestSources.Reading source = new TestSources.Reading(true, output -> ReadStatus.WAITING);
      Engine engine = Engine.start(copying("closing", source, Sinks.none()), config());
      if (i % 2 == 0) {
        engine.cancel();
      }
      engine.close();

      assertThat(source.openReaders).hasValue(0);
      assertThat(source.openEnumerators).hasValue(0);
    }
  }

  @Test
  void blockingReaderThatWaitsIsAskedAgainAndAgain() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    CountDownLatch arrived = new CountDownLatch(1);
    TestSources.Reading source =
        new TestSources.Reading(
            true,
            output -> {
              if (reads.incrementAndGet() == 20) {
                output.emit(0, "k", 1, 1, null, 1);
              }
              return ReadStatus.WAITING;
            });
    Topology topology = copying("polled", source, Sinks.forEach(record -> arrived.countDown()));
    try (Engine engine = Engine.start(topology, config())) {
      arrived.await();
      assertThat(engine.status()).isEqualTo(JobStatus.RUNNING);
    }
  }

  @Test
  void readerThatOnlySkipsGoesOn() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    CountDownLatch arrived = new CountDownLatch(1);
    TestSources.Reading source =
        new TestSources.Reading(
            false,
            output -> {
              int n = reads.incrementAndGet();
              if (n < 20) {
                output.skip(0, "empty", n);
              } else if (n == 20) {
                output.emit(0, "k", 1, 1, null, n);
              } else {
                return ReadStatus.WAITING;
              }
              return ReadStatus.MORE;
            });
    Topology topology = copying("skipping", source, Sinks.forEach(record -> arrived.countDown()));
    try (Engine engine = Engine.start(topology, config())) {
      arrived.await();
      assertThat(engine.metrics().node("in").dropped()).containsEntry("empty", 19L);
    }
  }

  @Test
  void slowSinkUnderAnEndlessSourceKeepsTheRecordsInFlightBounded() throws Exception {
    AtomicLong made = new AtomicLong();
    AtomicLong written = new AtomicLong();
    AtomicLong most = new AtomicLong();
    CountDownLatch enough = new CountDownLatch(3_000);
    TopologyBuilder builder = Topology.builder("slow-sink");
    builder
        .source("in", Sources.generator((index, random) -> made.incrementAndGet()))
        .typed(Void.class, Long.class)
        .rebalance("spread")
        .sink(
            "out",
            Sinks.forEach(
                record -> {
                  most.accumulateAndGet(made.get() - written.incrementAndGet(), Math::max);
                  Thread.onSpinWait();
                  enough.countDown();
                }));
    EngineConfig config =
        config().toBuilder().parallelism(2).batchSize(16).creditsPerChannel(2).build();
    try (Engine engine = Engine.start(builder.build(), config)) {
      enough.await();
      engine.cancel();
    }

    // 4 channels between the tasks and 2 to the sinks, 2 batches each, those that are being read,
    // and a generator's read-ahead of a step.
    assertThat(most.get()).isLessThan(6 * 2 * 32 + 2 * 16 + 2 * 1_024);
  }

  @Test
  void idleJobUsesNextToNoProcessorTime() throws Exception {
    InMemoryChannel<String, Integer> channel = Sources.channel(10);
    TopologyBuilder builder = Topology.builder("idle-job");
    builder
        .source(
            "in",
            channel,
            io.streamforge.time.WatermarkStrategy.<String, Integer>monotonous()
                .timestamps((k, v, t) -> v)
                .idleAfter(Duration.ofMillis(50)))
        .typed(String.class, Integer.class)
        .groupByKey("by-key")
        .count("count")
        .sink("out", Sinks.forEach(record -> {}));
    try (Engine engine =
        Engine.start(builder.build(), config().toBuilder().parallelism(4).build())) {
      channel.send("k", 1);
      assertBecomesIdle(engine, "idle-job");
    }
  }

  @Test
  void readerThatBlocksLongerThanTheIdleTimeoutKeepsNoWorkerBusy() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    TestSources.Reading source =
        new TestSources.Reading(
            true,
            output -> {
              release.await();
              return ReadStatus.WAITING;
            });
    TopologyBuilder builder = Topology.builder("long-read");
    builder
        .source(
            "in",
            source,
            io.streamforge.time.WatermarkStrategy.<String, Integer>monotonous()
                .idleAfter(Duration.ofMillis(10)))
        .sink("out", Sinks.none());
    try (Engine engine = Engine.start(builder.build(), config())) {
      assertBecomesIdle(engine, "long-read");
      release.countDown();
    }
  }

  private static Topology copying(
      String name,
      io.streamforge.source.Source<String, Integer> source,
      io.streamforge.sink.Sink<String, Integer> sink) {
    TopologyBuilder builder = Topology.builder(name);
    builder.source("in", source).typed(String.class, Integer.class).sink("out", sink);
    return builder.build();
  }

  private static EngineConfig config() {
    return EngineFailureTest.config(1);
  }

  private static void block(CountDownLatch entered, CountDownLatch never) {
    entered.countDown();
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException e) {
        // As a function that does not care.
      }
    }
  }

  private static List<Thread> threadsOf(String job) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("streamforge-" + job + "-"))
        .toList();
  }

  /**
   * Waits for a second in which the job uses less than 1 % of a processor. Whatever else happens on
   * the machine only adds to what is measured, so one quiet second shows that the job itself is
   * quiet; a job that spins has none.
   */
  private static void assertBecomesIdle(Engine engine, String job) throws Exception {
    Duration least = Duration.ofDays(1);
    for (int second = 0; second < 15 && least.compareTo(Duration.ofMillis(10)) >= 0; second++) {
      long before = cpuNanos(job);
      assertThat(engine.awaitCompletion(Duration.ofSeconds(1))).isFalse();
      Duration used = Duration.ofNanos(cpuNanos(job) - before);
      least = used.compareTo(least) < 0 ? used : least;
    }

    assertThat(least).isLessThan(Duration.ofMillis(10));
  }

  private static long cpuNanos(String job) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threadsOf(job).stream()
        .mapToLong(t -> Math.max(0, threads.getThreadCpuTime(t.getId())))
        .sum();
  }
}
