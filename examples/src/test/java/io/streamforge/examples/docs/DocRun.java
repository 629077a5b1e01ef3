package io.streamforge.examples.docs;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Runs one chain of operators of a page over a few records. */
final class DocRun implements AutoCloseable {
  static final String SOURCE = "in";
  private static final String SINK = "out";

  private final TopologyTestDriver driver;

  private DocRun(TopologyTestDriver driver) {
    this.driver = driver;
  }

  /** A stream of strings with string keys; its watermark is the largest timestamp. */
  static Stream<String, String> strings() {
    return Topology.builder("docs")
        .source(
            SOURCE,
            Sources.collection(List.of(Record.of("k", "v", 0))),
            WatermarkStrategy.monotonous());
  }

  /** As {@link #strings()}, of longs. */
  static Stream<String, Long> longs() {
    return Topology.builder("docs")
        .source(
            SOURCE,
            Sources.collection(List.of(Record.of("k", 0L, 0))),
            WatermarkStrategy.monotonous());
  }

  /** As {@link #strings()}, of doubles. */
  static Stream<String, Double> doubles() {
    return Topology.builder("docs")
        .source(
            SOURCE,
            Sources.collection(List.of(Record.of("k", 0.0, 0))),
            WatermarkStrategy.monotonous());
  }

  static DocRun start(Stream<?, ?> result) {
    return new DocRun(TopologyTestDriver.of(result.sink(SINK, Sinks.none()).build()));
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  static <K, V> List<String> outputOf(Stream<?, ?> result, Record<K, V>... input) {
    try (DocRun run = start(result)) {
      run.pipe(input);
      return run.read();
    }
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  final <K, V> DocRun pipe(Record<K, V>... records) {
    TestInput<K, V> input = driver.input(SOURCE);
    input.pipeAll(List.of(records));
    return this;
  }

  TopologyTestDriver driver() {
    return driver;
  }

  DocRun end() {
    driver.end();
    return this;
  }

  JobMetrics metrics() {
    return driver.metrics();
  }

  @Override
  public void close() {
    driver.close();
  }

  /** What has come out since the last call, each as {@code key=value@timestamp}. */
  List<String> read() {
    return strings(driver.output(SINK));
  }

  static List<String> strings(TestOutput<?, ?> output) {
    return output.readAll().stream().map(Objects::toString).toList();
  }

  static <V> Record<String, V> at(long timestampMillis, String key, V value) {
    return Record.of(key, value, timestampMillis);
  }

  static <K extends @Nullable Object, V extends @Nullable Object> Record<K, V> record(
      K key, V value, long timestampMillis) {
    return Record.of(key, value, timestampMillis);
  }
}
