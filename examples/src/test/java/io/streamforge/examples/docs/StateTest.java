package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.StateConfig;
import io.streamforge.connector.Sources;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/state.md} shows. */
class StateTest {
  @TempDir private Path temporary;

  @Test
  void stateIsInRocksDb() throws Exception {
    Path words = Files.writeString(temporary.resolve("words.txt"), "a\nb\na\n");
    Path output = temporary.resolve("counts");
    Topology topology =
        Topology.builder("word-count")
            .source("words", Sources.lines(words))
            .groupBy("by-word", (position, word) -> word)
            .count("counts")
            .sink("out", FileSink.lines(output))
            .build();
    Path directory = temporary.resolve("local");
    // tag::config[]
    EngineConfig config =
        EngineConfig.builder()
            .state(
                StateConfig.of("rocksdb")
                    .inDirectory(directory)
                    .withNativeMemory(512L << 20)
                    .withNode("counts", "memory"))
            .build();
    // end::config[]
    EngineConfig all =
        config.toBuilder().state(StateConfig.of("rocksdb").inDirectory(directory)).build();
    for (EngineConfig each : List.of(config, all)) {
      try (Engine engine = Engine.start(topology, each)) {
        engine.awaitCompletion();
      }
    }

    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(lines).containsExactlyInAnyOrder("a=1", "b=1", "a=2", "a=1", "b=1", "a=2");
  }
}
