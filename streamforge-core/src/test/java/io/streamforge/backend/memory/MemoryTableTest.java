package io.streamforge.backend.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serdes;
import io.streamforge.state.TableCursor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryTableTest {
  @SuppressWarnings("unchecked")
  private static final KeyKind<Object> KIND =
      (KeyKind<Object>) (KeyKind<?>) KeyKinds.of(Serdes.string());

  /** Hashes that crowd the end, the beginning, or few places of the table. */
  private enum Hashing {
    SPREAD,
    ALL_EQUAL,
    LAST,
    FIRST,
    FEW
  }

  @ParameterizedTest
  @CsvSource({"1,1024", "2,1024", "7,1024", "128,1024", "128,128", "3,3", "1,1", "100,32768"})
  void agreesWithAMapInEveryRangeOfGroups(int parallelism, int groups) {
    for (int task : new TreeSet<>(List.of(0, parallelism / 2, parallelism - 1))) {
      for (Hashing hashing : Hashing.values()) {
        compare(task, parallelism, groups, hashing);
      }
    }
  }

  private static void compare(int task, int parallelism, int groups, Hashing hashing) {
    int first = KeyGroups.firstGroup(task, parallelism, groups);
    int end = KeyGroups.firstGroup(task + 1, parallelism, groups);
    SplittableRandom random = new SplittableRandom(task * 31L + hashing.ordinal());
    MemoryTable<Long> table = new MemoryTable<>(KIND, first, end, groups, null);
    Map<String, Long> model = new HashMap<>();
    Map<String, Long> hashes = new HashMap<>();
    for (int i = 0; i < 4_000; i++) {
      String key = "k" + random.nextInt(600);
      long hash = hashes.computeIfAbsent(key, k -> hash(random, first, end, groups, hashing));
      switch (random.nextInt(5)) {
        case 0, 1, 2 -> {
          table.put(key, hash, (long) i);
          model.put(key, (long) i);
        }
        default -> {
          table.remove(key, hash);
          model.remove(key);
        }
      }
      assertThat(table.get(key, hash)).isEqualTo(model.get(key));
      assertThat(table.size()).isEqualTo(model.size());
      if (i % 200 == 0) {
        check(table, model, groups);
      }
    }
    hashes.forEach((key, hash) -> assertThat(table.get(key, hash)).isEqualTo(model.get(key)));
    check(table, model, groups);
    for (String key : new HashSet<>(model.keySet())) {
      table.remove(key, hashes.get(key));
    }
    assertThat(table.size()).isZero();
    assertThat(table.cursor().next()).isFalse();
  }

  /** Whole parts of a checkpoint come in the order of hashes, changes in between do not. */
  @ParameterizedTest
  @ValueSource(longs = {0, 10, 600, 100_000})
  void whatIsLoadedAgreesWithAMapWhateverNumberOfEntriesWasExpected(long expected) {
    for (Hashing hashing : Hashing.values()) {
      for (int seed = 0; seed < 20; seed++) {
        load(new SplittableRandom(seed), hashing, expected);
      }
    }
  }

  private static void load(SplittableRandom random, Hashing hashing, long expected) {
    MemoryTable<Long> table = new MemoryTable<>(KIND, 0, 16, 16, null);
    Map<String, Long> model = new HashMap<>();
    Map<String, Long> hashes = new HashMap<>();
    for (int i = 0; i < 600; i++) {
      hashes.put("k" + i, hash(random, 0, 16, 16, hashing));
    }
    List<String> keys = new ArrayList<>(hashes.keySet());
    keys.sort(Comparator.comparing(hashes::get, Long::compareUnsigned));
    table.expect(expected);
    for (int i = 0; i < keys.size(); i++) {
      // Mostly the next one; sometimes, from some point on, any.
      boolean any = i > 100 && random.nextInt(20) == 0;
      String key = keys.get(any ? random.nextInt(keys.size()) : i);
      if (any && random.nextBoolean()) {
        table.remove(key, hashes.get(key));
        model.remove(key);
      } else {
        table.load(key, hashes.get(key), (long) i);
        model.put(key, (long) i);
      }
    }
    check(table, model, 16);
    for (int i = 0; i < 2_000; i++) {
      String key = keys.get(random.nextInt(keys.size()));
      if (random.nextBoolean()) {
        table.put(key, hashes.get(key), (long) i);
        model.put(key, (long) i);
      } else {
        table.remove(key, hashes.get(key));
        model.remove(key);
      }
    }
    hashes.forEach((key, hash) -> assertThat(table.get(key, hash)).isEqualTo(model.get(key)));
    check(table, model, 16);
  }

  /** Searched for one after the other, each would pass over all that came before it. */
  @ParameterizedTest
  @ValueSource(longs = {0, 3_000_000})
  void entriesInTheOrderOfHashesAreLoadedWithoutSearching(long expected) {
    int count = 3_000_000;
    MemoryTable<Long> table = new MemoryTable<>(KIND, 0, 16, 16, null);
    table.expect(expected);

    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          for (long i = 1; i <= count; i++) {
            table.load("k", i * (Long.MIN_VALUE / count * -2), 1L);
          }
        });
    assertThat(table.size()).isEqualTo(count);
  }

  private static long hash(
      SplittableRandom random, int first, int end, int groups, Hashing hashing) {
    return switch (hashing) {
      case SPREAD -> {
        int group = first + random.nextInt(end - first);
        long from = KeyGroups.firstHash(group, groups);
        long next = group + 1 == groups ? 0 : KeyGroups.firstHash(group + 1, groups);
        long width = next - from;
        yield from
            + (width == 0 ? random.nextLong() : Long.remainderUnsigned(random.nextLong(), width));
      }
      case ALL_EQUAL, FIRST ->
          KeyGroups.firstHash(first, groups) + (hashing == Hashing.FIRST ? random.nextInt(9) : 0);
      case LAST -> (end == groups ? 0 : KeyGroups.firstHash(end, groups)) - 1 - random.nextInt(9);
      case FEW -> {
        int group = first + random.nextInt(Math.min(3, end - first));
        yield KeyGroups.firstHash(group, groups) + random.nextInt(2);
      }
    };
  }

  private static void check(MemoryTable<Long> table, Map<String, Long> model, int groups) {
    Map<String, Long> found = new HashMap<>();
    int lastGroup = 0;
    for (TableCursor<Long> cursor = table.cursor(); cursor.next(); ) {
      int group = KeyGroups.of(cursor.hash(), groups);
      assertThat(group).as("group in the order of groups").isGreaterThanOrEqualTo(lastGroup);
      lastGroup = group;
      assertThat(found.put((String) cursor.key(), cursor.value())).as("found twice").isNull();
    }
    assertThat(found).isEqualTo(model);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 128})
  void ownsTheHashesOfItsGroupsToTheLastOne(int parallelism) {
    for (int task = 0; task < parallelism; task++) {
      int first = KeyGroups.firstGroup(task, parallelism, 1024);
      int end = KeyGroups.firstGroup(task + 1, parallelism, 1024);
      MemoryTable<String> table = new MemoryTable<>(KIND, first, end, 1024, null);
      long firstHash = KeyGroups.firstHash(first, 1024);
      long lastHash = (end == 1024 ? 0 : KeyGroups.firstHash(end, 1024)) - 1;

      table.put("1", firstHash, "first");
      table.put("2", lastHash, "last");

      assertThat(table.get("1", firstHash)).isEqualTo("first");
      assertThat(table.get("2", lastHash)).isEqualTo("last");
      assertThat(table.get("2", firstHash)).isNull();
    }
  }

  @Test
  void cursorReplacesValuesWhereItStands() {
    MemoryTable<Long> table = new MemoryTable<>(KIND, 0, 8, 8, null);
    for (long i = 0; i < 100; i++) {
      String key = "k" + i;
      table.put(key, KIND.hash(key), i);
    }
    for (TableCursor<Long> cursor = table.cursor(); cursor.next(); ) {
      cursor.replace(cursor.value() * 2);
    }
    for (long i = 0; i < 100; i++) {
      String key = "k" + i;
      assertThat(table.get(key, KIND.hash(key))).isEqualTo(i * 2);
    }
  }
}
