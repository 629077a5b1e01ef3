package io.streamforge.testkit.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.connector.file.FileSink;
import io.streamforge.connector.stdout.StdoutSink;
import io.streamforge.engine.Engine;
import io.streamforge.error.DeadLetter;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.Headers;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of records that sinks reject. */
class RejectingSinksTest {
  @TempDir Path directory;

  /** Takes numbers; says of others that it refuses them, or does not. */
  private static final class Numbers implements Sink<Void, String> {
    private final List<String> written = Collections.synchronizedList(new ArrayList<>());
    private final boolean blocking;
    private final boolean refuses;

    Numbers(boolean blocking, boolean refuses) {
      this.blocking = blocking;
      this.refuses = refuses;
    }

    @Override
    public SinkWriter<Void, String> writer(SinkContext context) {
      return new SinkWriter<>() {
        @Override
        public void write(
            @Nullable Void key, @Nullable String value, long time, @Nullable Headers headers) {
          KindOfNode.number(value);
          written.add(value);
        }

        @Override
        public boolean refuses(Exception failure) {
          return refuses && failure instanceof NumberFormatException;
        }
      };
    }

    @Override
    public boolean blocking() {
      return blocking;
    }

    @Override
    public String describe() {
      return "numbers";
    }
  }

  private static JobMetrics run(Topology topology, boolean specialise) throws Exception {
    EngineConfig config =
        EngineConfig.builder().parallelism(1).workers(1).specialise(specialise).build();
    try (Engine engine = Engine.start(topology, config)) {
      engine.awaitCompletion();
      return engine.metrics();
    }
  }

  private static TopologyBuilder values(Sink<Void, String> sink, String... values) {
    return Topology.builder("job")
        .source("in", CollectionSource.ofValues(Arrays.asList(values)))
        .sink("out", sink);
  }

  private static void assertBooks(
      NodeMetrics books, long processed, long dropped, long deadLettered) {
    assertThat(List.of(books.processed(), books.droppedTotal(), books.deadLettered()))
        .as("processed, dropped, dead-lettered of %s", books.node())
        .containsExactly(processed, dropped, deadLettered);
    assertThat(books.balanced()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRecordThatASinkRefusesIsSkippedAndCounted(boolean blocking) throws Exception {
    for (boolean specialise : new boolean[] {false, true}) {
      Numbers sink = new Numbers(blocking, true);
      JobMetrics metrics =
          run(
              values(sink, "1", "x", "3", "y").onError("out", ErrorPolicy.skip()).build(),
              specialise);
      assertThat(sink.written).containsExactly("1", "3");
      assertBooks(metrics.node("out"), 2, 2, 0);
      assertThat(metrics.node("out").in()).isEqualTo(4);
      assertThat(metrics.node("out").dropped()).isEqualTo(Map.of("skipped: sink failed", 2L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aRecordThatASinkRefusesGoesToItsDeadLetters(int kinds) throws Exception {
    boolean blocking = (kinds & 1) != 0;
    for (boolean specialise : new boolean[] {false, true}) {
      Numbers sink = new Numbers(blocking, true);
      CollectingSink<byte[], byte[]> collected = Sinks.collect();
      List<String> called = Collections.synchronizedList(new ArrayList<>());
      Sink<byte[], byte[]> letters =
          (kinds & 2) != 0 ? Sinks.forEach(letter -> called.add(Letters.text(letter))) : collected;
      JobMetrics metrics =
          run(
              values(sink, "1", "x", "3", "y")
                  .onError("out", ErrorPolicy.deadLetter(letters))
                  .build(),
              specialise);
      assertThat(sink.written).containsExactly("1", "3");
      assertThat((kinds & 2) != 0 ? called : Letters.texts(collected.records()))
          .containsExactly("null=x NumberFormatException", "null=y NumberFormatException");
      collected
          .records()
          .forEach(
              letter -> assertThat(DeadLetter.of(letter).code()).isEqualTo(ErrorCode.SINK_FAILED));
      assertBooks(metrics.node("out"), 2, 0, 2);
      assertThat(metrics.node("out").in()).isEqualTo(4);
      assertThat(metrics.node("out").out()).isZero();
      assertBooks(metrics.node("out/dead-letters"), 2, 0, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSinkThatDoesNotSayThatItGoesOnFailsTheJobUnderEveryPolicy(boolean blocking) {
    Topology topology =
        values(new Numbers(blocking, false), "1", "x", "3")
            .onError("out", ErrorPolicy.skip())
            .build();
    assertThatThrownBy(() -> run(topology, false))
        .hasMessageContaining("SINK_FAILED")
        .hasMessageContaining("node 'out'");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutAPolicyWhatASinkRefusesFailsTheJob(boolean blocking) {
    Topology topology = values(new Numbers(blocking, true), "1", "x", "3").build();
    assertThatThrownBy(() -> run(topology, false))
        .hasMessageContaining("SINK_FAILED")
        .hasMessageContaining("node 'out'");
  }

  @Test
  void aDeadLetterThatCannotBeWrittenFailsTheJob() {
    for (boolean blocking : new boolean[] {false, true}) {
      Topology topology =
          values(new Numbers(blocking, true), "1", "x", "3")
              .onError(
                  ErrorPolicy.deadLetter(
                      Sinks.forEach(
                          letter -> {
                            throw new IllegalStateException("nowhere to go");
                          })))
              .build();
      assertThatThrownBy(() -> run(topology, false))
          .hasMessageContaining("node 'out/dead-letters'")
          .hasMessageContaining("nowhere to go");
    }
  }

  @Test
  void moreDeadLettersThanTheirSinkHasRoomForWaitAndKeepTheirOrder() throws Exception {
    List<String> values = IntStream.range(0, 20_000).mapToObj(i -> "x" + i).toList();
    List<String> letters = Collections.synchronizedList(new ArrayList<>());
    JobMetrics metrics =
        run(
            values(new Numbers(true, true), values.toArray(new String[0]))
                .onError(
                    ErrorPolicy.deadLetter(
                        Sinks.forEach(letter -> letters.add(Letters.text(letter.value())))))
                .build(),
            false);
    assertThat(letters).isEqualTo(values);
    assertBooks(metrics.node("out"), 0, 0, values.size());
  }

  @Test
  void callbacksRefuseWhateverTheyThrow() throws Exception {
    List<String> taken = Collections.synchronizedList(new ArrayList<>());
    JobMetrics metrics =
        run(
            values(
                    Sinks.forEach(
                        record -> {
                          KindOfNode.number(record.value());
                          taken.add(record.value());
                        }),
                    "1",
                    "x",
                    "3")
                .onError(ErrorPolicy.skip())
                .build(),
            false);
    assertThat(taken).containsExactly("1", "3");
    assertBooks(metrics.node("out"), 2, 1, 0);
  }

  @Test
  void filesHaveNothingOfARecordThatTheirFormatterRejects() throws Exception {
    JobMetrics metrics =
        run(
            values(
                    FileSink.lines(directory, record -> "n" + KindOfNode.number(record.value())),
                    "1",
                    "x",
                    "3")
                .onError(ErrorPolicy.skip())
                .build(),
            false);
    assertBooks(metrics.node("out"), 2, 1, 0);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(RejectingSinksTest::content)).containsExactly("n1\nn3\n");
    }
  }

  private static String content(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void linesOfStandardOutputAreWholeWhenTheirFormatterRejectsSome() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    StdoutSink<Void, String> sink =
        new StdoutSink<Void, String>(record -> "n" + KindOfNode.number(record.value()))
            .to(new PrintStream(printed, true, StandardCharsets.UTF_8));
    JobMetrics metrics =
        run(values(sink, "1", "x", "3").onError(ErrorPolicy.skip()).build(), false);
    assertThat(printed.toString(StandardCharsets.UTF_8).lines()).containsExactly("n1", "n3");
    assertBooks(metrics.node("out"), 2, 1, 0);
  }
}
