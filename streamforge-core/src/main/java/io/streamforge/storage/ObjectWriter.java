package io.streamforge.storage;

import java.io.IOException;

/** An object that is being written. Not thread-safe. */
public interface ObjectWriter extends AutoCloseable {
  /** Appends bytes, which the caller may change afterwards. */
  void write(byte[] bytes, int offset, int length) throws IOException;

  /**
   * All has been written. Call {@link CheckpointStorage#sync} before anybody relies on it.
   *
   * @throws java.nio.file.FileAlreadyExistsException when the name has turned out to be taken
   */
  void complete() throws IOException;

  /** Releases what is held; an object that was not completed is removed if that is possible. */
  @Override
  void close() throws IOException;
}
