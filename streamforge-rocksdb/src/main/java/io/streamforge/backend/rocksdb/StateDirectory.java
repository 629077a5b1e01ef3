package io.streamforge.backend.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory that belongs to one attempt of a job, locked while it is used. What killed processes
 * have left behind is removed when the next one is made.
 */
final class StateDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StateDirectory.class);

  private static final String PREFIX = "state-";
  private static final String LOCK = "LOCKED";

  private final Path path;
  private final FileChannel channel;

  private StateDirectory(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Makes one.
   *
   * @param parent where; made when it does not exist
   * @param job part of the name, for people
   * @throws io.streamforge.error.StreamForgeException when it cannot be made or written
   */
  static StateDirectory make(Path parent, String job) {
    try {
      Files.createDirectories(parent);
      sweep(parent);
      Path path = Files.createTempDirectory(parent, PREFIX + job.replaceAll("[^\\w.-]", "_") + "-");
      FileChannel channel = locked(path.resolve(LOCK));
      if (channel == null) {
        throw new IOException("another process has locked the new directory " + path);
      }
      return new StateDirectory(path, channel);
    } catch (IOException e) {
      throw RocksDbErrors.failed(
          "the directory for state '"
              + parent
              + "' cannot be used: "
              + e.getClass().getSimpleName(),
          e);
    }
  }

  /** The lock; null when another process or job has it. */
  private static @Nullable FileChannel locked(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    if (lock == null) {
      channel.close();
    }
    return lock == null ? null : channel;
  }

  private static void sweep(Path parent) throws IOException {
    try (DirectoryStream<Path> others = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path other : others) {
        // Without the file it may just be on its way of being made.
        if (Files.exists(other.resolve(LOCK))) {
          removeUnlessUsed(other);
        }
      }
    }
  }

  private static void removeUnlessUsed(Path other) {
    try (FileChannel channel = locked(other.resolve(LOCK))) {
      if (channel != null) {
        remove(other);
        LOG.info("removed {}, left behind by a process that was killed", other);
      }
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} was left behind and cannot be removed: {}", other, e.toString());
    }
  }

  /** The lock goes last, so that whatever is left is found by the next sweep. */
  private static void remove(Path directory) throws IOException {
    Path lock = directory.resolve(LOCK);
    List<Path> all;
    try (Stream<Path> walk = Files.walk(directory)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      if (!path.equals(lock) && !path.equals(directory)) {
        Files.deleteIfExists(path);
      }
    }
    Files.deleteIfExists(lock);
    Files.deleteIfExists(directory);
  }

  /** Where files may be made; in it one name is taken. */
  Path path() {
    return path;
  }

  /** Removes it with everything in it. */
  @Override
  public void close() {
    try {
      remove(path);
      channel.close();
    } catch (IOException | UncheckedIOException e) {
      LOG.warn("{} cannot be removed: {}", path, e.toString());
    }
  }
}
