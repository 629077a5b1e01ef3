package io.streamforge.testkit.chaos;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sources;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.source.SourceOptions;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;

/**
 * The job that is killed: from files to files, a stateless branch, a running count and a tumbling
 * window. Arguments: directory, parallelism, records a second or 0 for no bound. It writes to
 * stdout how far it is: {@code started}, {@code progressed} when it has published a checkpoint with
 * records of its own in it, {@code finished}.
 */
public final class ChaosJob {
  private static final Duration POLL = Duration.ofMillis(2);

  private ChaosJob() {}

  /** Runs it. */
  public static void main(String[] arguments) throws InterruptedException {
    Path directory = Path.of(arguments[0]);
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(Integer.parseInt(arguments[1]))
            .workers(2)
            .keyGroups(64)
            .checkpoints(
                CheckpointConfig.at(directory.resolve("checkpoints").toString())
                    .every(Duration.ofMillis(50))
                    .retain(2))
            .build();
    Topology topology = topology(directory, Double.parseDouble(arguments[2]));
    try (Engine engine = Engine.start(topology, config)) {
      System.out.println("started");
      boolean progressed = false;
      long readAtCheckpoint = -1;
      long published = 0;
      while (!engine.awaitCompletion(POLL)) {
        CheckpointMetrics checkpoints = engine.metrics().checkpoints();
        if (!progressed && checkpoints != null && checkpoints.published() > published) {
          // What was read before the second of two checkpoints began is part of it.
          progressed = readAtCheckpoint > 0;
          published = checkpoints.published();
          readAtCheckpoint = engine.metrics().node("lines").out();
          if (progressed) {
            System.out.println("progressed");
          }
        }
      }
    }
    System.out.println("finished");
  }

  private static Topology topology(Path directory, double maxRate) {
    Path[] files =
        IntStream.range(0, ChaosInput.FILES)
            .mapToObj(f -> directory.resolve("input-" + f + ".txt"))
            .toArray(Path[]::new);
    WatermarkStrategy<Void, String> eventTime =
        WatermarkStrategy.<Void, String>boundedOutOfOrderness(
                Duration.ofMillis(ChaosInput.DISORDER_MILLIS))
            .timestamps((k, line, t) -> ChaosInput.Event.parse(line).timestampMillis());
    SourceOptions<Void, String> options = SourceOptions.watermarks(eventTime);
    TopologyBuilder builder = Topology.builder("chaos");
    Stream<Void, String> lines =
        builder.source(
            "lines", Sources.lines(files), maxRate > 0 ? options.maxRate(maxRate) : options);
    lines
        .filter("kept", (k, line) -> ChaosInput.Event.parse(line).isKept())
        .sink("kept-out", FileSink.lines(directory.resolve("kept")));
    KeyedStream<String, String> byKey =
        lines.groupBy("by-key", (k, line) -> ChaosInput.Event.parse(line).key());
    byKey.count("counts").sink("counts-out", FileSink.lines(directory.resolve("counts")));
    byKey
        .window(Windows.tumbling(Duration.ofMillis(ChaosInput.WINDOW_MILLIS)))
        .count("windows")
        .sink(
            "windows-out",
            FileSink.lines(
                directory.resolve("windows"),
                result ->
                    result.key()
                        + "@"
                        + result.value().startMillis()
                        + "="
                        + result.value().value()));
    return builder.build();
  }
}
