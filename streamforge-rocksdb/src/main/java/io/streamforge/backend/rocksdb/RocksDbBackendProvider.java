package io.streamforge.backend.rocksdb;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.StateBackendProvider;
import java.util.Set;

/**
 * Opens RocksDB as the place of keyed state. The database is scratch space of one attempt to run a
 * job: what must outlive the process is in checkpoints.
 */
public final class RocksDbBackendProvider implements StateBackendProvider {
  /** Found by the service loader. */
  public RocksDbBackendProvider() {}

  @Override
  public Set<String> names() {
    return Set.of("rocksdb", "bolt");
  }

  @Override
  public KeyedStateBackend open(Place place) {
    NativeMemory.check("state.nativeMemoryBytes", place.nativeMemoryBytes());
    StateDirectory directory = StateDirectory.make(place.directory(), place.job());
    try {
      RocksStore store = RocksStore.open(directory.path(), place.nativeMemoryBytes());
      return new RocksDbBackend(store, directory, place.heapBytes());
    } catch (Throwable e) {
      directory.close();
      throw e;
    }
  }
}
