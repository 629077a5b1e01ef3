package io.streamforge.storage;

import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Named objects in one place: a directory, a bucket, or a fake that loses whatever it may lose.
 * Thread-safe.
 *
 * <p>Names are as {@link ObjectNames} says. No name is used for two different contents, so an
 * object is never replaced. What is promised of each call is all that callers rely on:
 *
 * <ul>
 *   <li>an object that was {@linkplain ObjectWriter#complete completed}, and a deletion, is seen by
 *       everybody at once and survives the death of the process; it survives the death of the
 *       machine from the next {@link #sync} on, and until then may be whole, torn or gone (a
 *       deleted one: may be back), each on its own;
 *   <li>an object that {@link #createIfAbsent} has made is whole whenever it is seen, and survives
 *       everything once the call has returned true;
 *   <li>{@link #list} and {@link #read} see every creation that had returned before.
 * </ul>
 *
 * <p>An {@link IOException} of a call that changes something leaves in doubt whether it has
 * happened, or still will. Calls may block and belong on I/O threads.
 */
public interface CheckpointStorage extends AutoCloseable {
  /**
   * Begins an object, which nobody may rely on before it is completed.
   *
   * @throws java.nio.file.FileAlreadyExistsException when the name is taken, as far as the storage
   *     notices that; some notice it when the object is completed
   */
  ObjectWriter write(String name) throws IOException;

  /** Makes all that this process has completed and deleted survive the death of the machine. */
  void sync() throws IOException;

  /**
   * Makes an object unless there is one with this name: of all who try, exactly one is told true.
   *
   * @return false when the name is taken, perhaps by an earlier try of the caller whose reply was
   *     lost: read it to know
   */
  boolean createIfAbsent(String name, byte[] content) throws IOException;

  /**
   * Reads a part of an object.
   *
   * @param offset from the beginning, in bytes
   * @param length bytes at most
   * @return fewer bytes only where the object ends
   * @throws java.nio.file.NoSuchFileException when there is no such object
   */
  byte[] read(String name, long offset, int length) throws IOException;

  /** All objects of a folder, such as {@code log}, sorted by name; empty when there are none. */
  List<StoredObject> list(String folder) throws IOException;

  /** Deletes objects; those that do not exist are passed over. */
  void delete(Collection<String> names) throws IOException;

  /** The place, as a user would write it. */
  String location();

  /** Releases what this process holds; objects stay. */
  @Override
  void close() throws IOException;
}
