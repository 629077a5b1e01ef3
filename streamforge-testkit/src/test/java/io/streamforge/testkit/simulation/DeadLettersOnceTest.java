package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.file.FileSink;
import io.streamforge.connector.file.FileSource;
import io.streamforge.error.DeadLetter;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.record.Headers;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.sink.SinkFaults;
import io.streamforge.time.WatermarkStrategy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters through a committing sink are there exactly once, wherever the job dies. */
class DeadLettersOnceTest {
  private static final int RECORDS = 600;
  private static final int KEYS = 7;

  private final SteppedJobs jobs = new SteppedJobs();
  private final MarkedSink<String, Integer> sink = new MarkedSink<>();
  private MarkedSink<byte[], byte[]> letters = new MarkedSink<>();

  private static boolean bad(int value) {
    return value % 5 == 0;
  }

  private static List<Integer> values(boolean bad) {
    return IntStream.range(0, RECORDS).filter(i -> bad(i) == bad).boxed().toList();
  }

  private static Stream<String, Integer> numbers(TopologyBuilder builder) {
    return builder
        .source("in", SteppedJobs.numbers(RECORDS, KEYS), WatermarkStrategy.none())
        .typed(Object.class, Object.class)
        .map("typed", (k, v) -> KeyValue.of((String) k, (Integer) v))
        .typed(String.class, Integer.class);
  }

  private static Integer checked(Integer value) {
    if (bad(value)) {
      throw new IllegalArgumentException("bad " + value);
    }
    return value;
  }

  /** Rejects before an exchange, so that the dead letters and the output are of two stages. */
  private Topology inAFunction() {
    TopologyBuilder builder = Topology.builder("job");
    numbers(builder)
        .mapValues("check", v -> checked(v))
        .onError(ErrorPolicy.deadLetter(letters))
        .rebalance("spread")
        .sink("out", sink);
    return builder.build();
  }

  /** A sink that refuses the bad ones, and passes on what comes. */
  private record Checked(boolean blocking) implements Sink<String, Integer> {
    @Override
    public SinkWriter<String, Integer> writer(SinkContext context) {
      return new SinkWriter<>() {
        @Override
        public void write(
            @Nullable String key, @Nullable Integer value, long time, @Nullable Headers headers) {
          checked(value);
        }

        @Override
        public boolean refuses(Exception failure) {
          return true;
        }
      };
    }

    @Override
    public String describe() {
      return "checked";
    }
  }

  private Topology inASink(boolean blocking) {
    TopologyBuilder builder = Topology.builder("job");
    numbers(builder).sink("checked", new Checked(blocking));
    return builder.onError("checked", ErrorPolicy.deadLetter(letters)).build();
  }

  /** Which numbers are in dead letters; read from the messages. */
  private static List<Integer> rejected(List<Record<byte[], byte[]>> letters) {
    return letters.stream()
        .map(letter -> DeadLetter.of(letter).message())
        .map(message -> Integer.parseInt(String.valueOf(message).substring("bad ".length())))
        .toList();
  }

  private void diesThreeTimes(Topology topology) {
    for (int death = 1; death <= 3; death++) {
      SteppedJobs.Running running = jobs.start(topology, death, settings -> settings);
      long until = death * 2L;
      jobs.run(running, () -> running.checkpoints().published() >= until);
      running.connection.kill();
    }
    jobs.finish(jobs.start(topology, 2, settings -> settings));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thoseOfAFunctionAreThereOnce(boolean blocking) {
    letters = new MarkedSink<>(blocking);
    diesThreeTimes(inAFunction());
    assertThat(rejected(letters.records())).containsExactlyInAnyOrderElementsOf(values(true));
    assertThat(sink.records().stream().map(Record::value))
        .containsExactlyInAnyOrderElementsOf(values(false));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void thoseOfASinkAreThereOnce(int kinds) {
    letters = new MarkedSink<>((kinds & 1) != 0);
    diesThreeTimes(inASink((kinds & 2) != 0));
    assertThat(rejected(letters.records())).containsExactlyInAnyOrderElementsOf(values(true));
  }

  @Test
  void thoseThatAreStillToBeCommittedWhenTheJobDiesAreCommittedByTheNextStart() {
    Topology topology = inASink(true);
    letters.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == SinkFaults.Call.COMMIT) {
            throw new IllegalStateException("not now");
          }
        });
    SteppedJobs.Running running = jobs.start(topology, 2, settings -> settings);
    jobs.run(running, () -> running.checkpoints().published() >= 3);
    running.connection.kill();
    assertThat(letters.records()).isEmpty();
    assertThat(letters.waiting()).isPositive();

    letters.faults(SinkFaults.NONE);
    jobs.finish(jobs.start(topology, 1, settings -> settings));
    assertThat(rejected(letters.records())).containsExactlyInAnyOrderElementsOf(values(true));
  }

  @Test
  void theSinkForDeadLettersGoesWithItsNodeWhenThatIsRenamed() {
    letters.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == SinkFaults.Call.COMMIT) {
            throw new IllegalStateException("not now");
          }
        });
    SteppedJobs.Running running = jobs.start(inAFunction(), 1, settings -> settings);
    jobs.run(running, () -> letters.waiting() > 0 && running.checkpoints().published() > 1);
    running.connection.kill();
    letters.faults(SinkFaults.NONE);

    TopologyBuilder builder = Topology.builder("job").previously("validate", "check");
    numbers(builder)
        .mapValues("validate", v -> checked(v))
        .onError(ErrorPolicy.deadLetter(letters))
        .rebalance("spread")
        .sink("out", sink);
    jobs.finish(jobs.start(builder.build(), 2, settings -> settings));
    assertThat(rejected(letters.records())).containsExactlyInAnyOrderElementsOf(values(true));
  }

  @Test
  void deadLettersThatWaitAreNotDroppedWithThePolicy() {
    letters.faults(
        (call, moment, writer, checkpoint) -> {
          if (call == SinkFaults.Call.COMMIT) {
            throw new IllegalStateException("not now");
          }
        });
    SteppedJobs.Running running = jobs.start(inAFunction(), 1, settings -> settings);
    jobs.run(running, () -> letters.waiting() > 0 && running.checkpoints().published() > 1);
    running.connection.kill();

    TopologyBuilder builder = Topology.builder("job");
    numbers(builder).mapValues("check", v -> v).rebalance("spread").sink("out", sink);
    assertThatThrownBy(() -> jobs.start(builder.build(), 1, settings -> settings))
        .hasMessageContaining("check/dead-letters");
  }

  @Test
  void thoseOfAFileAreInTheFilesOfTheirSinkOnce(@TempDir Path directory) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < RECORDS; i++) {
      lines.append(i).append(bad(i) ? "\u00FF\n" : "\n");
    }
    Path file = Files.writeString(directory.resolve("in.txt"), lines, StandardCharsets.ISO_8859_1);
    Path into = directory.resolve("letters");
    MarkedSink<Void, String> out = new MarkedSink<>();
    Topology topology =
        Topology.builder("job")
            .source("in", FileSource.lines(file))
            .onError(ErrorPolicy.deadLetter(FileSink.lines(into, DeadLetter::line)))
            .sink("out", out)
            .build();
    diesThreeTimes(topology);

    List<String> written = new ArrayList<>();
    try (var files = Files.list(into)) {
      for (Path each : files.filter(f -> f.getFileName().toString().startsWith("part")).toList()) {
        written.addAll(Files.readAllLines(each));
      }
    }
    assertThat(written)
        .extracting(line -> line.substring(line.lastIndexOf('\t') + 1))
        .containsExactlyInAnyOrderElementsOf(values(true).stream().map(i -> i + "\uFFFD").toList());
    assertThat(written)
        .allMatch(line -> line.startsWith("in\tRECORD_MALFORMED\t"))
        .allMatch(line -> line.contains("\t" + file + ", line "));
    assertThat(out.records().stream().map(Record::value))
        .containsExactlyElementsOf(values(false).stream().map(String::valueOf).toList());
  }

  @Test
  void keysAndValuesAreThoseOfTheRecord() {
    jobs.finish(jobs.start(inAFunction(), 1, settings -> settings));
    Record<byte[], byte[]> first = letters.records().get(0);
    assertThat(new String(first.key(), StandardCharsets.UTF_8)).startsWith("k");
    assertThat(first.headers()).isNotNull();
  }
}
