package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.RestartStrategy;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/checkpoints.md} shows. */
class CheckpointsTest {
  @TempDir private Path directory;

  @Test
  void engineTakesCheckpointsAndGoesOnFromThem() throws Exception {
    Path words = Files.writeString(directory.resolve("words.txt"), "a\nb\na\n");
    Path output = directory.resolve("counts");
    // tag::job[]
    Topology topology =
        Topology.builder("word-count")
            .source("words", Sources.lines(words))
            .groupBy("by-word", (position, word) -> word)
            .count("counts")
            .sink("out", FileSink.lines(output))
            .build();
    // end::job[]
    String location = directory.resolve("state").toString();
    // tag::config[]
    EngineConfig config =
        EngineConfig.builder()
            .checkpoints(
                CheckpointConfig.at(location)
                    .every(Duration.ofSeconds(10))
                    .givenUpAfter(Duration.ofMinutes(10))
                    .retain(3))
            .restart(RestartStrategy.backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)))
            .build();
    try (Engine engine = Engine.start(topology, config)) {
      engine.awaitCompletion();
    }
    // end::config[]

    assertThat(lines(output)).containsExactlyInAnyOrder("a=1", "b=1", "a=2");
    try (Engine again = Engine.start(topology, config)) {
      again.awaitCompletion();
      CheckpointMetrics metrics = again.metrics().checkpoints();
      assertThat(metrics).isNotNull();
      assertThat(metrics.restoredFrom()).isPositive();
    }
    assertThat(lines(output)).containsExactlyInAnyOrder("a=1", "b=1", "a=2");
  }

  @Test
  void savepointStartsAnotherJob() throws Exception {
    String location = directory.resolve("state").toString();
    String savepoint = directory.resolve("savepoint").toString();
    Topology topology =
        Topology.builder("endless")
            .source("numbers", Sources.generator((i, random) -> (int) (i % 3)).ratePerSecond(1_000))
            .groupBy("by-number", (key, number) -> number)
            .count("counts")
            .sink("out", Sinks.none())
            .build();
    EngineConfig settings =
        EngineConfig.builder().checkpoints(CheckpointConfig.at(location)).build();
    try (Engine engine = Engine.start(topology, settings)) {
      // tag::savepoint[]
      long number = engine.savepoint(savepoint);
      // end::savepoint[]
      assertThat(number).isPositive();
    }
    String newLocation = directory.resolve("new").toString();
    // tag::from[]
    EngineConfig config =
        EngineConfig.builder()
            .checkpoints(CheckpointConfig.at(newLocation).startingFrom(savepoint))
            .build();
    // end::from[]
    try (Engine engine = Engine.start(topology, config)) {
      CheckpointMetrics metrics = engine.metrics().checkpoints();
      assertThat(metrics).isNotNull();
      assertThat(metrics.restoredFrom()).isPositive();
    }
  }

  private static List<String> lines(Path directory) throws Exception {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Test
  void driverStartsAnewFromACheckpoint() {
    Topology topology =
        Topology.builder("count")
            .source("in", Sources.collection(List.of(Record.of("a", 1, 0))))
            .groupByKey("by-key")
            .count("counts")
            .sink("out", Sinks.none())
            .build();
    // tag::driver[]
    try (TopologyTestDriver driver = TopologyTestDriver.builder(topology).checkpoints().start()) {
      TestOutput<String, Long> output = driver.output("out");
      driver.<String, Integer>input("in").pipe("a", 1, 1_000);
      driver.restart(3);
      driver.<String, Integer>input("in").pipe("a", 1, 2_000);
      assertThat(output.readKeyValues())
          .containsExactly(KeyValue.of("a", 1L), KeyValue.of("a", 2L));
    }
    // end::driver[]
  }
}
