package io.streamforge.storage.file;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.CheckpointStorageProvider;
import java.util.Set;

/** Opens paths, and URIs that begin with {@code file:}. */
public final class DirectoryStorageProvider implements CheckpointStorageProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("file");
  }

  @Override
  public CheckpointStorage open(String location) {
    return DirectoryStorage.open(DirectoryStorage.path(location));
  }

  @Override
  public CheckpointStorage openExisting(String location) {
    return DirectoryStorage.openExisting(DirectoryStorage.path(location));
  }
}
