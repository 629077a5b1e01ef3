package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.engine.Engine;
import io.streamforge.error.DeadLetter;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import io.streamforge.testkit.TopologyTestDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/errors.md} shows. */
class ErrorsTest {
  @TempDir private Path directory;

  @Test
  void policyOfANode() {
    Stream<String, String> lines = DocRun.strings();
    // tag::node[]
    Stream<String, Integer> numbers =
        lines.mapValues("parse", line -> Integer.parseInt(line)).onError(ErrorPolicy.skip());
    // end::node[]
    try (DocRun run = DocRun.start(numbers)) {
      run.pipe(DocRun.at(1, "k", "1"), DocRun.at(2, "k", "one"), DocRun.at(3, "k", "3"));
      assertThat(run.read()).containsExactly("k=1@1", "k=3@3");
      // tag::metrics[]
      NodeMetrics parse = run.metrics().node("parse");
      assertThat(parse.in()).isEqualTo(3);
      assertThat(parse.processed()).isEqualTo(2);
      assertThat(parse.dropped()).isEqualTo(Map.of("skipped: function failed", 1L));
      // end::metrics[]
    }
  }

  @Test
  void policyOfAJob() throws Exception {
    Path file = Files.writeString(directory.resolve("orders.txt"), "3\nfour\n5\n");
    Path letters = directory.resolve("letters");
    Sink<Void, Long> results = Sinks.none();
    Sink<Void, String> audit = Sinks.none();
    // tag::job[]
    Topology topology =
        Topology.builder("orders")
            .onError(
                ErrorPolicy.deadLetters(
                    node -> Sinks.lines(letters.resolve(node), DeadLetter::line)))
            .source("read", Sources.lines(file))
            .mapValues("parse", line -> Long.parseLong(line))
            .sink("out", results)
            .onError("out", ErrorPolicy.fail())
            .build();
    // end::job[]
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(1).build())) {
      engine.awaitCompletion();
      assertThat(engine.metrics().node("parse").deadLettered()).isEqualTo(1);
    }
    assertThat(content(letters.resolve("parse")))
        .containsExactly(
            "parse\tFUNCTION_FAILED\tjava.lang.NumberFormatException: For input string: \"four\"\t"
                + "split "
                + file
                + ", position 2\tfour");
    assertThat(audit.describe()).isEqualTo("nothing");
  }

  private static List<String> content(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  @Test
  void deadLettersAreRead() {
    List<String> alarms = Collections.synchronizedList(new ArrayList<>());
    // tag::read[]
    Sink<byte[], byte[]> alarm =
        Sinks.forEach(
            letter -> {
              DeadLetter read = DeadLetter.of(letter);
              alarms.add(read.node() + ": " + read.exception() + " at " + read.position());
            });
    // end::read[]
    Topology topology =
        DocRun.strings()
            .mapValues("parse", line -> Integer.parseInt(line))
            .onError(ErrorPolicy.deadLetter(alarm))
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      driver.<String, String>input(DocRun.SOURCE).pipe("k", "one", 1);
      // tag::test[]
      Record<byte[], byte[]> letter = driver.<byte[], byte[]>output("parse/dead-letters").read();
      assertThat(letter.value()).asString().isEqualTo("one");
      assertThat(DeadLetter.of(letter).exception()).isEqualTo("java.lang.NumberFormatException");
      // end::test[]
    }
    assertThat(alarms).isEmpty();
  }

  @Test
  void alarmsAreRaised() throws Exception {
    List<String> alarms = Collections.synchronizedList(new ArrayList<>());
    CollectingSink<Void, Integer> results = Sinks.collect();
    Topology topology =
        Topology.builder("docs")
            .source("in", Sources.values("1", "one"))
            .mapValues("parse", line -> Integer.parseInt(line))
            .onError(
                ErrorPolicy.deadLetter(
                    Sinks.forEach(letter -> alarms.add(DeadLetter.of(letter).node()))))
            .sink("out", results)
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults())) {
      engine.awaitCompletion();
    }
    assertThat(results.values()).containsExactly(1);
    assertThat(alarms).containsExactly("parse");
  }
}
