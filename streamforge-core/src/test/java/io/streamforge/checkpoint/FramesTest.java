package io.streamforge.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.file.DirectoryStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FramesTest {
  private static final String NAME = "data/1-2-a";

  @TempDir Path temp;
  private DirectoryStorage storage;
  private Path file;

  @BeforeEach
  void open() {
    storage = DirectoryStorage.open(temp.resolve("job"));
    file = temp.resolve("job").resolve(NAME);
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private List<Segment> write(byte[]... segments) throws IOException {
    List<Segment> written = new ArrayList<>();
    try (FrameWriter writer = new FrameWriter(storage.write(NAME), NAME, FrameKind.DATA)) {
      for (byte[] segment : segments) {
        writer.write(segment, 0, segment.length);
        written.add(writer.endSegment());
      }
      writer.finish();
    }
    return written;
  }

  private byte[] read(FrameReader reader) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] block;
    while ((block = reader.next()) != null) {
      all.writeBytes(block);
    }
    return all.toByteArray();
  }

  private byte[] whole() throws IOException {
    return read(FrameReader.whole(storage, NAME, FrameKind.DATA));
  }

  @Test
  void contentComesBackAsAWholeAndBySegment() throws IOException {
    byte[] small = random(10, 1);
    byte[] empty = {};
    byte[] large = random(300_000, 2);
    byte[] blocks = random(2 * Frames.BLOCK_BYTES, 3);

    List<Segment> segments = write(small, empty, large, blocks);

    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] content : List.of(small, empty, large, blocks)) {
      all.writeBytes(content);
    }
    assertThat(whole()).isEqualTo(all.toByteArray());
    assertThat(segments.get(1).length()).isZero();
    assertThat(read(FrameReader.segment(storage, NAME, segments.get(0)))).isEqualTo(small);
    assertThat(read(FrameReader.segment(storage, NAME, segments.get(1)))).isEmpty();
    assertThat(read(FrameReader.segment(storage, NAME, segments.get(2)))).isEqualTo(large);
    assertThat(read(FrameReader.segment(storage, NAME, segments.get(3)))).isEqualTo(blocks);
  }

  @Test
  void anObjectMayBeEmpty() throws IOException {
    write();

    assertThat(whole()).isEmpty();
  }

  private void assertDamaged(String what) {
    assertThatThrownBy(this::whole)
        .as(what)
        .isInstanceOfSatisfying(
            DamagedObjectException.class,
            e -> {
              assertThat(e.object()).isEqualTo(NAME);
              assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_DAMAGED);
              assertThat(e.summary()).contains("'" + NAME + "'", temp.resolve("job").toString());
            });
  }

  @Test
  void everyTruncationIsFound() throws IOException {
    write(random(100, 1), random(70, 2));
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));

      assertDamaged("cut at " + length);
    }
  }

  @Test
  void everyFlippedBitIsFound() throws IOException {
    write(random(100, 1), random(70, 2));
    byte[] whole = Files.readAllBytes(file);
    for (int bit = 0; bit < whole.length * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, flipped);

      assertDamaged("bit " + bit);
    }
  }

  @Test
  void everyFlippedBitOfASegmentIsFoundWithoutReadingTheRest() throws IOException {
    List<Segment> segments = write(random(100, 1), random(70, 2), random(50, 3));
    byte[] whole = Files.readAllBytes(file);
    Segment segment = segments.get(1);
    for (long bit = segment.offset() * 8; bit < segment.end() * 8; bit++) {
      byte[] flipped = whole.clone();
      flipped[(int) (bit / 8)] ^= (byte) (1 << bit % 8);
      Files.write(file, flipped);

      assertThat(read(FrameReader.segment(storage, NAME, segments.get(0)))).hasSize(100);
      assertThat(read(FrameReader.segment(storage, NAME, segments.get(2)))).hasSize(50);
      assertThatThrownBy(() -> read(FrameReader.segment(storage, NAME, segment)))
          .as("bit %d", bit)
          .isInstanceOf(DamagedObjectException.class);
    }
  }

  @Test
  void blocksThatAreZeroedAppendedOrExchangedAreFound() throws IOException {
    List<Segment> segments = write(random(100, 1), random(100, 2));
    byte[] whole = Files.readAllBytes(file);
    byte[] zeroed = whole.clone();
    Arrays.fill(zeroed, 50, zeroed.length, (byte) 0);
    Files.write(file, zeroed);
    assertDamaged("zeroed");

    Files.write(file, Arrays.copyOf(whole, whole.length + 1));
    assertDamaged("longer");

    byte[] exchanged = whole.clone();
    int length = (int) segments.get(0).length();
    int first = (int) segments.get(0).offset();
    int second = (int) segments.get(1).offset();
    System.arraycopy(whole, first, exchanged, second, length);
    System.arraycopy(whole, second, exchanged, first, length);
    Files.write(file, exchanged);
    assertDamaged("exchanged");
  }

  @Test
  void anObjectUnderTheNameOfAnotherIsFound() throws IOException {
    write(random(100, 1));
    Files.copy(file, file.resolveSibling("1-2-b"));

    assertThatThrownBy(() -> FrameReader.whole(storage, "data/1-2-b", FrameKind.DATA).next())
        .isInstanceOf(DamagedObjectException.class)
        .hasMessageContaining(
            "the object 'data/1-2-b' in "
                + temp.resolve("job")
                + " has a header that is altered or of another object");
  }

  @Test
  void anObjectThatIsMissingIsNamed() {
    assertThatThrownBy(this::whole)
        .isInstanceOf(DamagedObjectException.class)
        .hasMessageContaining("the object '" + NAME + "' in " + temp.resolve("job") + " is missing")
        .hasMessageContaining("Put the named objects back from a copy");
  }

  @Test
  void anObjectOfAnotherKindIsNotTaken() throws IOException {
    write(random(100, 1));

    assertThatThrownBy(() -> FrameReader.whole(storage, NAME, FrameKind.LOG_ENTRY))
        .isInstanceOf(DamagedObjectException.class)
        .hasMessageContaining("is of kind 3, not 2");
  }

  @Test
  void anObjectOfANewerVersionIsNotTakenForDamaged() throws IOException {
    write(random(100, 1));
    byte[] whole = Files.readAllBytes(file);
    int header = 4 + 2 + 1 + 2 + NAME.length();
    whole[5] = 2;
    int sum = new Frames.Checksum(NAME).at(0).bytes(whole, 0, header).value();
    for (int i = 0; i < 4; i++) {
      whole[header + i] = (byte) (sum >>> 24 - 8 * i);
    }
    Files.write(file, whole);

    assertThatThrownBy(this::whole)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_INCOMPATIBLE))
        .hasMessageContaining("was written by a newer version of StreamForge (form 2");
  }
}
