package io.streamforge.testkit.chaos;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.StateConfig;
import io.streamforge.connector.Sources;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.source.SourceOptions;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The job that is killed: from files to files, a stateless branch, a running count and a tumbling
 * window. Arguments: directory, place of the checkpoints, parallelism, records a second or 0 for no
 * bound, state backend. It writes to stdout how far it is: {@code started from} the number of a
 * checkpoint, {@code progressed} when it has published a checkpoint with records of its own in it,
 * {@code stalled} when it has published none for a while, {@code recovered} when it has again,
 * {@code finished}.
 */
public final class ChaosJob {
  private static final Duration POLL = Duration.ofMillis(2);
  private static final long STALL_NANOS = Duration.ofMillis(500).toNanos();

  private ChaosJob() {}

  /** Runs it. */
  public static void main(String[] arguments) throws InterruptedException {
    Path directory = Path.of(arguments[0]);
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(Integer.parseInt(arguments[2]))
            .workers(2)
            .keyGroups(64)
            .state(StateConfig.of(arguments[4]).inDirectory(directory.resolve("local")).withHeap(1))
            .checkpoints(CheckpointConfig.at(arguments[1]).every(Duration.ofMillis(50)).retain(2))
            .build();
    Topology topology = topology(directory, Double.parseDouble(arguments[3]));
    try (Engine engine = Engine.start(topology, config)) {
      System.out.println("started from " + checkpoints(engine).restoredFrom());
      boolean progressed = false;
      boolean stalled = false;
      long readAtCheckpoint = -1;
      long published = 0;
      long publishedNanos = System.nanoTime();
      while (!engine.awaitCompletion(POLL)) {
        long now = System.nanoTime();
        if (checkpoints(engine).published() > published) {
          // What was read before the second of two checkpoints began is part of it.
          if (!progressed && readAtCheckpoint > 0) {
            progressed = true;
            System.out.println("progressed");
          }
          if (stalled) {
            stalled = false;
            System.out.println("recovered");
          }
          published = checkpoints(engine).published();
          publishedNanos = now;
          readAtCheckpoint = engine.metrics().node("lines").out();
        } else if (!stalled && now - publishedNanos > STALL_NANOS) {
          stalled = true;
          System.out.println("stalled");
        }
      }
    }
    System.out.println("finished");
  }

  private static CheckpointMetrics checkpoints(Engine engine) {
    return Objects.requireNonNull(engine.metrics().checkpoints());
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
