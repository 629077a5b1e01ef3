package io.streamforge.storage;

import java.util.Set;

/**
 * A kind of storage that can be chosen by its location. Implementations have a public constructor
 * without parameters and are named in {@code
 * META-INF/services/io.streamforge.storage.CheckpointStorageProvider}; {@link CheckpointStorages}
 * finds them there.
 */
public interface CheckpointStorageProvider {
  /** The schemes of locations that it opens, such as {@code s3} for {@code s3://…}; lower case. */
  Set<String> schemes();

  /**
   * The storage at a location, to read and write. All that can be found out now is: whoever gets a
   * storage can expect that a checkpoint may be written there.
   *
   * @param location as the user wrote it, with its scheme; of {@code file} perhaps a plain path
   * @throws io.streamforge.error.StreamForgeException when the location is none, or the place does
   *     not exist or may not be read or written
   */
  CheckpointStorage open(String location);

  /**
   * The storage at a location, to read only; nothing is made or changed there.
   *
   * @throws io.streamforge.error.StreamForgeException when the location is none, or the place does
   *     not exist or may not be read
   */
  CheckpointStorage openExisting(String location);
}
