package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteWriter;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksStoreTest {
  private static final long NATIVE_BYTES = 16 << 20;

  @TempDir private Path directory;

  private static ByteWriter key(int table, long number) {
    ByteWriter key = new ByteWriter();
    key.writeInt(table);
    key.writeLong(number);
    return key;
  }

  private static ByteWriter bytes(int length, int fill) {
    byte[] content = new byte[length];
    Arrays.fill(content, (byte) fill);
    ByteWriter bytes = new ByteWriter();
    bytes.writeBytes(content);
    return bytes;
  }

  private static int length(RocksStore store, int table, long number) {
    ByteWriter key = key(table, number);
    return store.get(key.buffer(), key.size(), new byte[8]);
  }

  @Test
  void batchOfOurOwnBytesIsWhatRocksDbReads() {
    try (RocksStore store = RocksStore.open(directory, NATIVE_BYTES)) {
      BatchBytes batch = new BatchBytes();
      for (int i = 0; i < 300; i++) {
        batch.put(key(0, i), bytes(i, i));
      }
      store.write(batch);
      batch.clear();
      batch.remove(key(0, 7));
      batch.remove(key(0, 1_000));
      batch.put(key(0, 8), bytes(70_000, 1));
      store.write(batch);

      assertThat(length(store, 0, 6)).isEqualTo(6);
      assertThat(length(store, 0, 7)).isNegative();
      assertThat(length(store, 0, 8)).isEqualTo(70_000);
      assertThat(length(store, 0, 299)).isEqualTo(299);
      byte[] value = new byte[299];
      store.get(key(0, 299).toByteArray(), 12, value);
      assertThat(value).containsOnly((byte) 299);
    }
  }

  @Test
  void walkSeesWhatWasThereWhenItBeganAndOnlyItsTable() {
    try (RocksStore store = RocksStore.open(directory, NATIVE_BYTES)) {
      BatchBytes batch = new BatchBytes();
      for (int table = 0; table < 3; table++) {
        batch.put(key(table, -1), bytes(1, table));
        batch.put(key(table, 5), bytes(1, table));
      }
      store.write(batch);
      try (RocksStore.Walk walk = store.walk(1, null);
          RocksStore.Walk rest = store.walk(1, key(1, 6).toByteArray())) {
        store.dropTable(1);

        assertThat(walk.next()).isTrue();
        assertThat(walk.key()).isEqualTo(key(1, 5).toByteArray());
        assertThat(walk.value()).containsExactly(1);
        assertThat(walk.next()).isTrue();
        assertThat(walk.key()).isEqualTo(key(1, -1).toByteArray());
        assertThat(walk.next()).isFalse();
        assertThat(rest.next()).isTrue();
        assertThat(rest.key()).isEqualTo(key(1, -1).toByteArray());
        assertThat(rest.next()).isFalse();
      }
      assertThat(length(store, 0, 5)).isEqualTo(1);
      assertThat(length(store, 1, 5)).isNegative();
      assertThat(length(store, 2, 5)).isEqualTo(1);
    }
  }

  @Test
  void callsOfAClosedStoreThrowAndDoNotCrash() {
    RocksStore store = RocksStore.open(directory, NATIVE_BYTES);
    BatchBytes batch = new BatchBytes();
    batch.put(key(0, 1), bytes(1, 1));
    store.write(batch);
    RocksStore.Walk walk = store.walk(0, null);
    store.close();

    closed(() -> length(store, 0, 1));
    closed(() -> store.write(batch));
    closed(walk::next);
    closed(() -> store.walk(0, null));
    walk.close();
    store.close();
  }

  private void closed(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_UNAVAILABLE))
        .hasMessageContaining("RocksDB in '" + directory + "' has been closed");
  }

  /** The blocks, filters and buffers of a database much larger than its bound stay within it. */
  @Test
  void nativeMemoryStaysWithinItsBound() {
    try (RocksStore store = RocksStore.open(directory, NATIVE_BYTES)) {
      BatchBytes batch = new BatchBytes();
      for (int i = 0; i < 200; i++) {
        batch.clear();
        for (int j = 0; j < 500; j++) {
          batch.put(key(0, 0x9E37_79B9_7F4A_7C15L * (i * 500L + j)), bytes(1_000, i + j));
        }
        store.write(batch);
        for (int j = 0; j < 100; j++) {
          length(store, 0, 0x9E37_79B9_7F4A_7C15L * (i * 100L + j));
        }
        assertThat(store.nativeBytes()).isLessThan(NATIVE_BYTES * 3 / 2);
      }
    }
  }
}
