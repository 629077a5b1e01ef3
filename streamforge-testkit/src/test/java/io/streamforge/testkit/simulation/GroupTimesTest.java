package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobStatus;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs whose tasks had come to different event times, started anew at another parallelism: what had
 * fired for a key does not fire again, and nothing becomes late for the others.
 */
class GroupTimesTest {
  private static final int RECORDS = 900;
  private static final int[] PARALLELISMS = {2, 3, 1, 2};

  private final SteppedJobs jobs = new SteppedJobs();
  private final MarkedSink<String, String> sink = new MarkedSink<>();

  /** Says of each record that it came 15 ms ago, and when event time has gone back for its key. */
  private static final class Delayed implements Processor<String, Integer, String, String> {
    private LongState watermark;

    @Override
    public void states(StateDeclarations states) {
      watermark = states.longValue("watermark");
    }

    private void checkTime(String key, ProcessorContext<String, String> context) {
      long now = Math.max(context.watermarkMillis(), -1_000_000);
      if (now < watermark.get() - 1_000_000) {
        context.emit(key, "back to " + now);
      }
      watermark.set(now + 1_000_000);
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, String> context) {
      checkTime(key, context);
      context.timers().setEventTimer(context.timestampMillis() + 15);
    }

    @Override
    public void onTimer(
        String key, long timeMillis, TimeDomain domain, ProcessorContext<String, String> context) {
      checkTime(key, context);
      context.emit(key, "until " + timeMillis);
    }
  }

  /** Nodes with event time. */
  private enum Kind {
    TUMBLING(keys -> windowed(keys, Windows.tumbling(Duration.ofMillis(100)), 0)),
    TUMBLING_KEPT(keys -> windowed(keys, Windows.tumbling(Duration.ofMillis(100)), 150)),
    RUNNING_TOTALS(keys -> windowed(keys, Windows.sliding(millis(400), millis(50)), 0)),
    RUNNING_TOTALS_KEPT(keys -> windowed(keys, Windows.sliding(millis(400), millis(50)), 150)),
    TWO_STACKS(
        keys ->
            keys.window(Windows.sliding(millis(400), millis(50)))
                .aggregate("max", Aggregates.max(v -> v % 100))
                .mapValues("named", w -> w.startMillis() + ": " + w.value())),
    A_PANE_EACH(
        keys ->
            keys.window(Windows.sliding(millis(200), millis(100)))
                .allowedLateness(millis(150))
                .discarding()
                .count("count")
                .mapValues("named", w -> w.startMillis() + ": " + w.value())),
    SESSIONS(keys -> windowed(keys, Windows.session(Duration.ofMillis(45)), 0)),
    SESSIONS_KEPT(keys -> windowed(keys, Windows.session(Duration.ofMillis(45)), 150)),
    TIMERS(keys -> keys.process("delayed", Delayed::new)),
    JOINED(
        keys ->
            keys.joinWith(keys)
                .window(Windows.sliding(millis(60), millis(20)))
                .outer("joined", (l, r) -> l + "+" + r)),
    SESSIONS_JOINED(
        keys ->
            keys.joinWith(keys)
                .window(Windows.session(millis(45)))
                .outer("joined", (l, r) -> l + "+" + r)),
    AS_OF(
        keys ->
            keys.joinWith(keys.toTable("rows").filter("even", (k, v) -> v % 2 == 0))
                .left("joined", (v, row) -> v + " at " + row));

    private final Function<KeyedStream<String, Integer>, Stream<String, String>> node;

    Kind(Function<KeyedStream<String, Integer>, Stream<String, String>> node) {
      this.node = node;
    }

    private static Duration millis(long millis) {
      return Duration.ofMillis(millis);
    }

    private static Stream<String, String> windowed(
        KeyedStream<String, Integer> keys, Windows windows, int latenessMillis) {
      return keys.window(windows)
          .allowedLateness(millis(latenessMillis))
          .count("count")
          .mapValues("named", w -> w.startMillis() + ": " + w.value());
    }
  }

  private static KeyedStream<String, Integer> keys(List<List<Record<Object, Object>>> partitions) {
    return Topology.builder("times")
        .source(
            "in",
            new ReplayedSource(
                CollectionSource.of(List.of(Record.of("k", 1, 0))), partitions, false),
            WatermarkStrategy.boundedOutOfOrderness(Duration.ZERO))
        .typed(Object.class, Object.class)
        .map("typed", (k, v) -> KeyValue.of((String) k, (Integer) v))
        .typed(String.class, Integer.class)
        .groupByKey("keys");
  }

  /**
   * Three partitions of records 10 ms apart, or {@code jitterMillis} more or less.
   *
   * @param random what their keys and times are drawn from
   */
  private static List<List<Record<Object, Object>>> partitions(
      SplittableRandom random, int jitterMillis) {
    List<List<Record<Object, Object>>> partitions = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      List<Record<Object, Object>> partition = new ArrayList<>();
      for (int i = p; i < RECORDS; i += 3) {
        long time = i * 10L + (jitterMillis == 0 ? 0 : random.nextInt(jitterMillis));
        partition.add(new Record<>("k" + random.nextInt(11), i, time, null));
      }
      partitions.add(partition);
    }
    return partitions;
  }

  /**
   * Runs it and kills it where times differ, again and again at another parallelism; at every other
   * start as soon as there is a checkpoint, when the task has not caught up.
   */
  private void runWithDeaths(Topology topology) {
    SteppedJobs.Running running = jobs.start(topology, 4, SteppedJobs::atOnce);
    for (int i = 0; i < PARALLELISMS.length; i++) {
      SteppedJobs.Running dying = running;
      boolean atOnce = i % 2 == 1;
      long before = dying.job.restoredFrom();
      jobs.run(
          dying, () -> dying.checkpoints().lastNumber() > before && (atOnce || timesDiffer(dying)));
      assertThat(dying.job.status()).isEqualTo(JobStatus.RUNNING);
      dying.connection.kill();
      running = jobs.start(topology, PARALLELISMS[i], SteppedJobs::atOnce);
      assertThat(running.job.restoredFrom()).isGreaterThan(before);
    }
    jobs.finish(running);
  }

  private boolean timesDiffer(SteppedJobs.Running running) {
    return SteppedJobs.published(jobs.storage()).stream()
        .filter(published -> published.number() == running.checkpoints().lastNumber())
        .flatMap(published -> published.manifest().nodes().stream())
        .anyMatch(
            node ->
                node.times().stream().map(Manifest.GroupTime::firedUpToMillis).distinct().count()
                    > 1);
  }

  private static List<String> shown(MarkedSink<String, String> sink) {
    return sink.records().stream().map(r -> r.key() + " " + r.value()).toList();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void nothingFiresTwiceAndNothingIsLost(Kind kind) {
    MarkedSink<String, String> undisturbed = new MarkedSink<>();
    SteppedJobs others = new SteppedJobs();
    others.finish(
        others.start(
            kind.node
                .apply(keys(partitions(new SplittableRandom(7), 0)))
                .sink("out", undisturbed)
                .build(),
            1,
            SteppedJobs::atOnce));

    runWithDeaths(
        kind.node.apply(keys(partitions(new SplittableRandom(7), 0))).sink("out", sink).build());
    assertThat(shown(sink)).containsExactlyInAnyOrderElementsOf(shown(undisturbed));
    assertThat(shown(sink)).hasSizeGreaterThan(100).noneMatch(s -> s.contains("back to"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void recordThatWasLateForItsKeyStaysLate(int seed) {
    MarkedSink<String, Integer> late = new MarkedSink<>();
    SideOutput<String, Integer> lateOnes = SideOutput.of("late");
    var counts =
        keys(partitions(new SplittableRandom(seed), 200))
            .window(Windows.tumbling(Duration.ofMillis(50)))
            .lateTo(lateOnes)
            .count("count");
    counts.sideOutput(lateOnes).sink("late", late);
    runWithDeaths(
        counts
            .mapValues("named", w -> w.startMillis() + " " + w.value())
            .sink("out", sink)
            .build());

    assertThat(sink.records())
        .extracting(r -> r.key() + " " + r.value().split(" ")[0])
        .doesNotHaveDuplicates();
    int counted =
        sink.records().stream().mapToInt(r -> Integer.parseInt(r.value().split(" ")[1])).sum();
    assertThat(counted + late.records().size()).isEqualTo(RECORDS);
    assertThat(late.records()).isNotEmpty();
  }
}
