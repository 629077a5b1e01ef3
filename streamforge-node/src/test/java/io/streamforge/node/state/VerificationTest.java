package io.streamforge.node.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.DamagedObjectException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage to the checkpoints of a small job: every byte, every object. */
class VerificationTest {
  private static final ShopJob.Order TEA =
      new ShopJob.Order("tea", 300, ShopJob.Status.NEW, new ShopJob.Cash());

  @TempDir private static Path directory;
  private static Path checkpoints;

  /** Entries of the log that wait to be cleaned up. */
  private static final Set<String> notCounting = new TreeSet<>();

  /** An object that no checkpoint needs. */
  private static final String ORPHAN = "data/1-9-0-0";

  @BeforeAll
  static void takeCheckpoints() throws Exception {
    try (ShopJob job = ShopJob.small(directory)) {
      checkpoints = job.checkpoints();
      for (int i = 0; i < 4; i++) {
        job.send("ann", TEA, i);
        job.send("bob" + i, TEA, i);
        job.checkpoint();
      }
    }
    Files.write(checkpoints.resolve(ORPHAN), new byte[100]);
    try (StoredCheckpoints stored = open()) {
      for (long position = 1; position < stored.history().oldestRetained(); position++) {
        notCounting.add(CheckpointLog.entryName(position));
      }
    }
  }

  private static StoredCheckpoints open() throws IOException {
    return StoredCheckpoints.open(checkpoints.toString(), VerificationTest.class.getClassLoader());
  }

  private static Verification.Report verify() throws IOException {
    try (StoredCheckpoints stored = open()) {
      return Verification.run(stored, null, (o, of, b, ofBytes) -> {});
    } catch (DamagedObjectException e) {
      return new Verification.Report(
          0,
          List.of(),
          0,
          0,
          0,
          List.of(new Verification.Damage(e.object(), e.summary(), List.of())));
    }
  }

  private static Set<String> objects() throws IOException {
    try (Stream<Path> files = Files.walk(checkpoints)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> checkpoints.relativize(file).toString().replace('\\', '/'))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** What is to be named when this object is damaged: nothing when nobody needs it. */
  private static Set<String> expected(String object) {
    return object.equals(ORPHAN) || notCounting.contains(object) ? Set.of() : Set.of(object);
  }

  private static Set<String> damaged() throws IOException {
    return verify().damages().stream()
        .map(Verification.Damage::object)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void whatIsWholeHasNoDamage() throws Exception {
    Verification.Report report = verify();

    assertThat(report.damages()).isEmpty();
    assertThat(report.checkpoints()).hasSizeGreaterThan(2);
    assertThat(report.unneeded()).isEqualTo(1);
    assertThat(report.bytes()).isPositive();
  }

  @Test
  void everyFlippedByteIsNamed() throws Exception {
    for (String object : objects()) {
      Set<String> expected = expected(object);
      Path file = checkpoints.resolve(object);
      byte[] whole = Files.readAllBytes(file);
      for (int at = 0; at < whole.length; at++) {
        byte[] flipped = whole.clone();
        flipped[at] ^= (byte) (1 << at % 8);
        Files.write(file, flipped);

        assertThat(damaged()).as("byte %d of %s", at, object).isEqualTo(expected);
      }
      Files.write(file, whole);
    }
  }

  @Test
  void whatIsMissingTornOrContinuedIsNamed() throws Exception {
    Set<String> objects = objects();
    String newest =
        objects.stream().filter(object -> object.startsWith("log/")).max(String::compareTo).get();
    for (String object : objects) {
      Path file = checkpoints.resolve(object);
      byte[] whole = Files.readAllBytes(file);
      Set<String> expected = expected(object);

      Files.write(file, Arrays.copyOf(whole, whole.length - 1));
      assertThat(damaged()).as("torn %s", object).isEqualTo(expected);
      Files.write(file, Arrays.copyOf(whole, whole.length + 1));
      assertThat(damaged()).as("continued %s", object).isEqualTo(expected);
      Files.delete(file);
      // Without its last entry the log is as it was before; 'format' is another case.
      if (!object.equals(newest) && !object.equals("format")) {
        assertThat(damaged()).as("missing %s", object).isEqualTo(expected);
      }
      Files.write(file, whole);
    }
    assertThat(damaged()).isEmpty();
  }
}
