package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.testkit.TopologyTestDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One record that becomes many, of which each becomes many, in one stage. */
class FanOutTest {
  /** More than a flatMap pulls in one step. */
  private static final int MANY = 1_500;

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_024})
  void nestedFlatMapsLoseNothingAndKeepTheOrder(int stepBudget) {
    Topology topology =
        nested(
            s ->
                s.flatMapValues("outer", n -> range(3))
                    .typed(String.class, Integer.class)
                    .flatMapValues("inner", n -> offset(n * 10_000, MANY)));

    assertThat(run(topology, stepBudget)).isEqualTo(expected(3));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_024})
  void flatMapBehindAPushingOneLosesNothingAndKeepsTheOrder(int stepBudget) {
    Topology topology =
        nested(
            s ->
                s.<Integer>flatMapValuesTo("outer", (n, out) -> range(50).forEach(out::emit))
                    .typed(String.class, Integer.class)
                    .flatMapValues("inner", n -> offset(n * 10_000, MANY)));

    assertThat(run(topology, stepBudget)).isEqualTo(expected(50));
  }

  @Test
  void flatMapBehindAProcessorThatEmitsSeveralLosesNothing() {
    Topology topology =
        nested(
            s ->
                s.groupByKey("by-key")
                    .process("outer", ThreeOfEach::new)
                    .mapValues("same", n -> n)
                    .typed(String.class, Integer.class)
                    .flatMapValues("inner", n -> offset(n * 10_000, MANY)));

    assertThat(run(topology, 1_024)).isEqualTo(expected(3));
  }

  @Test
  void flatMapsInBothArmsOfADiamondLoseNothing() {
    TopologyBuilder builder = Topology.builder("diamond");
    var numbers =
        builder
            .source("numbers", Sources.<String, Integer>channel(1))
            .typed(String.class, Integer.class);
    var all = numbers.flatMapValues("all", n -> range(4)).typed(String.class, Integer.class);
    var left = all.flatMapValues("left", n -> offset(n * 10_000, MANY));
    var right = all.flatMapValues("right", n -> offset(-n * 10_000 - MANY, MANY));
    left.typed(String.class, Integer.class)
        .merge("both", right.typed(String.class, Integer.class))
        .flatMapValues("twice", n -> List.of(n, n))
        .sink("out", Sinks.collect());

    List<Integer> result = run(builder.build(), 5);

    List<Integer> wanted = new ArrayList<>();
    for (int n = 0; n < 4; n++) {
      for (int i = 0; i < MANY; i++) {
        wanted.addAll(List.of(n * 10_000 + i, n * 10_000 + i));
        wanted.addAll(List.of(-n * 10_000 - MANY + i, -n * 10_000 - MANY + i));
      }
    }
    assertThat(result).containsExactlyInAnyOrderElementsOf(wanted);
  }

  private interface Step {
    io.streamforge.Stream<String, Integer> apply(io.streamforge.Stream<String, Integer> stream);
  }

  private static Topology nested(Step step) {
    TopologyBuilder builder = Topology.builder("nested");
    step.apply(
            builder
                .source("numbers", Sources.<String, Integer>channel(1))
                .typed(String.class, Integer.class))
        .sink("out", Sinks.collect());
    return builder.build();
  }

  private static List<Integer> run(Topology topology, int stepBudget) {
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .workers(1)
            .keyGroups(16)
            .stepBudget(stepBudget)
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.builder(topology).config(config).start()) {
      driver.<String, Integer>input("numbers").pipe("a", 1, 0);
      List<Integer> values = driver.<String, Integer>output("out").readValues();
      driver.end();
      assertThat(driver.finished()).isTrue();
      assertThat(driver.metrics().nodes()).allMatch(NodeMetrics::balanced);
      return values;
    }
  }

  private static List<Integer> expected(int outer) {
    List<Integer> all = new ArrayList<>();
    for (int n = 0; n < outer; n++) {
      all.addAll(offset(n * 10_000, MANY));
    }
    return all;
  }

  private static List<Integer> range(int count) {
    return offset(0, count);
  }

  private static List<Integer> offset(int first, int count) {
    return IntStream.range(first, first + count).boxed().toList();
  }

  private static final class ThreeOfEach implements Processor<String, Integer, String, Integer> {
    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context) {
      for (int n = 0; n < 3; n++) {
        context.emit(key, n);
      }
    }
  }
}
