package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.testkit.simulation.RandomTopology;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Topologies drawn from a seed, run in an order of steps and with settings drawn from it, give what
 * a plain computation over lists gives.
 */
class RandomTopologyTest {
  private static final int SEEDS = 900;
  private static final long AT_THE_END = 1_000_000_000_000L;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void randomTopologiesGiveWhatPlainComputationGives(int part) {
    for (long seed = part; seed < SEEDS; seed += 6) {
      long trace = runAndCompare(seed);
      if (seed % 10 == part) {
        assertThat(runAndCompare(seed)).as("trace of seed %d", seed).isEqualTo(trace);
      }
    }
  }

  @Test
  void valueChangedAfterItsEmissionNamesTheNodeThatEmittedIt() {
    TopologyBuilder builder = Topology.builder("mutable");
    builder
        .source("in", InMemoryChannel.<String, Integer>timestamped(1))
        .typed(String.class, Integer.class)
        .mapValues("make", v -> new byte[] {v.byteValue()})
        .typed(String.class, byte[].class)
        .peek("spoil", (k, v) -> v[0]++)
        .sink("out", Sinks.none());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      assertThatThrownBy(() -> driver.<String, Integer>input("in").pipe("a", 1, 0))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.VALUE_MUTATED);
                assertThat(e.context().node()).isEqualTo("make");
              });
    }
  }

  /** The order of steps, for the same seed the same. */
  private static long runAndCompare(long seed) {
    RandomTopology drawn = new RandomTopology(seed);
    TopologyTestDriver.Builder settings = TopologyTestDriver.builder(drawn.topology()).stress(seed);
    drawn.inputs().forEach((name, partitions) -> settings.partitions(name, partitions.size()));
    try (TopologyTestDriver driver = settings.start()) {
      drawn
          .inputs()
          .forEach(
              (name, partitions) -> {
                for (int p = 0; p < partitions.size(); p++) {
                  driver.<String, Integer>input(name, p).pipeAll(partitions.get(p));
                }
              });
      driver.advanceTime(Duration.ofMillis(50));
      driver.end();
      assertThat(driver.finished()).as("seed %d has finished", seed).isTrue();
      drawn
          .expected()
          .forEach(
              (sink, expected) ->
                  assertThat(driver.<String, Integer>output(sink).readKeyValues())
                      .as("seed %d, sink %s", seed, sink)
                      .containsExactlyInAnyOrderElementsOf(expected));
      assertThat(driver.metrics().nodes())
          .as("books of seed %d", seed)
          .allMatch(NodeMetrics::balanced);
      return driver.trace();
    }
  }
}
