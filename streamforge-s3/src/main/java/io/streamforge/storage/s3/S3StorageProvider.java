package io.streamforge.storage.s3;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.CheckpointStorageProvider;
import java.util.Set;

/** Opens {@code s3://bucket/prefix}, with settings from the environment. */
public final class S3StorageProvider implements CheckpointStorageProvider {
  @Override
  public Set<String> schemes() {
    return Set.of(S3Location.SCHEME);
  }

  @Override
  public CheckpointStorage open(String location) {
    return S3Storage.open(location, S3Settings.fromEnvironment(System.getenv()));
  }

  @Override
  public CheckpointStorage openExisting(String location) {
    return S3Storage.openExisting(location, S3Settings.fromEnvironment(System.getenv()));
  }
}
