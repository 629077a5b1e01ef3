package io.streamforge.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.file.DirectoryStorage;
import io.streamforge.storage.file.DirectoryStorageProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointStoragesTest {
  @TempDir Path temp;

  private final CheckpointStorages storages =
      CheckpointStorages.load(CheckpointStoragesTest.class.getClassLoader());

  /** A kind of storage with these schemes, which opens a directory whatever it is asked. */
  private static class Other implements CheckpointStorageProvider {
    private final Set<String> schemes;
    private final Path directory;

    Other(Set<String> schemes, Path directory) {
      this.schemes = schemes;
      this.directory = directory;
    }

    @Override
    public Set<String> schemes() {
      return schemes;
    }

    @Override
    public CheckpointStorage open(String location) {
      return DirectoryStorage.open(directory);
    }

    @Override
    public CheckpointStorage openExisting(String location) {
      return DirectoryStorage.openExisting(directory);
    }
  }

  private static void assertInvalid(String summary, String remedy, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID);
              assertThat(e.summary()).startsWith(summary);
              assertThat(e.remedy()).isEqualTo(remedy);
            });
  }

  @Test
  void pathsAndFileUrisAreDirectories() throws IOException {
    Path directory = temp.resolve("job");
    for (String location :
        List.of(directory.toString(), "file:" + directory, "FILE:" + directory)) {
      try (CheckpointStorage storage = storages.open(location)) {
        assertThat(storage.location()).as(location).isEqualTo(directory.toString());
      }
    }
    try (CheckpointStorage storage = storages.openExisting(directory.toString())) {
      assertThat(storage.location()).isEqualTo(directory.toString());
    }
  }

  @Test
  void openingToReadMakesNothing() {
    assertThatThrownBy(() -> storages.openExisting(temp.resolve("job").toString()))
        .hasMessageContaining("there is no directory");
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void anUnknownSchemeIsNamedWithThoseThatAreKnown() {
    CheckpointStorages two =
        CheckpointStorages.of(
            List.of(new DirectoryStorageProvider(), new Other(Set.of("memory"), temp)));

    assertInvalid(
        "there is no storage for the location 'hdfs://name/job': the scheme 'hdfs' is not among"
            + " file, memory",
        "Write a location with one of these schemes, or a path; a path that has a colon in its first"
            + " part begins with ./",
        () -> two.open("hdfs://name/job"));
  }

  @Test
  void aSchemeOfAModuleThatIsNotThereNamesTheModule() {
    assertInvalid(
        "there is no storage for the location 's3://bucket/job': the scheme 's3' is not among file",
        "To keep checkpoints there, add io.streamforge:streamforge-s3 to the class path.",
        () -> storages.open("s3://bucket/job"));
  }

  @Test
  void twoKindsForOneSchemeAreAnError() {
    assertInvalid(
        "two kinds of storage are for locations that begin with 'file:': "
            + DirectoryStorageProvider.class.getName()
            + " and "
            + Other.class.getName(),
        "Leave only one of them on the class path.",
        () ->
            CheckpointStorages.of(
                List.of(new DirectoryStorageProvider(), new Other(Set.of("file"), temp))));
  }

  @Test
  void aKindThatCannotBeLoadedIsNamed() throws IOException {
    Path services = Files.createDirectories(temp.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(CheckpointStorageProvider.class.getName()), "com.example.Missing");
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {temp.toUri().toURL()}, getClass().getClassLoader())) {
      assertInvalid(
          "a kind of storage on the class path cannot be loaded: "
              + CheckpointStorageProvider.class.getName()
              + ": Provider com.example.Missing not found",
          "Put the module that it is in on the class path with all that it needs, in one version.",
          () -> CheckpointStorages.load(loader));
    }
  }
}
