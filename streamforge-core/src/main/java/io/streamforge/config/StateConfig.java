package io.streamforge.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where keyed state lives while a job runs. Immutable; {@link EngineConfig#validate} checks it with
 * all else. What checkpoints hold does not depend on it: a job goes on with another backend.
 *
 * @param backend {@code memory}, {@code rocksdb} or the name of another backend on the class path
 * @param nodes the backend of single nodes, by their names, where it is another one
 * @param directory where backends keep files while the job runs, best on a local disk; made when it
 *     does not exist; null: {@code streamforge-state} in {@link EngineConfig#temporaryDirectory}
 * @param nativeMemoryBytes memory outside the heap that the backends of the process use at most, 8
 *     MiB to 1 TiB; the memory backend uses none
 * @param heapBytes heap that entries in front of a backend's store take, about, of all nodes and
 *     tasks of the job together, 0 to 1 TiB; 0: a quarter of the maximum. The memory backend takes
 *     what it needs
 * @param localCopies whether data of checkpoints that are not in a directory is kept in {@code
 *     directory} as well, so that a restart on this machine reads it from there; without effect
 *     while {@code directory} is null
 */
public record StateConfig(
    String backend,
    Map<String, String> nodes,
    @Nullable Path directory,
    long nativeMemoryBytes,
    long heapBytes,
    boolean localCopies) {
  /** Name of the backend that is there without any other module. */
  public static final String MEMORY = "memory";

  private static final long MIB = 1L << 20;
  private static final long MIN_NATIVE_BYTES = 8 * MIB;
  private static final long MAX_BYTES = 1L << 40;

  /** Copies the map. */
  public StateConfig {
    Objects.requireNonNull(backend);
    nodes = Map.copyOf(nodes);
  }

  /** All state on the heap. */
  public static StateConfig memory() {
    return of(MEMORY);
  }

  /** All state in this backend, with 256 MiB outside the heap. */
  public static StateConfig of(String backend) {
    return new StateConfig(backend, Map.of(), null, 256 * MIB, 0, true);
  }

  /** With another {@link #backend}. */
  public StateConfig with(String newBackend) {
    return new StateConfig(newBackend, nodes, directory, nativeMemoryBytes, heapBytes, localCopies);
  }

  /** With the state of {@code node} in another backend. */
  public StateConfig withNode(String node, String itsBackend) {
    Map<String, String> all = new HashMap<>(nodes);
    all.put(node, itsBackend);
    return new StateConfig(backend, all, directory, nativeMemoryBytes, heapBytes, localCopies);
  }

  /** With another {@link #directory}. */
  public StateConfig inDirectory(Path newDirectory) {
    return new StateConfig(backend, nodes, newDirectory, nativeMemoryBytes, heapBytes, localCopies);
  }

  /** With another bound of memory outside the heap, see {@link #nativeMemoryBytes}. */
  public StateConfig withNativeMemory(long bytes) {
    return new StateConfig(backend, nodes, directory, bytes, heapBytes, localCopies);
  }

  /** With another bound of heap, see {@link #heapBytes}. */
  public StateConfig withHeap(long bytes) {
    return new StateConfig(backend, nodes, directory, nativeMemoryBytes, bytes, localCopies);
  }

  /** Without {@link #localCopies}. */
  public StateConfig withoutLocalCopies() {
    return new StateConfig(backend, nodes, directory, nativeMemoryBytes, heapBytes, false);
  }

  /** The backend of a node. */
  public String backendOf(String node) {
    return nodes.getOrDefault(node, backend);
  }

  void validate(List<String> problems) {
    if (nativeMemoryBytes < MIN_NATIVE_BYTES || nativeMemoryBytes > MAX_BYTES) {
      problems.add(
          "state.nativeMemoryBytes is "
              + nativeMemoryBytes
              + ", expected "
              + MIN_NATIVE_BYTES
              + " (8 MiB) to "
              + MAX_BYTES
              + " (1 TiB)");
    }
    if (heapBytes < 0 || heapBytes > MAX_BYTES) {
      problems.add("state.heapBytes is " + heapBytes + ", expected 0 to " + MAX_BYTES + " (1 TiB)");
    }
  }
}
