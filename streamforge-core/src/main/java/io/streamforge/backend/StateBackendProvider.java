package io.streamforge.backend;

import java.nio.file.Path;
import java.util.Set;

/**
 * A kind of backend that can be chosen by its name. Implementations have a public constructor
 * without parameters and are named in {@code
 * META-INF/services/io.streamforge.backend.StateBackendProvider}; {@link StateBackends} finds them
 * there.
 */
public interface StateBackendProvider {
  /** The names by which it is chosen, lower case. */
  Set<String> names();

  /**
   * A backend for one attempt to run a job, empty; closed when the attempt has ended. All that can
   * be found out now is: whether the directory can be written, whether the machine has the memory.
   *
   * @throws io.streamforge.error.StreamForgeException when it cannot be opened
   */
  KeyedStateBackend open(Place place);

  /**
   * What a backend may use.
   *
   * @param job name of the job, for names of files and for messages
   * @param directory for files, maybe shared with other jobs and processes; may not exist yet
   * @param nativeMemoryBytes outside the heap
   * @param heapBytes for entries in front of a store, about
   */
  record Place(String job, Path directory, long nativeMemoryBytes, long heapBytes) {}
}
