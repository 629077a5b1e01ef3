package io.streamforge.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.StoredObject;
import io.streamforge.testkit.storage.CheckpointStorageContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contract on a server that is not ours, with limits as users have them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class S3StorageIT extends CheckpointStorageContract {
  private S3MockServer server;
  private int place;

  @BeforeAll
  void startServer() throws IOException {
    server = new S3MockServer();
  }

  @AfterAll
  void stopServer() {
    server.close();
  }

  @BeforeEach
  void nextPlace() {
    place++;
  }

  @Override
  protected CheckpointStorage connect() {
    return server.open(S3MockServer.BUCKET, "jobs/" + place);
  }

  /** Two parts. */
  @Override
  protected int largeObject() {
    return 9 << 20;
  }

  /** Not a test here: this server checks and writes in two steps. */
  @Override
  protected void ofAllWhoCreateAnObjectExactlyOneIsToldTrue() {}

  /** Not a test here: this server deletes the object when parts of another one are given up. */
  @Override
  protected void aLargeObjectReplacesNothing() {}

  @Test
  void aCheckpointIsPublishedAndFound() throws IOException {
    try (CheckpointStorage storage = connect()) {
      LogOwner owner = CheckpointLog.open(storage, "job").claim(1, "process 1", 3, 1_000);
      owner.begin(0, 0);
      owner.publish(new Manifest(32, 7, List.of()), 5);

      LogEntry.Published found = CheckpointLog.openExisting(storage).read().usable().checkpoint();

      assertThat(found.manifest()).isEqualTo(new Manifest(32, 7, List.of()));
    }
  }

  @Test
  void manyObjectsAreListedAndDeleted() throws IOException {
    try (CheckpointStorage storage = connect()) {
      List<String> names = new ArrayList<>();
      for (int i = 100; i < 300; i++) {
        storage.createIfAbsent("log/" + i, new byte[] {1});
        names.add("log/" + i);
      }

      assertThat(storage.list("log")).extracting(StoredObject::name).isEqualTo(names);
      storage.delete(names);
      assertThat(storage.list("log")).isEmpty();
    }
  }

  @Test
  void aBucketThatDoesNotExistIsNamed() {
    assertThatThrownBy(() -> server.open("missing", "job"))
        .hasMessageContaining("there is no bucket missing on the server " + server.endpoint());
  }
}
