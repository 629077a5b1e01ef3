package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cases of state that is restored, in jobs that start anew from a checkpoint. */
class RestartCasesTest {
  /** Counts up; a negative number forgets the count. */
  private static final class Counting implements Processor<String, Integer, String, Long> {
    private LongState count;

    @Override
    public void states(StateDeclarations states) {
      count = states.longValue("count");
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, Long> context) {
      if (value < 0) {
        count.clear();
      } else {
        context.emit(key, count.add(value));
      }
    }
  }

  private static TopologyTestDriver.Builder counting() {
    return TopologyTestDriver.builder(
            Topology.builder("counting")
                .source("in", Sources.collection(List.of(Record.of("k", 1, 0))))
                .groupByKey("keys")
                .process("count", Counting::new)
                .sink("out", Sinks.none())
                .build())
        .checkpoints();
  }

  @Test
  void a04KeysThatWereDeletedStayDeletedWhenChangesAreRestored() {
    try (TopologyTestDriver driver = counting().start()) {
      TestInput<String, Integer> input = driver.input("in");
      TestOutput<String, Long> output = driver.output("out");
      input.pipe("kept", 1, 0).pipe("deleted", 1, 0);
      driver.restart();
      input.pipe("deleted", -1, 0);
      driver.restart();
      driver.restart();
      output.readAll();
      input.pipe("kept", 1, 0).pipe("deleted", 1, 0);

      assertThat(output.readKeyValues())
          .containsExactly(KeyValue.of("kept", 2L), KeyValue.of("deleted", 1L));
    }
  }

  @Test
  void c07KeysInFewOfManyGroupsAreRestoredByWhoeverOwnsTheirGroups() {
    EngineConfig config =
        EngineConfig.builder().parallelism(1).workers(1).keyGroups(1_024).specialise(false).build();
    try (TopologyTestDriver driver = counting().config(config).checkpoints().start()) {
      TestInput<String, Integer> input = driver.input("in");
      TestOutput<String, Long> output = driver.output("out");
      for (int parallelism : new int[] {1, 7, 128, 2, 1}) {
        input.pipe("a", 1, 0).pipe("b", 1, 0).pipe("c", 1, 0);
        driver.restart(parallelism);
      }
      output.readAll();
      input.pipe("a", 1, 0).pipe("b", 1, 0).pipe("c", 1, 0);

      assertThat(output.readKeyValues())
          .containsExactlyInAnyOrder(
              KeyValue.of("a", 6L), KeyValue.of("b", 6L), KeyValue.of("c", 6L));
    }
  }

  @Test
  void c13CheckpointsGoOnWhenTheWallClockJumpsBackAnHour() {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .workers(1)
            .keyGroups(16)
            .specialise(false)
            .checkpoints(CheckpointConfig.at("memory").every(Duration.ofSeconds(10)))
            .build();
    try (TopologyTestDriver driver =
        counting().config(config).startMillis(Duration.ofHours(10).toMillis()).start()) {
      driver.advanceTime(Duration.ofSeconds(35));
      assertThat(published(driver)).isEqualTo(3);
      driver.clock().jumpTo(Duration.ofHours(9).toMillis());
      driver.advanceTime(Duration.ofSeconds(30));
      assertThat(published(driver)).isEqualTo(6);
    }
  }

  private static TopologyTestDriver.Builder windows(long seed) {
    return TopologyTestDriver.builder(
            Topology.builder("windows")
                .source(
                    "in",
                    Sources.collection(List.of(Record.of("k", 1, 0))),
                    WatermarkStrategy.<String, Integer>monotonous()
                        .unaligned()
                        .idleAfter(Duration.ofSeconds(5)))
                .groupByKey("keys")
                .window(Windows.tumbling(Duration.ofMillis(50)))
                .count("count")
                .sink("out", Sinks.none())
                .build())
        .parallelism(2)
        .seed(seed)
        .partitions("in", 2)
        .checkpoints();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void recordsOfAnInputThatWasIdleAreLateAndFailNothing(boolean restarted) {
    for (long seed = 0; seed < 20; seed++) {
      try (TopologyTestDriver driver = windows(seed).start()) {
        TestInput<String, Integer> idle = driver.input("in", 0);
        TestInput<String, Integer> ahead = driver.input("in", 1);
        idle.pipe("k", 1, 10);
        driver.advanceTime(Duration.ofSeconds(6));
        ahead.pipe("k", 1, 20).pipe("k", 1, 200);
        if (restarted) {
          driver.restart();
        }
        for (int i = 0; i < 8; i++) {
          idle.pipe("k", 1, 30);
        }
        driver.end();

        assertThat(driver.finished()).isTrue();
        TestOutput<String, Windowed<Long>> output = driver.output("out");
        assertThat(output.readAll().stream().map(r -> r.value().toString()))
            .as("seed %d", seed)
            .containsExactlyInAnyOrder("[0,50)=2", "[200,250)=1");
        assertThat(driver.metrics().node("count").late()).isEqualTo(8);
      }
    }
  }

  private static long published(TopologyTestDriver driver) {
    CheckpointMetrics checkpoints = driver.metrics().checkpoints();
    return checkpoints == null ? -1 : checkpoints.published();
  }
}
