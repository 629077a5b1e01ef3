package io.streamforge.node.state;

import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.CheckpointStorages;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The checkpoints in one place, as they were when the log was read. */
public final class StoredCheckpoints implements AutoCloseable {
  private final CheckpointStorage storage;
  private final CheckpointLog log;
  private CheckpointHistory history;

  private StoredCheckpoints(CheckpointStorage storage) throws IOException {
    this.storage = storage;
    this.log = CheckpointLog.openExisting(storage);
    this.history = log.read();
  }

  /**
   * Those at a location, to read only.
   *
   * @param loader knows the kinds of storage
   * @throws io.streamforge.error.StreamForgeException when there are none, when they are half
   *     deleted or of a newer version, or when the location cannot be read
   */
  public static StoredCheckpoints open(String location, ClassLoader loader) throws IOException {
    CheckpointStorage storage = CheckpointStorages.load(loader).openExisting(location);
    try {
      return new StoredCheckpoints(storage);
    } catch (IOException | RuntimeException e) {
      try {
        storage.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** Where it is read from. */
  public CheckpointLog log() {
    return log;
  }

  /** Name of the job whose checkpoints these are. */
  public String job() {
    return log.job();
  }

  /** The place. */
  public String location() {
    return log.location();
  }

  /** What the log says. */
  public CheckpointHistory history() {
    return history;
  }

  /** Reads the log again, since the job may go on meanwhile. */
  CheckpointHistory refresh() throws IOException {
    history = log.read();
    return history;
  }

  /** All that are retained, ascending. */
  public List<LogEntry.Published> all() {
    return history.published();
  }

  /** The one with a number; null when there is none. */
  public LogEntry.@Nullable Published numbered(long number) {
    return all().stream().filter(c -> c.number() == number).findFirst().orElse(null);
  }

  @Override
  public void close() throws IOException {
    storage.close();
  }
}
