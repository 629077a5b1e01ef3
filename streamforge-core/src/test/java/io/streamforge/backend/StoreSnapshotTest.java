package io.streamforge.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.backend.memory.MemoryStore;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Serdes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stored form; what a damaged one does to a store is in {@code KeyValueStoreContract}. */
class StoreSnapshotTest {
  private static final int BEGINNING_BYTES = 8;

  private static byte[] written(MemoryStore<?, ?> store) throws IOException {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try (StoreSnapshot snapshot = store.snapshot()) {
      snapshot.writeTo(output);
    }
    return output.toByteArray();
  }

  private static MemoryStore<Long, String> restored(byte[] bytes) throws IOException {
    MemoryStore<Long, String> store = MemoryStore.of(Serdes.longs(), Serdes.string());
    try (StoreSnapshot snapshot = StoreSnapshot.read(new ByteArrayInputStream(bytes))) {
      store.restore(snapshot);
    }
    return store;
  }

  private static void refused(byte[] bytes, ErrorCode code, String message) {
    assertThatThrownBy(() -> restored(bytes))
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  private static byte[] small() throws IOException {
    MemoryStore<Long, String> store = MemoryStore.of(Serdes.longs(), Serdes.string());
    store.put(-1L, "ä");
    store.put(300L, "");
    return written(store);
  }

  /** Snapshots that were written by an earlier release must be read for ever. */
  @Test
  void bytesOfASnapshotAreThese() throws IOException {
    String bytes =
        "534653544f524501"
            + "0100000011d22448b9833d09ca0101046c6f6e6701010106737472696e67"
            + "020000000b7a8c81371251293001010302c3a402d8040100"
            + "03000000086d13c27d9d44661b0000000000000002";

    assertThat(HexFormat.of().formatHex(small())).isEqualTo(bytes);
    MemoryStore<Long, String> store = restored(HexFormat.of().parseHex(bytes));
    assertThat(store.size()).isEqualTo(2);
    assertThat(store.get(-1L)).isEqualTo("ä");
    assertThat(store.get(300L)).isEmpty();
  }

  /** The beginning and each block. */
  private static List<byte[]> parts(byte[] bytes) {
    List<byte[]> parts = new ArrayList<>();
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    int length = BEGINNING_BYTES;
    while (true) {
      byte[] part = new byte[length];
      rest.get(part);
      parts.add(part);
      if (!rest.hasRemaining()) {
        return parts;
      }
      length = SnapshotForm.HEAD_BYTES + rest.getInt(rest.position() + 1);
    }
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static List<byte[]> largeParts() throws IOException {
    MemoryStore<Long, String> store = MemoryStore.of(Serdes.longs(), Serdes.string());
    for (long key = 0; key < 3_000; key++) {
      store.put(key, "x".repeat(100));
    }
    List<byte[]> parts = parts(written(store));
    assertThat(parts).hasSizeGreaterThan(6);
    assertThat(restored(joined(parts)).size()).isEqualTo(3_000);
    return parts;
  }

  @Test
  void wholeBlocksThatAreMissingOrElsewhereAreFound() throws IOException {
    List<byte[]> without = new ArrayList<>(largeParts());
    without.remove(3);
    List<byte[]> swapped = new ArrayList<>(largeParts());
    swapped.set(3, swapped.set(4, swapped.get(3)));
    List<byte[]> twice = new ArrayList<>(largeParts());
    twice.add(3, twice.get(3));
    List<byte[]> withoutEnd = new ArrayList<>(largeParts());
    withoutEnd.remove(withoutEnd.size() - 1);

    refused(joined(without), ErrorCode.SNAPSHOT_DAMAGED, "the head of block 2 has been altered");
    refused(joined(swapped), ErrorCode.SNAPSHOT_DAMAGED, "the head of block 2 has been altered");
    refused(joined(twice), ErrorCode.SNAPSHOT_DAMAGED, "the head of block 3 has been altered");
    refused(joined(withoutEnd), ErrorCode.SNAPSHOT_DAMAGED, "it ends early, after");
  }

  @Test
  void entryLargerThanABlockComesBack() throws IOException {
    MemoryStore<Long, String> store = MemoryStore.of(Serdes.longs(), Serdes.string());
    String large = "ab".repeat(SnapshotForm.BLOCK_BYTES);
    store.put(1L, large);
    store.put(2L, "small");

    MemoryStore<Long, String> copy = restored(written(store));

    assertThat(copy.get(1L)).isEqualTo(large);
    assertThat(copy.get(2L)).isEqualTo("small");
  }

  @Test
  void errorsSayWhatIsWrong() throws IOException {
    byte[] newer = small();
    newer[BEGINNING_BYTES - 1] = 2;
    byte[] content = small();
    content[BEGINNING_BYTES + SnapshotForm.HEAD_BYTES] ^= 1;

    refused(
        newer,
        ErrorCode.STATE_INCOMPATIBLE,
        "a snapshot of a store has version 2, of which only 1 is known");
    refused(content, ErrorCode.SNAPSHOT_DAMAGED, "block 0 has been altered");
    refused(
        "{\"json\": true}".getBytes(UTF_8),
        ErrorCode.SNAPSHOT_DAMAGED,
        "a snapshot of a store cannot be read: it does not begin as one does");
    refused(
        new byte[0], ErrorCode.SNAPSHOT_DAMAGED, "it ends early, after 0 blocks with 0 entries");
  }
}
