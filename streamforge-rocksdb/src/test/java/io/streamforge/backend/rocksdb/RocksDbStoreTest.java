package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.backend.KeyValueStore;
import io.streamforge.backend.StoreSnapshot;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.testkit.backend.KeyValueStoreContract;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksDbStoreTest extends KeyValueStoreContract {
  private static final long NATIVE_BYTES = 16 << 20;

  @TempDir private Path directory;

  @Override
  protected <K, V> KeyValueStore<K, V> make(Serde<K> keys, Serde<V> values) {
    return RocksDbStore.open(directory, keys, values, NATIVE_BYTES);
  }

  private long files() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  @Test
  void directoryIsEmptyAgainWhenTheStoresAreClosed() throws Exception {
    RocksDbStore<Long, Long> one =
        RocksDbStore.open(directory, Serdes.longs(), Serdes.longs(), NATIVE_BYTES);
    RocksDbStore<Long, Long> other =
        RocksDbStore.open(directory, Serdes.longs(), Serdes.longs(), NATIVE_BYTES);
    one.put(1L, 1L);
    other.put(1L, 2L);

    assertThat(one.get(1L)).isEqualTo(1);
    assertThat(files()).isEqualTo(2);
    one.close();
    assertThat(other.get(1L)).isEqualTo(2);
    assertThat(files()).isEqualTo(1);
    other.close();
    assertThat(files()).isZero();
  }

  @Test
  void keysWithoutAnOrderLeaveNothingInTheDirectory() throws Exception {
    assertThatThrownBy(
            () ->
                RocksDbStore.open(
                    directory, Serdes.list(Serdes.longs()), Serdes.longs(), NATIVE_BYTES))
        .isInstanceOf(StreamForgeException.class);

    assertThat(files()).isZero();
  }

  @Test
  void memoryThatIsTooLittleOrNotThereIsRefused() {
    for (long bytes : new long[] {(8 << 20) - 1, 1L << 60}) {
      assertThatThrownBy(() -> RocksDbStore.open(directory, Serdes.longs(), Serdes.longs(), bytes))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
          .hasMessageContaining("nativeMemoryBytes of a store is ");
    }
  }

  @Test
  void directoryThatIsAFileIsAnErrorThatNamesIt() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "here");

    assertThatThrownBy(() -> RocksDbStore.open(file, Serdes.longs(), Serdes.longs(), NATIVE_BYTES))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_UNAVAILABLE))
        .hasMessageContaining("the directory for state '" + file + "' cannot be used");
  }

  /** Else each restore, and each one that fails, would leave its entries on the disk. */
  @Test
  void restoreLeavesOnlyTheEntriesThatTheStoreHasInTheDatabase() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (RocksDbStore<Long, Long> store =
            RocksDbStore.open(directory, Serdes.longs(), Serdes.longs(), NATIVE_BYTES);
        StoreSnapshot empty = store.snapshot()) {
      for (long key = 0; key < 20_000; key++) {
        store.put(key, key * 1_000_000_007);
      }
      try (StoreSnapshot full = store.snapshot()) {
        full.writeTo(written);
      }
      store.restore(empty);
      byte[] torn = Arrays.copyOf(written.toByteArray(), written.size() - 1);
      try (StoreSnapshot snapshot = StoreSnapshot.read(new ByteArrayInputStream(torn))) {
        assertThatThrownBy(() -> store.restore(snapshot)).isInstanceOf(StreamForgeException.class);
      }
      store.put(1L, 1L);

      List<Integer> inUse = new ArrayList<>();
      for (int table = 0; table < store.database().tables(); table++) {
        try (RocksStore.Walk walk = store.database().walk(table, null)) {
          while (walk.next()) {
            inUse.add(table);
          }
        }
      }
      assertThat(inUse).containsExactly(1);
    }
  }
}
