package io.streamforge.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.metrics.CheckpointMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics through the OpenTelemetry API. */
class TelemetryTest {
  private static final AttributeKey<String> NODE = AttributeKey.stringKey("streamforge.node");

  private static Map<String, Long> byNode(Collection<MetricData> metrics, String name) {
    Map<String, Long> values = new TreeMap<>();
    metrics.stream()
        .filter(metric -> metric.getName().equals(name))
        .flatMap(metric -> metric.getLongSumData().getPoints().stream())
        .forEach(point -> values.put(point.getAttributes().get(NODE), point.getValue()));
    return values;
  }

  @Test
  void countersOfAllNodesAreShownUntilTheEngineIsClosed() throws InterruptedException {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();
    Topology topology =
        Topology.builder("telemetry")
            .source("in", CollectionSource.ofValues(1, 2, 3, 4))
            .filter("even", (key, value) -> value % 2 == 0)
            .sink("out", Sinks.none())
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults(), telemetry)) {
      engine.awaitCompletion();
      Collection<MetricData> metrics = reader.collectAllMetrics();
      assertThat(byNode(metrics, "streamforge.node.records.in"))
          .isEqualTo(Map.of("in", 4L, "even", 4L, "out", 2L));
      assertThat(byNode(metrics, "streamforge.node.records.out"))
          .isEqualTo(Map.of("in", 4L, "even", 2L, "out", 0L));
      assertThat(metrics.stream().map(MetricData::getName))
          .contains("streamforge.task.busy", "streamforge.task.idle", "streamforge.task.blocked");
    }
    assertThat(reader.collectAllMetrics()).isEmpty();
  }

  @Test
  void rejectedRecordsAreShownByNode() throws InterruptedException {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();
    Topology topology =
        Topology.builder("telemetry")
            .source("in", CollectionSource.ofValues(1, 2, 0, 4))
            .mapValues("divide", value -> 8 / value)
            .onError(ErrorPolicy.deadLetter(Sinks.none()))
            .sink("out", Sinks.none())
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults(), telemetry)) {
      engine.awaitCompletion();
      assertThat(byNode(reader.collectAllMetrics(), "streamforge.node.records.dead_lettered"))
          .isEqualTo(Map.of("in", 0L, "divide", 1L, "out", 0L, "divide/dead-letters", 0L));
    }
  }

  @Test
  void timesCreditsAndPaceOfATaskBeforeASlowSinkAreShown() throws InterruptedException {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();
    TopologyBuilder builder = Topology.builder("telemetry");
    builder
        .source("in", Sources.generator((index, random) -> index).count(1_000))
        .sink("out", Sinks.forEach(record -> workFor(Duration.ofNanos(10_000))));
    // A pace is measured within an eighth of the target delay.
    EngineConfig config =
        EngineConfig.builder().parallelism(1).targetDelay(Duration.ofMillis(1)).build();
    try (Engine engine = Engine.start(builder.build(), config, telemetry)) {
      engine.awaitCompletion();
      Collection<MetricData> metrics = reader.collectAllMetrics();

      assertThat(metrics.stream().map(MetricData::getName))
          .contains(
              "streamforge.task.busy",
              "streamforge.task.blocked",
              "streamforge.task.idle",
              "streamforge.task.credits");
      assertThat(metrics)
          .filteredOn(metric -> metric.getName().equals("streamforge.task.pace"))
          .flatExtracting(metric -> metric.getDoubleGaugeData().getPoints())
          .singleElement()
          .satisfies(point -> assertThat(point.getValue()).isBetween(1.0, 100_000.0));
    }
  }

  @Test
  void whatCheckpointsTakeIsShown(@TempDir Path directory) throws InterruptedException {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    OpenTelemetrySdk telemetry =
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();
    TopologyBuilder builder = Topology.builder("telemetry");
    builder
        .source("in", Sources.generator((index, random) -> index).count(100))
        .groupBy("by-value", (key, value) -> value)
        .count("counts")
        .sink("out", Sinks.none());
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .checkpoints(CheckpointConfig.at(directory.toString()))
            .build();
    try (Engine engine = Engine.start(builder.build(), config, telemetry)) {
      engine.awaitCompletion();
      CheckpointMetrics checkpoints = engine.metrics().checkpoints();
      Collection<MetricData> metrics = reader.collectAllMetrics();

      assertThat(gauges(metrics, "streamforge.checkpoint.duration"))
          .containsExactly(checkpoints.lastDurationMillis());
      assertThat(gauges(metrics, "streamforge.checkpoint.full_size"))
          .containsExactly(checkpoints.fullBytes());
      assertThat(gauges(metrics, "streamforge.checkpoint.alignment"))
          .containsExactly(checkpoints.alignmentMillis());
      assertThat(gauges(metrics, "streamforge.task.alignment"))
          .hasSameSizeAs(engine.metrics().tasks());
    }
  }

  private static List<Long> gauges(Collection<MetricData> metrics, String name) {
    return metrics.stream()
        .filter(metric -> metric.getName().equals(name))
        .flatMap(metric -> metric.getLongGaugeData().getPoints().stream())
        .map(LongPointData::getValue)
        .toList();
  }

  private static void workFor(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
