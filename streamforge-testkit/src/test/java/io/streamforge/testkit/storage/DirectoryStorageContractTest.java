package io.streamforge.testkit.storage;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.file.DirectoryStorage;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

// tag::contract[]
class DirectoryStorageContractTest extends CheckpointStorageContract {
  @TempDir Path temp;

  @Override
  protected CheckpointStorage connect() {
    return DirectoryStorage.open(temp.resolve("job"));
  }
}
// end::contract[]
