package io.streamforge.testkit.storage;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.file.CopiedStorage;
import io.streamforge.storage.file.DirectoryStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Processes of one machine, which share the directory of the copies. */
class CopiedStorageContractTest extends CheckpointStorageContract {
  @TempDir Path temp;

  @Override
  protected CheckpointStorage connect() {
    return CopiedStorage.open(
        DirectoryStorage.open(temp.resolve("job")), temp.resolve("state"), "job");
  }
}
