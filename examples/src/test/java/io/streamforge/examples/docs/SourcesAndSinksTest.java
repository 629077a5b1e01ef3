package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.connector.collection.CollectingSink;
import io.streamforge.connector.file.FileSource;
import io.streamforge.connector.file.MalformedPolicy;
import io.streamforge.connector.generator.GeneratorSource;
import io.streamforge.engine.Engine;
import io.streamforge.error.StreamForgeException;
import io.streamforge.formats.csv.Csv;
import io.streamforge.formats.json.JsonLines;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.record.Record;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.Sink;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import io.streamforge.source.Source;
import io.streamforge.source.SourceOptions;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.time.WatermarkStrategy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/sources-and-sinks.md} shows. */
class SourcesAndSinksTest {
  @TempDir private Path directory;

  private static JobMetrics run(Topology topology) throws InterruptedException {
    try (Engine engine =
        Engine.start(topology, EngineConfig.builder().parallelism(1).workers(1).build())) {
      engine.awaitCompletion();
      return engine.metrics();
    }
  }

  private static <K, V> List<Record<K, V>> read(Source<K, V> source) throws InterruptedException {
    CollectingSink<K, V> results = Sinks.collect();
    WatermarkStrategy<K, V> watermarks =
        source.hasTimestamps() ? WatermarkStrategy.monotonous() : WatermarkStrategy.none();
    run(Topology.builder("docs").source("in", source, watermarks).sink("out", results).build());
    return results.records();
  }

  private static <K, V> List<V> values(Source<K, V> source) throws InterruptedException {
    return read(source).stream().map(Record::value).toList();
  }

  private static void write(Sink<String, ? super Long> sink) throws InterruptedException {
    run(
        Topology.builder("docs")
            .source(
                "in",
                Sources.collection(List.of(Record.of("tea", 3L, 7), Record.of("milk", 5L, 8))))
            .sink("out", sink)
            .build());
  }

  @Test
  void collections() throws InterruptedException {
    // tag::collection[]
    Source<Void, String> values = Sources.values("tea", "milk");
    Source<String, Long> records =
        Sources.collection(List.of(Record.of("tea", 3L, 7), Record.of("milk", 5L, 8)));
    // end::collection[]
    assertThat(values(values)).containsExactly("tea", "milk");
    assertThat(read(records)).hasToString("[tea=3@7, milk=5@8]");
    assertThat(read(records)).as("a second time").hasSize(2);
  }

  @Test
  void channels() throws InterruptedException {
    CollectingSink<String, Long> results = Sinks.collect();
    // tag::channel[]
    InMemoryChannel<String, Long> orders = Sources.channel(1_000);
    Topology topology =
        Topology.builder("orders")
            .source("orders", orders)
            .typed(String.class, Long.class)
            .sink("out", results)
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults())) {
      orders.send("tea", 3L); // waits when the channel is full
      boolean taken = orders.offer("milk", 5L); // refuses when it is full
      orders.close(); // ends the input
      engine.awaitCompletion();
      // end::channel[]
      assertThat(taken).isTrue();
      // tag::channel[]
    }
    // end::channel[]
    assertThat(results.values()).containsExactly(3L, 5L);
    assertThatThrownBy(() -> Engine.start(topology, EngineConfig.defaults()))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("SOURCE_REUSED");
  }

  @Test
  void generators() throws InterruptedException {
    // tag::generator[]
    GeneratorSource<Void, Integer> dice =
        Sources.generator((index, random) -> random.nextInt(1, 7))
            .seed(42)
            .count(1_000_000)
            .ratePerSecond(100_000);
    GeneratorSource<String, Long> clicks =
        Sources.recordGenerator(
            (index, random) -> Record.of("user" + random.nextInt(100), index, index * 10));
    // end::generator[]
    List<Integer> some = values(dice.count(100).ratePerSecond(1e9));
    assertThat(some).hasSize(100).allMatch(eyes -> eyes >= 1 && eyes <= 6);
    assertThat(values(dice.count(100).ratePerSecond(1e9))).isEqualTo(some);
    assertThat(read(clicks.count(3)).stream().map(Record::timestampMillis).toList())
        .containsExactly(0L, 10L, 20L);
    assertThat(clicks.bounded()).isFalse();
  }

  @Test
  void lines() throws Exception {
    Path path = Files.writeString(directory.resolve("a.log"), "one\r\ntwo\nthree");
    // tag::lines[]
    FileSource<String> lines = FileSource.lines(path);
    // end::lines[]
    assertThat(values(lines)).containsExactly("one", "two", "three");
    assertThat(values(FileSource.lines(directory))).hasSize(3);
  }

  @Test
  void malformed() throws Exception {
    Path path = directory.resolve("a.log");
    Files.write(path, new byte[] {'a', (byte) 0xFF, '\n', 'b', '\n'});
    // tag::malformed[]
    FileSource<String> skipping = FileSource.lines(path).malformed(MalformedPolicy.SKIP);
    FileSource<String> replacing = FileSource.lines(path).malformed(MalformedPolicy.REPLACE);
    // end::malformed[]
    assertThat(values(replacing)).containsExactly("a\uFFFD", "b");
    CollectingSink<Void, String> results = Sinks.collect();
    JobMetrics metrics =
        run(Topology.builder("docs").source("in", skipping).sink("out", results).build());
    assertThat(results.values()).containsExactly("b");
    assertThat(metrics.node("in").dropped()).containsEntry("malformed", 1L);
    assertThatThrownBy(() -> values(FileSource.lines(path)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("RECORD_MALFORMED")
        .hasMessageContaining("a.log, line 1");
  }

  @Test
  void follow() throws Exception {
    Path path = Files.writeString(directory.resolve("a.log"), "one\n");
    // tag::follow[]
    FileSource<String> growing = FileSource.lines(path).follow(Duration.ofMillis(100));
    // end::follow[]
    assertThat(growing.bounded()).isFalse();
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    Topology topology =
        Topology.builder("docs")
            .source("in", growing)
            .sink("out", Sinks.forEach(record -> seen.add(record.value())))
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults())) {
      assertThat(seen.poll(1, TimeUnit.MINUTES)).isEqualTo("one");
      Files.writeString(path, "two\n", StandardOpenOption.APPEND);
      assertThat(seen.poll(1, TimeUnit.MINUTES)).isEqualTo("two");
      engine.drain();
      assertThat(engine.awaitCompletion(Duration.ofMinutes(1))).isTrue();
    }
    assertThat(seen).isEmpty();
  }

  // tag::csv-record[]
  record Order(Instant time, String item, long amount) {}

  // end::csv-record[]

  @Test
  void csv() throws Exception {
    Path path =
        Files.writeString(
            directory.resolve("orders.csv"),
            """
            item,amount,time
            tea,3,2026-01-01T00:00:00Z
            "milk, fresh",5,2026-01-01T00:00:01Z
            """);
    // tag::csv[]
    Stream<Void, Order> orders =
        Topology.builder("orders")
            .source(
                "orders",
                Csv.source(path, Order.class),
                WatermarkStrategy.<Void, Order>boundedOutOfOrderness(Duration.ofSeconds(5))
                    .timestamps((key, order, time) -> order.time().toEpochMilli()));
    // end::csv[]
    CollectingSink<Void, Order> results = Sinks.collect();
    run(orders.sink("out", results).build());
    assertThat(results.records())
        .hasToString(
            "[null=Order[time=2026-01-01T00:00:00Z, item=tea, amount=3]@1767225600000,"
                + " null=Order[time=2026-01-01T00:00:01Z, item=milk, fresh,"
                + " amount=5]@1767225601000]");
    Files.writeString(path, "item,amount,time\ntea,many,2026-01-01T00:00:00Z\n");
    assertThatThrownBy(() -> values(Csv.source(path, Order.class)))
        .hasMessageContaining("'amount' is not a long: 'many'")
        .hasMessageContaining("orders.csv, line 2, column 2");
  }

  @Test
  void csvDialects() throws Exception {
    Path path =
        Files.writeString(
            directory.resolve("orders.csv"), "item;amount;time\nNA;3;2026-01-01T00:00:00Z\n");
    // tag::csv-dialect[]
    FileSource<Order> orders = Csv.of(Order.class).separator(';').missing("NA").read(path);
    // end::csv-dialect[]
    assertThat(values(orders))
        .containsExactly(new Order(Instant.parse("2026-01-01T00:00:00Z"), "", 3));
  }

  @Test
  void json() throws Exception {
    Path path =
        Files.writeString(
            directory.resolve("orders.jsonl"),
            "{\"time\":\"2026-01-01T00:00:00Z\",\"item\":\"tea\",\"amount\":3,\"more\":true}\n");
    // tag::json[]
    FileSource<Order> orders = JsonLines.source(path, Order.class);
    // end::json[]
    assertThat(values(orders))
        .containsExactly(new Order(Instant.parse("2026-01-01T00:00:00Z"), "tea", 3));
  }

  @Test
  void rates() throws InterruptedException {
    TopologyBuilder builder = Topology.builder("rates");
    Source<String, Long> source = Sources.collection(List.of(Record.of("tea", 3L, 7)));
    // tag::options[]
    Stream<String, Long> orders =
        builder.source(
            "orders",
            source,
            SourceOptions.watermarks(
                    WatermarkStrategy.<String, Long>boundedOutOfOrderness(Duration.ofSeconds(5))
                        .idleAfter(Duration.ofMinutes(1)))
                .maxRate(10_000));
    // end::options[]
    CollectingSink<String, Long> results = Sinks.collect();
    run(orders.sink("out", results).build());
    assertThat(results.records()).hasToString("[tea=3@7]");
  }

  @Test
  void stdout() throws InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    // tag::stdout[]
    Sink<String, Long> plain = Sinks.stdout();
    Sink<String, Long> formatted = Sinks.stdout(record -> record.key() + "\t" + record.value());
    // end::stdout[]
    assertThat(plain.describe()).isEqualTo("stdout");
    assertThat(formatted.describe()).isEqualTo("stdout");
    write(Sinks.<String, Long>stdout().to(new PrintStream(bytes, true, StandardCharsets.UTF_8)));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines()).containsExactly("tea=3", "milk=5");
  }

  @Test
  void files() throws Exception {
    Path out = directory.resolve("out");
    // tag::files[]
    Sink<String, Long> sink =
        Sinks.<String, Long>lines(out, record -> record.key() + "\t" + record.value())
            .rollBytes(64 << 20)
            .rollEvery(Duration.ofMinutes(10));
    // end::files[]
    write(sink);
    assertThat(contents(out)).containsExactly("part-0-0.txt: tea\t3\nmilk\t5\n");
    write(sink);
    assertThat(contents(out))
        .containsExactly("part-0-0.txt: tea\t3\nmilk\t5\n", "part-0-1.txt: tea\t3\nmilk\t5\n");
  }

  private static List<String> contents(Path directory) throws IOException {
    List<String> contents = new ArrayList<>();
    try (var files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        contents.add(file.getFileName() + ": " + Files.readString(file));
      }
    }
    return contents;
  }

  // tag::totals[]
  record Total(String item, long amount) {}

  // end::totals[]

  @Test
  void formats() throws Exception {
    Path csvDirectory = directory.resolve("csv");
    Path jsonDirectory = directory.resolve("json");
    Stream<String, Total> totals =
        Topology.builder("totals")
            .source(
                "in", Sources.collection(List.of(Record.of("k", new Total("tea, green", 3), 0))));
    // tag::formats[]
    totals.sink("csv", Csv.sink(csvDirectory, Total.class));
    totals.sink("json", JsonLines.sink(jsonDirectory));
    // end::formats[]
    run(totals.sink("none", Sinks.none()).build());
    assertThat(contents(csvDirectory))
        .containsExactly("part-0-0.csv: item,amount\n\"tea, green\",3\n");
    assertThat(contents(jsonDirectory))
        .containsExactly("part-0-0.jsonl: {\"item\":\"tea, green\",\"amount\":3}\n");
  }

  @Test
  void memory() throws InterruptedException {
    List<String> called = new ArrayList<>();
    // tag::memory[]
    CollectingSink<String, Long> collected = Sinks.collect();
    Sink<String, Long> callback = Sinks.forEach(record -> called.add(record.key()));
    Sink<String, Long> nothing = Sinks.none();
    // end::memory[]
    write(collected);
    write(callback);
    write(nothing);
    assertThat(collected.values()).containsExactly(3L, 5L);
    assertThat(called).containsExactly("tea", "milk");
  }

  @Test
  void sinkOfOnesOwn() throws Exception {
    Table unchecked = new Table();
    write(new TableSink(unchecked));
    assertThat(unchecked.rows()).containsExactly("tea 3", "milk 5");

    Table table = new Table();
    TableSink sink = new TableSink(table);
    SinkContext context = new SinkContext("docs", "out", 0, 1, new VirtualClock(0), true);
    sink.recover(context, List.of(), () -> {});
    CommittingWriter<String, Long> writer = sink.writer(context);
    writer.write("tea", 3L, 7, null);
    List<Committable> committables = writer.prepare(1);
    assertThat(table.rows()).isEmpty();
    WriterState state = new WriterState("0", 0, committables);
    assertThat(sink.fence(context, List.of(state))).isEmpty();
    sink.recover(context, List.of(state), () -> {});
    assertThat(sink.fence(context, List.of(state))).containsExactly(new WriterMarker("0", 1));
    assertThat(writer.commit(committables.get(0)))
        .isInstanceOf(CommitResult.AlreadyCommitted.class);
    assertThat(table.rows()).containsExactly("tea 3");
  }
}
