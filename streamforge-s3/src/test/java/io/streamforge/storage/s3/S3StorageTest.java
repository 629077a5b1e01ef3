package io.streamforge.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import io.streamforge.testkit.s3.S3TestServer.Operation;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is particular to S3; the rest is in {@code CheckpointStorageContract}. */
class S3StorageTest {
  private static final int PART = S3Stub.LIMITS.partBytes();

  private final S3Stub server = new S3Stub();

  @AfterEach
  void stopServer() {
    server.close();
  }

  static void put(S3Storage storage, String name, int bytes) throws IOException {
    try (ObjectWriter writer = storage.write(name)) {
      writer.write(new byte[bytes], 0, bytes);
      writer.complete();
    }
  }

  @Test
  void openingLeavesNothingBehind() {
    try (S3Storage storage = server.open("jobs/orders")) {
      assertThat(storage.location()).isEqualTo("s3://bucket/jobs/orders");
      assertThat(server.keys()).isEmpty();
    }
  }

  @Test
  void openingToReadChangesNothing() {
    for (Operation changing : List.of(Operation.PUT, Operation.BEGIN, Operation.DELETE)) {
      server.refuse(changing, 403, "AccessDenied");
    }

    S3Storage.openExisting(
            new S3Location(S3Stub.BUCKET, "jobs/orders"),
            server.settings(),
            S3Stub.CREDENTIALS,
            S3Stub.LIMITS)
        .close();
  }

  @Test
  void keysAreNamesBelowThePrefix() throws IOException {
    try (S3Storage storage = server.open("jobs/orders");
        S3Storage whole = server.open("")) {
      storage.createIfAbsent("log/1", new byte[] {1});
      whole.createIfAbsent("log/1", new byte[] {1, 2});

      assertThat(server.keys()).containsExactly("jobs/orders/log/1", "log/1");
      assertThat(storage.list("log")).containsExactly(new StoredObject("log/1", 1));
      assertThat(whole.list("log")).containsExactly(new StoredObject("log/1", 2));
    }
  }

  @Test
  void aListShowsNoKeysThatAreNoObjects() throws IOException {
    try (S3Storage storage = server.open("job")) {
      for (String key : List.of("job/log/", "job/log/a b", "job/log/a/b", "job/log.txt", "jobs")) {
        server.put(key, new byte[1]);
      }
      server.put("job/log/1", new byte[1]);

      assertThat(storage.list("log")).containsExactly(new StoredObject("log/1", 1));
    }
  }

  @Test
  void aListOfManyPagesIsWholeAndSorted() throws IOException {
    try (S3Storage storage = server.open("job")) {
      List<String> names = new ArrayList<>();
      for (int i = 10; i < 60; i++) {
        server.put("job/data/" + i, new byte[1]);
        names.add("data/" + i);
      }

      assertThat(storage.list("data")).extracting(StoredObject::name).isEqualTo(names);
      assertThat(server.calls(Operation.LIST)).isGreaterThan(50 / 3);
    }
  }

  @Test
  void onlyObjectsThatAreLargerThanAPartAreWrittenInParts() throws IOException {
    try (S3Storage storage = server.open("job")) {
      put(storage, "data/part", PART);
      assertThat(server.calls(Operation.BEGIN)).isZero();

      put(storage, "data/more", PART + 1);
      assertThat(server.calls(Operation.PART)).isEqualTo(2);

      put(storage, "data/three", 3 * PART);
      assertThat(server.calls(Operation.PART)).isEqualTo(5);
      assertThat(storage.list("data"))
          .containsExactly(
              new StoredObject("data/more", PART + 1),
              new StoredObject("data/part", PART),
              new StoredObject("data/three", 3 * PART));
    }
  }

  @Test
  void partsOfAnObjectThatIsNotCompletedAreGivenBack() throws IOException {
    try (S3Storage storage = server.open("job")) {
      ObjectWriter writer = storage.write("data/a");
      writer.write(new byte[3 * PART], 0, 3 * PART);
      assertThat(server.openUploads()).isEqualTo(1);

      writer.close();

      assertThat(server.openUploads()).isZero();
      assertThat(server.keys()).isEmpty();
    }
  }

  @Test
  void partsOfAnObjectWhoseNameIsTakenAreGivenBack() throws IOException {
    try (S3Storage storage = server.open("job")) {
      put(storage, "data/a", 1);

      assertThatThrownBy(() -> put(storage, "data/a", 2 * PART))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessage("data/a");
      assertThat(server.openUploads()).isZero();
    }
  }

  @Test
  void moreObjectsThanOneRequestTakesAreDeleted() throws IOException {
    try (S3Storage storage = server.open("job")) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 2_500; i++) {
        server.put("job/data/" + i, new byte[1]);
        names.add("data/" + i);
      }
      long before = server.calls(Operation.DELETE);

      storage.delete(names);

      assertThat(server.keys()).isEmpty();
      assertThat(server.calls(Operation.DELETE) - before).isEqualTo(3);
    }
  }

  @Test
  void whatCannotBeDeletedIsNamedAndTheRestIsDeleted() throws IOException {
    try (S3Storage storage = server.open("job")) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < 1_200; i++) {
        String name = "data/" + (i % 200 == 0 ? "kept-" : "") + i;
        server.put("job/" + name, new byte[1]);
        names.add(name);
      }

      assertThatThrownBy(() -> storage.delete(names))
          .isInstanceOf(IOException.class)
          .hasMessage(
              "6 of 1200 objects in s3://bucket/job cannot be deleted: 'data/kept-0' (AccessDenied),"
                  + " 'data/kept-200' (AccessDenied), 'data/kept-400' (AccessDenied),"
                  + " 'data/kept-600' (AccessDenied), 'data/kept-800' (AccessDenied), …; grant the"
                  + " credentials the permission s3:DeleteObject on arn:aws:s3:::bucket/job/*");
      assertThat(server.keys()).hasSize(6);
    }
  }

  @Test
  void aServerThatSendsAllOfAnObjectIsUnderstood() throws IOException {
    server.ignoreRanges();
    try (S3Storage storage = server.open("job")) {
      server.put("job/data/a", "0123456789".getBytes(UTF_8));

      assertThat(storage.read("data/a", 0, 3)).isEqualTo("012".getBytes(UTF_8));
      assertThat(storage.read("data/a", 3, 4)).isEqualTo("3456".getBytes(UTF_8));
      assertThat(storage.read("data/a", 8, 100)).isEqualTo("89".getBytes(UTF_8));
      assertThat(storage.read("data/a", 10, 1)).isEmpty();
      assertThat(storage.read("data/a", 11, 1)).isEmpty();
    }
  }

  @Test
  void ofSixteenProcessesExactlyOneCreatesAnObject() throws Exception {
    int threads = 16;
    int names = 50;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (S3Storage reader = server.open("job")) {
      List<Callable<List<String>>> racers = new ArrayList<>();
      CyclicBarrier start = new CyclicBarrier(threads);
      for (int i = 0; i < threads; i++) {
        String racer = "racer " + i;
        racers.add(
            () -> {
              List<String> won = new ArrayList<>();
              try (S3Storage storage = server.open("job")) {
                for (int name = 10; name < 10 + names; name++) {
                  start.await(60, TimeUnit.SECONDS);
                  if (storage.createIfAbsent("log/" + name, racer.getBytes(UTF_8))) {
                    won.add("log/" + name + " " + racer);
                  }
                }
              }
              return won;
            });
      }
      List<String> won = new ArrayList<>();
      for (Future<List<String>> racer : executor.invokeAll(racers)) {
        won.addAll(racer.get());
      }

      List<String> there = new ArrayList<>();
      for (StoredObject object : reader.list("log")) {
        there.add(object.name() + " " + new String(reader.read(object.name(), 0, 100), UTF_8));
      }
      assertThat(there).hasSize(names);
      assertThat(won).containsExactlyInAnyOrderElementsOf(there);
    } finally {
      executor.shutdownNow();
    }
  }
}
