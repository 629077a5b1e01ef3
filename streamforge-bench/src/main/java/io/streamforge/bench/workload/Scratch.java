package io.streamforge.bench.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory on the local disk for the checkpoints of one job.
 *
 * @param directory is empty at first
 */
public record Scratch(Path directory) implements AutoCloseable {
  /** Makes one where the benchmark runs: a directory for temporary files may be in memory. */
  public static Scratch create() {
    try {
      return new Scratch(Files.createTempDirectory(Path.of("").toAbsolutePath(), "scratch-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes it with all that is in it. */
  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
