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
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is particular to a directory; the rest is in {@code CheckpointStorageContract}. */
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
  void listShowsNoFilesThatAreNoObjects() throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));
    put(storage, "data/a", "1");
    Files.writeString(temp.resolve("job/data/.hidden"), "no object");
    Files.createDirectory(temp.resolve("job/data/folder"));

    assertThat(storage.list("data")).containsExactly(new StoredObject("data/a", 1));
    assertThat(storage.list("tmp")).isEmpty();
  }

  @Test
  void aCreationLeavesNothingBehind() throws IOException {
    DirectoryStorage storage = DirectoryStorage.open(temp.resolve("job"));
    assertThat(storage.createIfAbsent("log/1", "first".getBytes(UTF_8))).isTrue();
    assertThat(storage.createIfAbsent("log/1", "second".getBytes(UTF_8))).isFalse();

    assertThat(storage.list("tmp")).isEmpty();
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
