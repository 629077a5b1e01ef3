package io.streamforge.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ForwardedStorage;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is particular to copies; the rest is in {@code CheckpointStorageContract}. */
class CopiedStorageTest {
  private static final int PART = CopyChecksums.PART_BYTES;

  @TempDir Path temp;
  private Remote remote;

  @BeforeEach
  void makeThePlace() {
    remote = new Remote(DirectoryStorage.open(temp.resolve("job")));
  }

  /** Where the objects are, which counts what is read of them. */
  private static final class Remote extends ForwardedStorage {
    private int reads;

    Remote(CheckpointStorage storage) {
      super(storage);
    }

    @Override
    public byte[] read(String name, long offset, int length) throws IOException {
      reads++;
      return super.read(name, offset, length);
    }

    /** How often something was read since the last call. */
    int takeReads() {
      int taken = reads;
      reads = 0;
      return taken;
    }
  }

  private Path stateDirectory() {
    return temp.resolve("state");
  }

  private CopiedStorage open() {
    return CopiedStorage.open(remote, stateDirectory(), "job");
  }

  private CopiedStorage open(Disk disk) {
    return CopiedStorage.open(remote, stateDirectory(), "job", disk);
  }

  private Path copies() {
    return CopiedStorage.directory(stateDirectory(), "job", remote.location());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(copies())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  private static void put(CheckpointStorage storage, String name, byte[] content)
      throws IOException {
    try (ObjectWriter writer = storage.write(name)) {
      for (int from = 0; from < content.length; from += 10_000) {
        writer.write(content, from, Math.min(10_000, content.length - from));
      }
      writer.complete();
    }
  }

  @Test
  void whatWasWrittenHereIsReadHereBeforeAndAfterARestart() throws IOException {
    List<Integer> lengths = List.of(0, 1, PART - 1, PART, PART + 1, 3 * PART + 17);
    CopiedStorage before = open();
    for (int length : lengths) {
      put(before, "data/" + length, content(length));
    }

    for (CopiedStorage storage : List.of(before, open())) {
      for (int length : lengths) {
        byte[] content = content(length);
        String name = "data/" + length;
        assertThat(storage.read(name, 0, length + 1)).isEqualTo(content);
        for (int from = 0; from <= length; from += Math.max(1, length / 7)) {
          int count = Math.min(PART, length - from);
          assertThat(storage.read(name, from, PART))
              .isEqualTo(Arrays.copyOfRange(content, from, from + count));
        }
        assertThat(storage.read(name, length, 1)).isEmpty();
      }
    }
    assertThat(remote.takeReads()).isZero();
  }

  @Test
  void whatWasWrittenElsewhereIsReadWhereItIs() throws IOException {
    put(remote, "data/a", content(10));
    CopiedStorage storage = open();
    put(remote, "data/b", content(20));

    assertThat(storage.read("data/a", 0, 10)).isEqualTo(content(10));
    assertThat(storage.read("data/b", 5, 3)).isEqualTo(Arrays.copyOfRange(content(20), 5, 8));
    assertThat(remote.takeReads()).isEqualTo(2);
  }

  @Test
  void onlyDataIsCopied() throws IOException {
    CopiedStorage storage = open();
    storage.createIfAbsent("format", content(3));
    storage.createIfAbsent("log/1", content(4));
    put(storage, "log/2", content(5));
    put(storage, "tmp/1", content(6));

    assertThat(files()).isEmpty();
    for (CopiedStorage each : List.of(storage, open())) {
      assertThat(each.read("format", 0, 10)).isEqualTo(content(3));
      assertThat(each.read("log/1", 0, 10)).isEqualTo(content(4));
      assertThat(each.read("log/2", 0, 10)).isEqualTo(content(5));
      assertThat(remote.takeReads()).isEqualTo(3);
    }
  }

  @Test
  void copyOfWhichAnyByteIsAlteredIsRemovedAndTheObjectIsRead() throws IOException {
    CopiedStorage before = open();
    put(before, "data/a", content(10));
    Path copy = copies().resolve("a");
    byte[] whole = Files.readAllBytes(copy);

    for (int at = 0; at < whole.length; at++) {
      byte[] altered = whole.clone();
      altered[at] ^= 1;
      Files.write(copy, altered);
      CopiedStorage storage = open();

      assertThat(storage.read("data/a", 2, 5))
          .as("byte %d", at)
          .isEqualTo(Arrays.copyOfRange(content(10), 2, 7));
      assertThat(remote.takeReads()).as("byte %d", at).isEqualTo(1);
      assertThat(files()).as("byte %d", at).isEmpty();
    }
  }

  @Test
  void onlyTheDamagedPartOfACopyIsRefused() throws IOException {
    put(open(), "data/a", content(2 * PART));
    Path copy = copies().resolve("a");
    byte[] altered = Files.readAllBytes(copy);
    altered[PART + 5] ^= 1;
    Files.write(copy, altered);
    CopiedStorage storage = open();

    assertThat(storage.read("data/a", 0, PART)).isEqualTo(Arrays.copyOf(content(2 * PART), PART));
    assertThat(remote.takeReads()).isZero();
    assertThat(storage.read("data/a", PART - 1, 2))
        .isEqualTo(Arrays.copyOfRange(content(2 * PART), PART - 1, PART + 1));
    assertThat(remote.takeReads()).isEqualTo(1);
  }

  @Test
  void copyThatIsCutOffOrGoneWhileItIsUsedIsReplacedByTheObject() throws IOException {
    CopiedStorage storage = open();
    put(storage, "data/a", content(100));
    put(storage, "data/b", content(200));
    Files.write(copies().resolve("a"), content(50));
    Files.delete(copies().resolve("b"));

    assertThat(storage.read("data/a", 0, 100)).isEqualTo(content(100));
    assertThat(storage.read("data/b", 0, 200)).isEqualTo(content(200));
    assertThat(remote.takeReads()).isEqualTo(2);
  }

  @Test
  void whatIsNoCopyOfAnObjectIsRemovedAtTheStart() throws IOException {
    CopiedStorage before = open();
    for (String name : List.of("kept", "gone", "short", "long")) {
      put(before, "data/" + name, content(100));
    }
    remote.delete(List.of("data/gone"));
    byte[] whole = Files.readAllBytes(copies().resolve("short"));
    Files.write(copies().resolve("short"), Arrays.copyOf(whole, whole.length - 1));
    Files.write(copies().resolve("long"), Arrays.copyOf(whole, whole.length + 1));
    Files.write(copies().resolve("kept.part-17-0"), content(3));

    CopiedStorage storage = open();

    assertThat(files()).containsExactly("kept");
    assertThat(storage.read("data/long", 0, 100)).isEqualTo(content(100));
    assertThatThrownBy(() -> storage.read("data/gone", 0, 1))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void copyGoesWithItsObject() throws IOException {
    CopiedStorage storage = open();
    put(storage, "data/a", content(1));
    put(storage, "data/b", content(2));
    storage.delete(List.of("data/a", "log/1"));

    assertThat(files()).containsExactly("b");
    assertThatThrownBy(() -> storage.read("data/a", 0, 1)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void writerThatDoesNotCompleteItsObjectLeavesNoCopy() throws IOException {
    CopiedStorage storage = open();
    try (ObjectWriter writer = storage.write("data/a")) {
      writer.write(content(10), 0, 10);
      assertThat(files()).singleElement().asString().startsWith("a.part-");
    }

    assertThat(files()).isEmpty();
  }

  @Test
  void writerThatFindsItsNameTakenLeavesTheCopyThatThereIs() throws IOException {
    CopiedStorage storage = open();
    put(storage, "data/a", "first".getBytes(UTF_8));

    assertThatThrownBy(() -> put(storage, "data/a", "other".getBytes(UTF_8)))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(storage.read("data/a", 0, 10)).asString(UTF_8).isEqualTo("first");
    assertThat(remote.takeReads()).isZero();
  }

  @Test
  void fullDiskCostsTheCopyAndNotTheObject() throws IOException {
    FakeDisk disk = new FakeDisk(1, 0);
    disk.capacity(100_000);
    CopiedStorage storage = open(disk);
    put(storage, "data/a", content(50_000));
    put(storage, "data/b", content(60_000));
    put(storage, "data/c", content(20_000));

    assertThat(storage.read("data/a", 0, 50_000)).isEqualTo(content(50_000));
    assertThat(storage.read("data/c", 0, 20_000)).isEqualTo(content(20_000));
    assertThat(remote.takeReads()).isZero();
    assertThat(storage.read("data/b", 0, 60_000)).isEqualTo(content(60_000));
    assertThat(remote.takeReads()).isEqualTo(1);
    assertThat(disk.list(copies().toAbsolutePath()))
        .extracting(StoredObject::name)
        .containsExactly("a", "c");
  }

  @Test
  void lastTenthOfTheDiskIsLeftToOthers() throws IOException {
    FakeDisk disk = new FakeDisk(1, 0);
    disk.capacity(100_000);
    CopiedStorage storage = open(disk);
    put(storage, "data/a", content(91_000));
    put(storage, "data/b", content(10));

    assertThat(disk.list(copies().toAbsolutePath()))
        .extracting(StoredObject::name)
        .containsExactly("a");
    storage.delete(List.of("data/a"));
    put(storage, "data/c", content(10));
    assertThat(disk.list(copies().toAbsolutePath()))
        .extracting(StoredObject::name)
        .containsExactly("c");
  }

  @Test
  void withoutADirectoryEverythingIsWhereItWas() throws IOException {
    Files.writeString(stateDirectory(), "a file in its place");
    CopiedStorage storage = open();
    put(storage, "data/a", content(10));

    assertThat(storage.read("data/a", 0, 10)).isEqualTo(content(10));
    assertThat(remote.takeReads()).isEqualTo(1);
    storage.delete(List.of("data/a"));
    assertThat(storage.list("data")).isEmpty();
  }

  private void script(FakeDisk disk) throws IOException {
    remote = new Remote(DirectoryStorage.open(Path.of("/job"), new FakeDisk(0, 0)));
    CopiedStorage storage = open(disk);
    put(storage, "data/a", content(PART + 10));
    put(storage, "data/b", content(30));
    storage.delete(List.of("data/a"));
    put(storage, "data/c", content(40));
  }

  /** At every call of the disk; with the machine, the disk keeps different things each time. */
  @Test
  void whateverADeathHasLeftTheContentIsThatOfTheObject() throws IOException {
    FakeDisk whole = new FakeDisk(0, 0);
    script(whole);
    assertThat(whole.calls()).isGreaterThan(15);
    for (int diesAt = 1; diesAt <= whole.calls(); diesAt++) {
      for (int seed = 0; seed < 20; seed++) {
        String death = "call " + diesAt + ", seed " + seed;
        FakeDisk disk = new FakeDisk(seed * 1_000L + diesAt, diesAt);
        assertThatThrownBy(() -> script(disk)).as(death).isInstanceOf(FakeDisk.Died.class);
        if (seed == 0) {
          disk.revive();
        } else {
          disk.restart();
        }

        CopiedStorage next = open(disk);
        for (StoredObject object : remote.list("data")) {
          int length = (int) object.size();
          assertThat(next.read(object.name(), 0, length))
              .as("%s of %s", object.name(), death)
              .isEqualTo(content(length));
        }
        assertThat(disk.list(copies().toAbsolutePath()))
            .extracting(StoredObject::name)
            .as(death)
            .isSubsetOf("a", "b", "c");
      }
    }
  }

  @Test
  void everyPlaceHasADirectoryOfItsOwnBelowThatOfTheState() {
    Path state = Path.of("/state");
    Path one = CopiedStorage.directory(state, "../a job", "s3://bucket/one");

    assertThat(one.getParent()).isEqualTo(Path.of("/state/copies"));
    assertThat(one.getFileName().toString()).matches("\\.\\._a_job-[0-9a-f]{16}");
    assertThat(CopiedStorage.directory(state, "../a job", "s3://bucket/two")).isNotEqualTo(one);
  }
}
