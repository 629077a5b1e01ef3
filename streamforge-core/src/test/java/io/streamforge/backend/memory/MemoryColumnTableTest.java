package io.streamforge.backend.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.state.ColumnCursor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MemoryColumnTableTest {
  /** The long whose hash is 0, which is what an empty slot holds at first. */
  private static final long HASH_IS_ZERO = -0x9E37_79B9_7F4A_7C15L;

  static Stream<Arguments> keys() {
    List<?> longs =
        LongStream.concat(
                LongStream.of(HASH_IS_ZERO, 0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE),
                LongStream.range(100, 700))
            .boxed()
            .toList();
    List<?> ints =
        IntStream.concat(
                IntStream.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE), IntStream.range(1, 600))
            .boxed()
            .toList();
    List<?> strings = IntStream.range(0, 600).mapToObj(i -> "key " + i).toList();
    return Stream.of(
        Arguments.of(Serdes.longs(), longs, 1),
        Arguments.of(Serdes.longs(), longs, 3),
        Arguments.of(Serdes.ints(), ints, 2),
        Arguments.of(Serdes.string(), strings, 2));
  }

  @ParameterizedTest
  @MethodSource("keys")
  @SuppressWarnings("unchecked")
  void agreesWithAMap(Serde<?> serde, List<?> keys, int columns) {
    KeyKind<Object> kind = (KeyKind<Object>) KeyKinds.of(serde);
    MemoryColumnTable table = new MemoryColumnTable(kind, 0, 1024, 1024, columns, "");
    Map<Object, Long> model = new HashMap<>();
    SplittableRandom random = new SplittableRandom(columns);
    for (int i = 0; i < 20_000; i++) {
      Object key = keys.get(random.nextInt(keys.size()));
      long hash = kind.hash(key);
      if (random.nextInt(3) > 0) {
        int at = table.locate(key, hash);
        for (int column = 0; column < columns; column++) {
          assertThat(table.columns()[at + column])
              .isEqualTo(model.getOrDefault(key, 0L) * (column + 1));
          table.columns()[at + column] += column + 1;
        }
        model.merge(key, 1L, Long::sum);
      } else {
        table.remove(key, hash);
        model.remove(key);
        assertThat(table.seek(key, hash)).isEqualTo(-1);
      }
      assertThat(table.size()).isEqualTo(model.size());
    }

    Map<Object, Long> found = new HashMap<>();
    long lastHash = Long.MIN_VALUE;
    for (ColumnCursor cursor = table.cursor(); cursor.next(); ) {
      long order = cursor.hash() + Long.MIN_VALUE;
      assertThat(order).as("in the order of hashes").isGreaterThanOrEqualTo(lastHash);
      lastHash = order;
      found.put(cursor.key(), table.columns()[cursor.position()]);
    }
    assertThat(found).isEqualTo(model);
  }
}
