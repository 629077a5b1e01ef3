package io.streamforge.testkit.cases;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.connector.file.FileSink;
import io.streamforge.connector.file.FileSource;
import io.streamforge.engine.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that grow and appear while a job runs, and parts that are rolled. */
class FollowedFilesTest {
  @TempDir Path directory;

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Test
  void growingAndNewFilesAreFollowedLineByLine() throws Exception {
    Path first = directory.resolve("1.log");
    append(first, "a\nincom");
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Topology topology =
        Topology.builder("tail")
            .source("in", FileSource.lines(directory).follow(Duration.ofMillis(5)))
            .sink("out", Sinks.<Void, String>forEach(record -> lines.add(record.value())))
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(2).build())) {
      assertThat(lines.poll(20, TimeUnit.SECONDS)).isEqualTo("a");
      append(first, "plete\n");
      assertThat(lines.poll(20, TimeUnit.SECONDS)).isEqualTo("incomplete");
      append(directory.resolve("2.log"), "b\n");
      assertThat(lines.poll(20, TimeUnit.SECONDS)).isEqualTo("b");
      append(first, "c\n");
      assertThat(lines.poll(20, TimeUnit.SECONDS)).isEqualTo("c");
      assertThat(engine.close(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(lines).isEmpty();
  }

  @Test
  void partsAreRolledBySizeAndHoldAllLinesInOrder() throws Exception {
    Path into = directory.resolve("out");
    List<String> values = new ArrayList<>();
    for (int i = 100; i < 200; i++) {
      values.add("value" + i);
    }
    Topology topology =
        Topology.builder("roll")
            .source("in", CollectionSource.ofValues(values))
            .sink("out", FileSink.<Void, String>lines(into).rollBytes(90))
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(1).build())) {
      engine.awaitCompletion();
    }
    List<String> written = new ArrayList<>();
    try (Stream<Path> parts = Files.list(into)) {
      for (Path part : parts.sorted().toList()) {
        assertThat(Files.size(part)).isLessThanOrEqualTo(99);
        written.addAll(Files.readAllLines(part));
      }
    }
    assertThat(written).isEqualTo(values);
  }
}
