package io.streamforge.engine;

import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.config.StateConfig;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.CheckpointStorages;
import io.streamforge.storage.file.CopiedStorage;
import io.streamforge.storage.file.DirectoryStorage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The storages that an engine has opened. Thread-safe. */
final class Storages {
  private static final Logger LOG = LoggerFactory.getLogger(Storages.class);

  private final SecureRandom random = new SecureRandom();
  private final List<CheckpointStorage> opened = new ArrayList<>();
  private @Nullable CheckpointStorages kinds;

  private CheckpointStorages kinds() {
    CheckpointStorages known = kinds;
    if (known == null) {
      known = CheckpointStorages.load(Storages.class.getClassLoader());
      kinds = known;
    }
    return known;
  }

  /** To read and write. */
  synchronized CheckpointStorage open(String location) {
    CheckpointStorage storage = kinds().open(location);
    opened.add(storage);
    return storage;
  }

  /**
   * To read and write the checkpoints of a job, with copies on this machine where they are wanted
   * and the place is not a directory.
   */
  CheckpointStorage openWithCopies(String location, String job, StateConfig state) {
    CheckpointStorage storage = open(location);
    Path directory = state.directory();
    return directory == null || !state.localCopies() || storage instanceof DirectoryStorage
        ? storage
        : CopiedStorage.open(storage, directory, job);
  }

  /** To read only. */
  synchronized CheckpointStorage openExisting(String location) {
    CheckpointStorage storage = kinds().openExisting(location);
    opened.add(storage);
    return storage;
  }

  /** A log with what this process needs to write to it. */
  CheckpointPlace place(CheckpointLog log, @Nullable CheckpointLog from) {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "unknown host";
    }
    String owner = "process " + ProcessHandle.current().pid() + " on " + host;
    return new CheckpointPlace(log, random::nextLong, owner, from);
  }

  synchronized void close() {
    for (CheckpointStorage storage : opened) {
      try {
        storage.close();
      } catch (IOException e) {
        LOG.debug("{} could not be closed", storage.location(), e);
      }
    }
    opened.clear();
  }
}
