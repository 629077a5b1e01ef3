package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import java.util.Random;
import java.util.function.Consumer;

/** Reads damaged bytes: whatever comes of it, it is a value or one kind of error. */
final class Damage {
  private Damage() {}

  /** Every prefix. */
  static void truncate(byte[] bytes, Consumer<ByteReader> reading) {
    for (int length = 0; length < bytes.length; length++) {
      read(bytes, length, reading);
    }
  }

  /** Every bit alone, and then several bytes at random. */
  static void flip(byte[] bytes, Random random, int times, Consumer<ByteReader> reading) {
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit >> 3] ^= (byte) (1 << (bit & 7));
      read(damaged, damaged.length, reading);
    }
    for (int i = 0; i < times && bytes.length > 0; i++) {
      byte[] damaged = bytes.clone();
      for (int n = 1 + random.nextInt(4); n > 0; n--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      read(damaged, damaged.length, reading);
    }
  }

  private static void read(byte[] bytes, int length, Consumer<ByteReader> reading) {
    try {
      reading.accept(new ByteReader(bytes, 0, length));
    } catch (StreamForgeException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED);
    }
  }
}
