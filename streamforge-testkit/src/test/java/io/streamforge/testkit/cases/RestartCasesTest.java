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
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

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

  private static long published(TopologyTestDriver driver) {
    CheckpointMetrics checkpoints = driver.metrics().checkpoints();
    return checkpoints == null ? -1 : checkpoints.published();
  }
}
