package io.streamforge.storage.s3;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.testkit.storage.CheckpointStorageContract;
import org.junit.jupiter.api.AfterEach;

class S3StorageContractTest extends CheckpointStorageContract {
  private final S3Stub server = new S3Stub();

  @AfterEach
  void stopServer() {
    server.close();
  }

  @Override
  protected CheckpointStorage connect() {
    return server.open("jobs/orders");
  }
}
