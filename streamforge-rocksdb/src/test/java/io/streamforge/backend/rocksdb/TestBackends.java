package io.streamforge.backend.rocksdb;

import java.nio.file.Path;

/** Backends with a share of the heap that a test chooses. */
final class TestBackends {
  private static final long NATIVE_BYTES = 16 << 20;

  private TestBackends() {}

  static RocksDbBackend open(Path directory, long heapBytes) {
    StateDirectory own = StateDirectory.make(directory, "job");
    return new RocksDbBackend(RocksStore.open(own.path(), NATIVE_BYTES), own, heapBytes);
  }
}
