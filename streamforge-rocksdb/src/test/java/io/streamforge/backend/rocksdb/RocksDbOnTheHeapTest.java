package io.streamforge.backend.rocksdb;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.testkit.backend.KeyedStateBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** All entries find room on the heap. */
class RocksDbOnTheHeapTest extends KeyedStateBackendContract {
  @TempDir private Path directory;

  @Override
  protected KeyedStateBackend backend() {
    return TestBackends.open(directory, 1L << 30);
  }
}
