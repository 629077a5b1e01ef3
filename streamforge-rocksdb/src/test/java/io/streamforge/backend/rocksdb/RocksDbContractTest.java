package io.streamforge.backend.rocksdb;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.testkit.backend.KeyedStateBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Almost all entries are in the database. */
class RocksDbContractTest extends KeyedStateBackendContract {
  @TempDir private Path directory;

  @Override
  protected KeyedStateBackend backend() {
    return TestBackends.open(directory, 4 << 10);
  }
}
