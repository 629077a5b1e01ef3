package io.streamforge.examples;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.engine.Engine;
import io.streamforge.error.StreamForgeException;
import io.streamforge.scheduler.SystemClock;
import io.streamforge.time.Clock;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the examples have in common: arguments, progress, throughput, errors, an output file. */
final class ExampleRun {
  /** What an example does. */
  @FunctionalInterface
  interface Body {
    /** Runs it. */
    void run(ExampleRun run) throws Exception;
  }

  private static final Duration PROGRESS_PERIOD = Duration.ofMillis(500);
  private static final double NANOS_PER_SECOND = 1e9;

  private final Path input;
  private final @Nullable Path output;
  private final Clock clock = new SystemClock();

  private ExampleRun(Path input, @Nullable Path output) {
    this.input = input;
    this.output = output;
  }

  static void main(String usage, String[] args, Body body) {
    if (args.length < 1 || args.length > 2) {
      System.err.println("Usage: " + usage);
      System.exit(2);
    }
    try {
      body.run(new ExampleRun(Path.of(args[0]), args.length > 1 ? Path.of(args[1]) : null));
    } catch (StreamForgeException e) {
      System.err.println("error: " + e.getMessage());
      System.exit(1);
    } catch (IOException e) {
      System.err.println("error: the output cannot be written: " + e);
      System.exit(1);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The file that a topology is about. */
  static Path onlyArgument(String usage, String[] args) {
    if (args.length != 1) {
      throw new IllegalArgumentException(
          "expected 1 argument, got " + args.length + "\nUsage: " + usage);
    }
    return Path.of(args[0]);
  }

  Path input() {
    return input;
  }

  @Nullable Path output() {
    return output;
  }

  /** Runs the topology to its end; {@code source} is the node whose records are counted. */
  void to(String source, Topology topology) throws InterruptedException {
    System.err.println("Reading " + input);
    long started = clock.monotonicNanos();
    try (Engine engine = Engine.start(topology, EngineConfig.defaults())) {
      while (!engine.awaitCompletion(PROGRESS_PERIOD)) {
        report(engine, source, started, "so far");
      }
      report(engine, source, started, "in all");
    }
  }

  private void report(Engine engine, String source, long started, String what) {
    double seconds = (clock.monotonicNanos() - started) / NANOS_PER_SECOND;
    long records = engine.metrics().node(source).in();
    System.err.printf(
        Locale.ROOT,
        "%,d records %s, %.1f s, %,.0f records/s%n",
        records,
        what,
        seconds,
        records / seconds);
  }

  /** Writes the output file, whole or not at all. */
  void write(List<String> lines) throws IOException {
    Path target = Objects.requireNonNull(output, "no output file").toAbsolutePath();
    Path temporary = target.resolveSibling("." + target.getFileName() + ".tmp");
    try {
      Files.write(temporary, lines);
      try {
        Files.move(
            temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
    System.err.printf(Locale.ROOT, "Wrote %,d lines to %s%n", lines.size(), output);
  }
}
