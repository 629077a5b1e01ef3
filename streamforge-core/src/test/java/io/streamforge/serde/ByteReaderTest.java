package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteReaderTest {
  private final ByteWriter writer = new ByteWriter();

  @Test
  void numbersComeBackAtEveryWidth() {
    for (int bit = 0; bit < 64; bit++) {
      for (long delta = -1; delta <= 1; delta++) {
        long number = (1L << bit) + delta;
        for (long value : new long[] {number, -number}) {
          writer.reset();
          writer.writeVarLong(value);
          writer.writeSignedVarLong(value);
          writer.writeVarInt((int) value);
          writer.writeLong(value);
          writer.writeInt((int) value);
          writer.writeShort((short) value);
          writer.writeByte((byte) value);
          ByteReader reader = written();
          assertThat(reader.readVarLong()).isEqualTo(value);
          assertThat(reader.readSignedVarLong()).isEqualTo(value);
          assertThat(reader.readVarInt()).isEqualTo((int) value);
          assertThat(reader.readLong()).isEqualTo(value);
          assertThat(reader.readInt()).isEqualTo((int) value);
          assertThat(reader.readShort()).isEqualTo((short) value);
          assertThat(reader.readByte()).isEqualTo((byte) value);
          assertThat(reader.remaining()).isZero();
        }
      }
    }
  }

  @Test
  void bytesOfNumbersNeverChange() {
    writer.writeInt(0x01020304);
    writer.writeLong(1);
    writer.writeVarInt(300);
    writer.writeSignedVarLong(-1);
    writer.writeSignedVarLong(64);
    assertThat(hex()).isEqualTo("01020304" + "0000000000000001" + "ac02" + "01" + "8001");
  }

  @Test
  void bytesOfStringsNeverChange() {
    writer.writeString("aé€😀\uD83D");
    assertThat(hex()).isEqualTo("0d" + "61" + "c3a9" + "e282ac" + "f09f9880" + "eda0bd");
  }

  @Test
  void everyStringComesBackAlsoWithLoneSurrogates() {
    Random random = new Random(7);
    for (int i = 0; i < 3000; i++) {
      int length = i < 1500 ? random.nextInt(300) : random.nextInt(9000) / (1 + i % 7);
      String value = randomString(random, length, i % 4);
      writer.reset();
      writer.writeByte(9);
      writer.writeString(value);
      writer.writeString("end");
      ByteReader reader = written();
      assertThat(reader.readByte()).isEqualTo((byte) 9);
      assertThat(reader.readString()).isEqualTo(value);
      assertThat(reader.readString()).isEqualTo("end");
      assertThat(reader.remaining()).isZero();
    }
  }

  private static String randomString(Random random, int length, int kind) {
    StringBuilder builder = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      switch (kind) {
        case 0 -> builder.append((char) random.nextInt(0x80));
        case 1 -> builder.append((char) random.nextInt(0x10000));
        case 2 -> builder.append((char) (0xD800 + random.nextInt(0x800)));
        default -> builder.append(random.nextInt(200) == 0 ? 'ß' : 'x');
      }
    }
    return builder.toString();
  }

  @Test
  void aLongStringDoesNotTakeThreeBytesForEachCharacter() {
    writer.writeString("x".repeat(50_000_000));
    assertThat(writer.size()).isEqualTo(50_000_004);
    assertThat(writer.buffer().length).isLessThan(60_000_000);
    assertThat(written().readString()).hasSize(50_000_000);
    writer.reset();
    assertThat(writer.buffer().length).isLessThanOrEqualTo(1 << 20);
  }

  @Test
  void whatEndsTooEarlyIsAClearError() {
    writer.writeString("grün");
    writer.writeLong(5);
    byte[] bytes = writer.toByteArray();
    for (int length = 0; length < bytes.length; length++) {
      ByteReader reader = new ByteReader(bytes, 0, length);
      assertFails(
          () -> {
            reader.readString();
            reader.readLong();
          },
          "the bytes end too early");
    }
  }

  @Test
  void aRangeOfAnArrayEndsWhereItEnds() {
    ByteReader reader = new ByteReader(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 4);
    assertThat(reader.readInt()).isEqualTo(0x03040506);
    assertThat(reader.position()).isEqualTo(4);
    assertFails(reader::readByte, "1 more are needed after 4, 0 are left");
    reader.reset(new byte[] {9}, 0, 1);
    assertThat(reader.readByte()).isEqualTo((byte) 9);
  }

  @Test
  void damagedBytesAreAClearError() {
    assertFails(() -> read("ffffffffffffffffffff01").readVarLong(), "too large for a long");
    assertFails(() -> read("ffffffffffffffffff02").readVarLong(), "too large for a long");
    assertFails(() -> read("ffffffff7f").readVarInt(), "too large for an int");
    assertFails(() -> read("ffffffff0f").readCount(), "too large");
    assertFails(() -> read("02").readBoolean(), "yes or no");
    assertFails(() -> read("02c320").readString(), "not UTF-8");
    assertFails(() -> read("01c3").readString(), "not UTF-8");
    assertFails(() -> read("0180").readString(), "not UTF-8");
    assertFails(() -> read("04f8808080").readString(), "not UTF-8");
    assertFails(() -> read("00").readBytes(-1), "negative");
  }

  @Test
  void randomBytesNeverLeaveTheArray() {
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      ByteReader reader = new ByteReader(bytes);
      try {
        reader.readString();
        reader.readVarInt();
        reader.readVarLong();
      } catch (StreamForgeException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED);
      }
    }
  }

  @Test
  void aLengthMayBeFilledInLater() {
    writer.writeInt(0);
    writer.writeString("abc");
    writer.setInt(0, writer.size() - 4);
    assertThat(written().readInt()).isEqualTo(4);
  }

  private ByteReader written() {
    return new ByteReader(writer.buffer(), 0, writer.size());
  }

  private String hex() {
    return HexFormat.of().formatHex(writer.toByteArray());
  }

  private static ByteReader read(String hex) {
    return new ByteReader(HexFormat.of().parseHex(hex));
  }

  private static void assertFails(Runnable reading, String message) {
    assertThatThrownBy(reading::run)
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED))
        .hasMessageContaining(message);
  }
}
