package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.file.FileSource;
import io.streamforge.engine.Engine;
import io.streamforge.runtime.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows. */
class ReadmeTest {
  private static final Set<String> STOP_WORDS = Set.of("the", "a");

  private static List<String> words(String line) {
    return List.of(line.split(" "));
  }

  @Test
  void theFirstExampleRuns(@TempDir Path directory) throws IOException, InterruptedException {
    Path path = Files.writeString(directory.resolve("words.txt"), "the fox and the dog\n");
    // tag::wordcount[]
    Topology topology =
        Topology.builder("wordcount")
            .source("lines", FileSource.lines(path))
            .flatMapValues("split", line -> words(line))
            .filter("no-stop-words", (key, word) -> !STOP_WORDS.contains(word))
            .groupBy("word", (key, word) -> word)
            .count("counter")
            .sink("output", Sinks.stdout())
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults())) {
      engine.awaitCompletion();
      // end::wordcount[]
      assertThat(engine.status()).isEqualTo(JobStatus.FINISHED);
      assertThat(engine.metrics().node("output").in()).isEqualTo(3);
      Pages.assertShows("README.md", "explain", topology.explain().text());
      // tag::wordcount[]
    }
    // end::wordcount[]
  }
}
