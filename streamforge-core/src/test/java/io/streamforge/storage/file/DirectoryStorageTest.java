package io.streamforge.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryStorageTest {
  @TempDir Path temp;

  private static void put(DirectoryStorage storage, String name, String content)
      throws IOException {
    byte[] bytes = content.getBytes(UTF_8);
    try (ObjectWriter writer = storage.write(name)) {
      writer.write(bytes, 0, bytes.length);
      writer.complete();
    }
  }

  private static String text(DirectoryStorage storage, String name) throws IOException {
    return new String(storage.read(name, 0, 1000), UTF_8);
  }

  @Test
  void whatIsWrittenIsReadInParts() throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));
    put(storage, "data/1-1-a", "0123456789");

    assertThat(text(storage, "data/1-1-a")).isEqualTo("0123456789");
    assertThat(new String(storage.read("data/1-1-a", 3, 4), UTF_8)).isEqualTo("3456");
    assertThat(new String(storage.read("data/1-1-a", 8, 100), UTF_8)).isEqualTo("89");
    assertThat(storage.read("data/1-1-a", 10, 1)).isEmpty();
    assertThat(storage.read("data/1-1-a", 11, 1)).isEmpty();
    assertThatThrownBy(() -> storage.read("data/1-1-b", 0, 1))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage("data/1-1-b");
  }

  @Test
  void listIsSortedAndKnowsSizesAndShowsNothingElse() throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));
    put(storage, "data/b", "22");
    put(storage, "data/a", "1");
    Files.writeString(temp.resolve("job/data/.hidden"), "no object");
    Files.createDirectory(temp.resolve("job/data/folder"));

    assertThat(storage.list("data"))
        .containsExactly(new StoredObject("data/a", 1), new StoredObject("data/b", 2));
    assertThat(storage.list("log")).isEmpty();
    assertThat(storage.list("tmp")).isEmpty();
    assertThat(storage.list("other")).isEmpty();
  }

  @Test
  void nothingReplacesAnObject() throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));
    put(storage, "data/a", "first");

    assertThatThrownBy(() -> storage.write("data/a"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(storage.createIfAbsent("data/a", "second".getBytes(UTF_8))).isFalse();
    assertThat(text(storage, "data/a")).isEqualTo("first");
    assertThat(storage.list("tmp")).isEmpty();
  }

  @Test
  void anObjectThatIsNotCompletedIsRemoved() throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));
    try (ObjectWriter writer = storage.write("data/a")) {
      writer.write(new byte[10], 0, 10);
    }

    assertThat(storage.list("data")).isEmpty();
  }

  @Test
  void deletingWhatIsNotThereIsFine() throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));
    put(storage, "data/a", "1");

    storage.delete(List.of("data/a", "data/b"));

    assertThat(storage.list("data")).isEmpty();
  }

  @Test
  void namesCannotLeadOutOfTheDirectory() {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));

    for (String name :
        List.of("../x", "data/../x", "data//x", "/x", "data/.x", "", "a b", "x/y/z")) {
      assertThatThrownBy(() -> storage.read(name, 0, 1))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void ofAllWhoCreateAnObjectExactlyOneIsToldTrue() throws Exception {
    int threads = 8;
    Path directory = temp.resolve("job");
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      for (int round = 0; round < 50; round++) {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        String name = "log/" + round;
        List<Callable<Boolean>> tries = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          byte[] content = ("thread " + i).getBytes(UTF_8);
          tries.add(
              () -> {
                DirectoryStorage storage = DirectoryStorage.open(directory);
                barrier.await(30, TimeUnit.SECONDS);
                return storage.createIfAbsent(name, content);
              });
        }
        int winner = -1;
        int winners = 0;
        List<Future<Boolean>> results = executor.invokeAll(tries);
        for (int i = 0; i < threads; i++) {
          if (results.get(i).get()) {
            winner = i;
            winners++;
          }
        }

        assertThat(winners).isEqualTo(1);
        assertThat(text(DirectoryStorage.open(directory), name)).isEqualTo("thread " + winner);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void locationsArePathsAndFileUris() {
    assertThat(DirectoryStorage.path("state/job")).isEqualTo(Path.of("state/job"));
    assertThat(DirectoryStorage.path("file:///var/lib/job")).isEqualTo(Path.of("/var/lib/job"));
    assertThat(DirectoryStorage.path("file:/var/lib/a%20b")).isEqualTo(Path.of("/var/lib/a b"));
    assertThat(DirectoryStorage.path("file:state/job")).isEqualTo(Path.of("state/job"));
    assertThatThrownBy(() -> DirectoryStorage.path("file://host/job"))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .hasMessageContaining("'file://host/job' is not a directory for checkpoints");
  }

  @Test
  void aDirectoryThatIsMissingIsNamed() {
    Path missing = temp.resolve("volume/job");

    assertThatThrownBy(() -> DirectoryStorage.open(missing))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
              assertThat(e.summary())
                  .isEqualTo("there is no directory " + temp.resolve("volume") + " to make job in");
              assertThat(e.remedy())
                  .isEqualTo(
                      "Check the path, and that the volume is mounted; or make that directory.");
            });
    assertThatThrownBy(() -> DirectoryStorage.openExisting(missing))
        .hasMessageContaining("there is no directory " + missing);
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsNamed() throws IOException {
    Path file = Files.writeString(temp.resolve("job"), "");

    assertThatThrownBy(() -> DirectoryStorage.open(file))
        .hasMessageContaining(file + " is a file, not a directory");
  }

  @Test
  void aDirectoryThatMayNotBeWrittenIsNamed() throws IOException {
    Path directory = Files.createDirectory(temp.resolve("job"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeThat(Files.isWritable(directory)).as("the superuser may write anywhere").isFalse();
      assertThatThrownBy(() -> DirectoryStorage.open(directory))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE))
          .hasMessageContaining("the directory " + directory + " cannot be written: AccessDenied")
          .hasMessageContaining("Give the user that runs the job the right to write there");
    } finally {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void aDiskThatRefusesToBeWrittenIsNamed() {
    Disk readOnly =
        (Disk)
            Proxy.newProxyInstance(
                Disk.class.getClassLoader(),
                new Class<?>[] {Disk.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("create")) {
                    throw new FileSystemException("/job/tmp/probe", null, "Read-only file system");
                  }
                  return null;
                });

    assertThatThrownBy(() -> DirectoryStorage.open(Path.of("/job"), readOnly))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE))
        .hasMessageContaining(
            "the directory /job cannot be written: FileSystemException /job/tmp/probe: Read-only"
                + " file system")
        .hasMessageContaining("is not mounted read-only");
  }

  @Test
  void aFileInPlaceOfAFolderIsNamed() throws IOException {
    Path directory = Files.createDirectory(temp.resolve("job"));
    Files.writeString(directory.resolve("log"), "");

    assertThatThrownBy(() -> DirectoryStorage.open(directory))
        .hasMessageContaining("the directory " + directory + " cannot be written")
        .hasMessageContaining("log");
  }

  /** What a process was told before the machine died. */
  private static final class Told {
    private final Map<String, String> created = new HashMap<>();
    private final Map<String, String> synced = new HashMap<>();
    private final List<String> deleted = new ArrayList<>();
  }

  private static final String LONG = "content ".repeat(20);

  private static void script(FakeDisk disk, Told told) throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(Path.of("/job"), disk);
    for (int i = 1; i <= 3; i++) {
      put(storage, "data/" + i + "-a", LONG + i);
      put(storage, "data/" + i + "-b", LONG + i);
      storage.sync();
      told.synced.put("data/" + i + "-a", LONG + i);
      told.synced.put("data/" + i + "-b", LONG + i);
      if (storage.createIfAbsent("log/" + i, (LONG + i).getBytes(UTF_8))) {
        told.created.put("log/" + i, LONG + i);
      }
      if (i > 1) {
        String old = "data/" + (i - 1) + "-a";
        told.synced.remove(old);
        storage.delete(List.of(old));
        storage.sync();
        told.deleted.add(old);
      }
    }
  }

  /** At every call, several times since the disk keeps different things each time. */
  @Test
  void whateverWasPromisedSurvivesTheDeathOfTheMachine() throws IOException {
    FakeDisk whole = new FakeDisk(0, 0);
    script(whole, new Told());
    assertThat(whole.calls()).isGreaterThan(50);
    for (int diesAt = 1; diesAt <= whole.calls(); diesAt++) {
      for (int seed = 0; seed < 30; seed++) {
        FakeDisk disk = new FakeDisk(seed * 1_000L + diesAt, diesAt);
        Told told = new Told();
        int at = diesAt;
        assertThatThrownBy(() -> script(disk, told))
            .as("call %d", at)
            .isInstanceOf(FakeDisk.Died.class);
        disk.restart();
        DirectoryStorage storage = DirectoryStorage.open(Path.of("/job"), disk);

        for (Map<String, String> promised : List.of(told.created, told.synced)) {
          for (Map.Entry<String, String> object : promised.entrySet()) {
            assertThat(text(storage, object.getKey()))
                .as("%s, died at call %d, seed %d", object.getKey(), diesAt, seed)
                .isEqualTo(object.getValue());
          }
        }
        for (StoredObject entry : storage.list("log")) {
          assertThat(text(storage, entry.name()))
              .as("%s, died at call %d, seed %d", entry.name(), diesAt, seed)
              .isEqualTo(LONG + entry.name().substring(4));
        }
        for (StoredObject object : storage.list("data")) {
          assertThat(told.deleted)
              .as("died at call %d, seed %d", diesAt, seed)
              .doesNotContain(object.name());
        }
      }
    }
  }
}
