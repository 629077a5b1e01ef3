package io.streamforge.backend.rocksdb;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.StateBackendProvider;
import java.util.Set;

/**
 * Opens RocksDB as the place of keyed state. The database is scratch space of one attempt to run a
 * job: what must outlive the process is in checkpoints.
 */
public final class RocksDbBackendProvider implements StateBackendProvider {
  /** Of the heap, what entries in front of the databases of the process may take: a quarter. */
  private static final int HEAP_SHARE = 4;

  /** Found by the service loader. */
  public RocksDbBackendProvider() {}

  @Override
  public Set<String> names() {
    return Set.of("rocksdb", "bolt");
  }

  @Override
  public KeyedStateBackend open(Place place) {
    NativeMemory.check(place.nativeMemoryBytes());
    StateDirectory directory = StateDirectory.make(place.directory(), place.job());
    try {
      RocksStore store = RocksStore.open(directory.path(), place.nativeMemoryBytes());
      return new RocksDbBackend(store, directory, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    } catch (Throwable e) {
      directory.close();
      throw e;
    }
  }
}
