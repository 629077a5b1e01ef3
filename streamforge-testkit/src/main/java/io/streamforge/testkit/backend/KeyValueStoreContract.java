package io.streamforge.testkit.backend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.streamforge.backend.KeyValueStore;
import io.streamforge.backend.StoreSnapshot;
import io.streamforge.backend.memory.MemoryStore;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Default;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * What {@link KeyValueStore} promises, as tests for JUnit. Whoever writes a store extends this
 * class and says how to make one; all tests are inherited.
 *
 * <p>Needs {@code org.junit.jupiter:junit-jupiter} on the class path of the tests.
 */
public abstract class KeyValueStoreContract {
  private static final int ALL = Integer.MAX_VALUE;

  private final List<KeyValueStore<?, ?>> opened = new ArrayList<>();

  /** For subclasses. */
  protected KeyValueStoreContract() {}

  /** An empty store; the test closes it. */
  protected abstract <K, V> KeyValueStore<K, V> make(Serde<K> keys, Serde<V> values);

  /** Closes what the test has made. */
  @AfterEach
  protected final void closeStores() {
    opened.forEach(KeyValueStore::close);
    opened.clear();
  }

  private <K, V> KeyValueStore<K, V> store(Serde<K> keys, Serde<V> values) {
    KeyValueStore<K, V> store = make(keys, values);
    opened.add(store);
    return store;
  }

  private KeyValueStore<String, String> strings(String... entries) {
    KeyValueStore<String, String> store = store(Serdes.string(), Serdes.string());
    for (int i = 0; i < entries.length; i += 2) {
      store.put(entries[i], entries[i + 1]);
    }
    return store;
  }

  private static <K, V> List<KeyValue<K, V>> all(KeyValueStore<K, V> store) {
    return store.range(null, null, ALL);
  }

  private static <K, V> List<KeyValue<K, V>> pairs(Map<K, V> map) {
    return map.entrySet().stream().map(e -> KeyValue.of(e.getKey(), e.getValue())).toList();
  }

  private static byte[] bytes(KeyValueStore<?, ?> store) {
    try (StoreSnapshot snapshot = store.snapshot()) {
      return bytes(snapshot);
    }
  }

  private static byte[] bytes(StoreSnapshot snapshot) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    try {
      snapshot.writeTo(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return output.toByteArray();
  }

  private static StoreSnapshot read(byte[] bytes) {
    try {
      return StoreSnapshot.read(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void restore(KeyValueStore<?, ?> store, byte[] bytes) {
    try (StoreSnapshot snapshot = read(bytes)) {
      store.restore(snapshot);
    }
  }

  private static StreamForgeException fails(ErrorCode code, Executable call) {
    StreamForgeException e = assertThrows(StreamForgeException.class, call);
    assertEquals(code, e.code(), e.getMessage());
    return e;
  }

  // Entries

  @Test
  void valueIsTheOneThatWasPutLast() {
    KeyValueStore<String, String> store = strings("a", "1", "b", "2");
    store.put("a", "3");
    store.delete("b");
    store.delete("never there");

    assertEquals("3", store.get("a"));
    assertNull(store.get("b"));
    assertNull(store.get("c"));
    assertEquals(List.of(KeyValue.of("a", "3")), all(store));
  }

  @Test
  void emptyStoreHasNothing() {
    KeyValueStore<String, String> store = strings();

    assertNull(store.get(""));
    assertEquals(List.of(), all(store));
  }

  @Test
  void valuesOfAnyLengthComeBack() {
    KeyValueStore<byte[], byte[]> store = store(Serdes.bytes(), Serdes.bytes());
    for (int length : new int[] {0, 1, 127, 128, 70_000, 1 << 20}) {
      byte[] content = new byte[length];
      Arrays.fill(content, (byte) length);
      store.put(content, content);

      assertArrayEquals(content, store.get(content));
    }
    assertEquals(6, all(store).size());
  }

  @Test
  void changingAnObjectThatWasPutOrGotChangesNoEntry() {
    KeyValueStore<byte[], List<String>> store = store(Serdes.bytes(), Serdes.list(Serdes.string()));
    byte[] key = {1};
    List<String> value = new ArrayList<>(List.of("a"));
    store.put(key, value);
    key[0] = 2;
    value.add("b");
    List<String> got = store.get(new byte[] {1});
    assertNotNull(got);
    got.add("c");
    all(store).get(0).value().add("d");
    all(store).get(0).key()[0] = 3;

    assertEquals(List.of("a"), store.get(new byte[] {1}));
    assertArrayEquals(new byte[] {1}, all(store).get(0).key());
    assertEquals(List.of("a"), all(store).get(0).value());
  }

  @Test
  @SuppressWarnings("NullAway") // what the compiler refuses
  void nullsAreRefused() {
    KeyValueStore<String, String> store = strings("a", "1");

    assertThrows(NullPointerException.class, () -> store.put(null, "1"));
    assertThrows(NullPointerException.class, () -> store.put("a", null));
    assertThrows(NullPointerException.class, () -> store.get(null));
    assertThrows(NullPointerException.class, () -> store.delete(null));
    assertThrows(NullPointerException.class, () -> store.rangeAfter(null, null, 1));
    assertEquals("1", store.get("a"));
  }

  // Ranges

  @Test
  void rangeHasItsFirstKeyAndNotItsEnd() {
    KeyValueStore<String, String> store = strings("a", "1", "c", "3", "e", "5");
    KeyValue<String, String> a = KeyValue.of("a", "1");
    KeyValue<String, String> c = KeyValue.of("c", "3");
    KeyValue<String, String> e = KeyValue.of("e", "5");

    assertEquals(List.of(a, c, e), store.range(null, null, 3));
    assertEquals(List.of(a, c), store.range(null, null, 2));
    assertEquals(List.of(a, c), store.range("a", "e", 9));
    assertEquals(List.of(c), store.range("b", "d", 9));
    assertEquals(List.of(c, e), store.range("c", null, 9));
    assertEquals(List.of(a), store.range(null, "c", 9));
    assertEquals(List.of(), store.range("c", "c", 9));
    assertEquals(List.of(), store.range("e", "a", 9));
    assertEquals(List.of(), store.range("f", null, 9));
    assertEquals(List.of(), store.range("", "", 9));
  }

  @Test
  void rangeAfterAKeyGoesOnBehindIt() {
    KeyValueStore<String, String> store = strings("a", "1", "a\0", "2", "b", "3", "c", "4");

    assertEquals(List.of(KeyValue.of("a\0", "2")), store.rangeAfter("a", null, 1));
    assertEquals(List.of(KeyValue.of("b", "3")), store.rangeAfter("a\0", "c", 9));
    assertEquals(List.of(KeyValue.of("c", "4")), store.rangeAfter("bb", null, 9));
    assertEquals(List.of(), store.rangeAfter("c", null, 9));
    assertEquals(List.of(), store.rangeAfter("c", "a", 9));
  }

  @Test
  void limitMustBePositive() {
    KeyValueStore<String, String> store = strings("a", "1");

    for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> store.range(null, null, limit));
      assertEquals("the limit of a range is " + limit + ", expected 1 or more", e.getMessage());
      assertThrows(IllegalArgumentException.class, () -> store.rangeAfter("a", null, limit));
    }
  }

  private <K> void comeInOrder(Serde<K> keys, Comparator<K> order, List<K> sorted) {
    KeyValueStore<K, Integer> store = store(keys, Serdes.ints());
    List<Integer> shuffled = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      shuffled.add((i * 7 + 3) % sorted.size());
    }
    assertEquals(sorted.size(), shuffled.stream().distinct().count(), "a bug of this test");
    for (int i : shuffled) {
      store.put(sorted.get(i), i);
    }
    List<KeyValue<K, Integer>> all = all(store);
    assertEquals(sorted.size(), all.size());
    for (int i = 0; i < sorted.size(); i++) {
      assertEquals(i, all.get(i).value());
      assertEquals(0, order.compare(sorted.get(i), all.get(i).key()));
      assertEquals(i, store.get(sorted.get(i)));
      assertEquals(sorted.size() - i, store.range(sorted.get(i), null, ALL).size());
      assertEquals(i, store.range(null, sorted.get(i), ALL).size());
    }
  }

  @Test
  void numbersComeByValue() {
    comeInOrder(
        Serdes.longs(),
        Comparator.naturalOrder(),
        List.of(
            Long.MIN_VALUE,
            Long.MIN_VALUE + 1,
            (long) Integer.MIN_VALUE,
            -256L,
            -1L,
            0L,
            1L,
            127L,
            128L,
            1L << 40,
            Long.MAX_VALUE));
    comeInOrder(
        Serdes.ints(),
        Comparator.naturalOrder(),
        List.of(Integer.MIN_VALUE, -65_536, -1, 0, 1, 255, 256, Integer.MAX_VALUE));
    comeInOrder(
        Serdes.shorts(),
        Comparator.naturalOrder(),
        List.of(Short.MIN_VALUE, (short) -1, (short) 0, (short) 300, Short.MAX_VALUE));
    comeInOrder(
        Serdes.singleBytes(),
        Comparator.naturalOrder(),
        List.of(Byte.MIN_VALUE, (byte) -1, (byte) 0, (byte) 1, Byte.MAX_VALUE));
    comeInOrder(
        Serdes.doubles(),
        Comparator.naturalOrder(),
        List.of(
            Double.NEGATIVE_INFINITY,
            -Double.MAX_VALUE,
            -1.5,
            -Double.MIN_VALUE,
            -0.0,
            0.0,
            Double.MIN_VALUE,
            1.5,
            2.0,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY,
            Double.NaN));
    comeInOrder(
        Serdes.floats(),
        Comparator.naturalOrder(),
        List.of(
            Float.NEGATIVE_INFINITY,
            -2f,
            -1f,
            -0f,
            0f,
            Float.MIN_VALUE,
            1f,
            Float.POSITIVE_INFINITY,
            Float.NaN));
  }

  @Test
  void stringsComeByCodePointAndNotByUnit() {
    comeInOrder(
        Serdes.string(),
        Comparator.naturalOrder(),
        List.of(
            "",
            "\0",
            "\0a",
            "A",
            "AA",
            "B",
            "a",
            "\u007f",
            "\u0080",
            "\u07ff",
            "\u0800",
            "\ud7ff",
            "\ud800",
            "\ud800a",
            "\udfff",
            "\ue000",
            "\uffff",
            "\ud800\udc00",
            "\udbff\udfff"));
    comeInOrder(Serdes.chars(), Comparator.naturalOrder(), List.of('\0', 'a', '\ud800', '\uffff'));
  }

  @Test
  void otherKeysComeInTheOrderThatIsPromised() {
    comeInOrder(Serdes.booleans(), Comparator.naturalOrder(), List.of(false, true));
    comeInOrder(
        Serdes.bytes(),
        Arrays::compareUnsigned,
        List.of(
            new byte[0],
            new byte[1],
            new byte[2],
            new byte[] {0, -1},
            new byte[] {1},
            new byte[] {127},
            new byte[] {-128},
            new byte[] {-1},
            new byte[] {-1, 0}));
    comeInOrder(
        Serdes.uuids(),
        Comparator.naturalOrder(),
        List.of(
            new UUID(Long.MIN_VALUE, 0),
            new UUID(-1, 5),
            new UUID(0, Long.MIN_VALUE),
            new UUID(0, -1),
            new UUID(0, 0),
            new UUID(0, Long.MAX_VALUE),
            new UUID(1, -1),
            new UUID(Long.MAX_VALUE, -1)));
    comeInOrder(
        Serdes.instants(),
        Comparator.naturalOrder(),
        List.of(
            Instant.MIN,
            Instant.ofEpochSecond(-1, 999_999_999),
            Instant.EPOCH,
            Instant.ofEpochSecond(0, 1),
            Instant.ofEpochSecond(1),
            Instant.MAX));
    comeInOrder(
        Serdes.durations(),
        Comparator.naturalOrder(),
        List.of(
            Duration.ofSeconds(Long.MIN_VALUE),
            Duration.ofNanos(-1),
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE)));
    comeInOrder(
        Serdes.localDates(),
        Comparator.naturalOrder(),
        List.of(LocalDate.MIN, LocalDate.EPOCH, LocalDate.of(2026, 2, 28), LocalDate.MAX));
  }

  private record OrderId(long number) {}

  @Test
  void mappedKeysComeInTheOrderOfWhatIsWritten() {
    comeInOrder(
        Serdes.mapped("OrderId", Serdes.longs(), OrderId::number, OrderId::new),
        Comparator.comparing(OrderId::number),
        List.of(new OrderId(-5), new OrderId(0), new OrderId(70), new OrderId(1_000)));
  }

  @Test
  void keysWithoutAnOrderAreRefusedAtOnce() {
    for (Serde<?> keys :
        List.of(
            Serdes.of(OrderId.class),
            Serdes.list(Serdes.longs()),
            Serdes.set(Serdes.longs()),
            Serdes.bigDecimals(),
            Serdes.enumOf(ErrorCode.class))) {
      StreamForgeException e = fails(ErrorCode.SERDE_FAILED, () -> store(keys, Serdes.longs()));
      assertEquals(
          "keys of a store cannot be of type " + keys.name() + ", whose bytes have no order",
          e.summary());
      assertTrue(e.remedy().contains("String, byte[], UUID"), e.remedy());
    }
  }

  // Against a map

  private static String key(Random random, int keys) {
    int number = random.nextInt(keys);
    return (number % 3 == 0 ? "\ud83d\ude00" : number % 3 == 1 ? "" : "k") + number;
  }

  /** Every key here is either of ASCII or begins with a pair, so that units have the same order. */
  @Test
  void storeIsAMapInOrderWhateverIsDone() {
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      int keys = seed % 3 == 0 ? 4 : seed % 3 == 1 ? 60 : 2_000;
      KeyValueStore<String, Long> store = store(Serdes.string(), Serdes.longs());
      NavigableMap<String, Long> model = new TreeMap<>();
      List<StoreSnapshot> snapshots = new ArrayList<>();
      List<NavigableMap<String, Long>> frozen = new ArrayList<>();
      for (long step = 0; step < 3_000; step++) {
        String key = key(random, keys);
        switch (random.nextInt(40)) {
          case 0 -> {
            String to = key(random, keys);
            int limit = 1 + random.nextInt(50);
            assertEquals(
                key.compareTo(to) > 0
                    ? List.of()
                    : pairs(model.subMap(key, to)).stream().limit(limit).toList(),
                store.range(key, to, limit));
            assertEquals(
                pairs(model.tailMap(key, false)).stream().limit(limit).toList(),
                store.rangeAfter(key, null, limit));
          }
          case 1 -> {
            if (snapshots.size() < 5 && random.nextInt(4) == 0) {
              snapshots.add(store.snapshot());
              frozen.add(new TreeMap<>(model));
            }
          }
          case 2 -> {
            if (!snapshots.isEmpty() && random.nextInt(10) == 0) {
              int which = random.nextInt(snapshots.size());
              store.restore(snapshots.get(which));
              model = new TreeMap<>(frozen.get(which));
            }
          }
          case 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 -> {
            store.delete(key);
            model.remove(key);
          }
          default -> {
            store.put(key, step);
            model.put(key, step);
          }
        }
        assertEquals(model.get(key), store.get(key));
      }
      assertEquals(pairs(model), all(store), "seed " + seed);
      for (int i = 0; i < snapshots.size(); i++) {
        KeyValueStore<String, Long> other = store(Serdes.string(), Serdes.longs());
        restore(other, bytes(snapshots.get(i)));
        assertEquals(pairs(frozen.get(i)), all(other), "seed " + seed + ", snapshot " + i);
        snapshots.get(i).close();
      }
      closeStores();
    }
  }

  // Snapshots

  @Test
  void snapshotHasWhatWasThereWhenItWasTaken() {
    KeyValueStore<String, String> store = strings("a", "1", "b", "2", "c", "3");
    byte[] before = bytes(store);
    try (StoreSnapshot snapshot = store.snapshot()) {
      store.put("a", "changed");
      store.delete("b");
      store.put("d", "new");

      assertArrayEquals(before, bytes(snapshot));
      assertArrayEquals(before, bytes(snapshot), "a second time");
      store.restore(snapshot);
    }
    assertEquals(
        List.of(KeyValue.of("a", "1"), KeyValue.of("b", "2"), KeyValue.of("c", "3")), all(store));
  }

  @Test
  void restoreReplacesAllThatIsThere() {
    byte[] taken = bytes(strings("b", "2"));
    KeyValueStore<String, String> store = strings("a", "1", "b", "1", "c", "1");

    restore(store, taken);

    assertEquals(List.of(KeyValue.of("b", "2")), all(store));
    store.put("c", "3");
    assertNull(store.get("a"));
    assertEquals(List.of(KeyValue.of("b", "2"), KeyValue.of("c", "3")), all(store));
  }

  @Test
  void snapshotOfAnEmptyStoreEmptiesAnother() {
    KeyValueStore<String, String> store = strings("a", "1");

    restore(store, bytes(strings()));

    assertEquals(List.of(), all(store));
  }

  @Test
  void snapshotOfOneStoreIsRestoredIntoTheOther() {
    KeyValueStore<Long, List<String>> store = store(Serdes.longs(), Serdes.list(Serdes.string()));
    try (MemoryStore<Long, List<String>> memory =
        MemoryStore.of(Serdes.longs(), Serdes.list(Serdes.string()))) {
      for (long key = -20_000; key < 20_000; key++) {
        store.put(key * key * key, List.of("v" + key));
      }
      restore(memory, bytes(store));
      assertEquals(all(store), all(memory));
      assertEquals(40_000, memory.size());
      assertArrayEquals(bytes(store), bytes(memory));

      memory.delete(0L);
      restore(store, bytes(memory));
      assertEquals(all(memory), all(store));
      memory.put(0L, List.of());
      try (StoreSnapshot direct = memory.snapshot()) {
        store.restore(direct);
      }
      assertEquals(List.of(), store.get(0L));
    }
  }

  @Test
  void snapshotThatWasReadIsUsedOnceAndWrittenAsItWas() {
    byte[] taken = bytes(strings("a", "1"));
    try (StoreSnapshot snapshot = read(taken)) {
      assertArrayEquals(taken, bytes(snapshot));

      KeyValueStore<String, String> store = strings("b", "2");
      assertThrows(IllegalStateException.class, () -> store.restore(snapshot));
      assertEquals("2", store.get("b"));
    }
  }

  @Test
  void noMoreIsReadThanTheSnapshot() throws IOException {
    byte[] taken = bytes(strings("a", "1"));
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    two.write(taken);
    two.write(7);
    InputStream input = new ByteArrayInputStream(two.toByteArray());
    KeyValueStore<String, String> store = strings();
    try (StoreSnapshot snapshot = StoreSnapshot.read(input)) {
      store.restore(snapshot);

      assertEquals("1", store.get("a"));
      assertEquals(7, input.read());
    }
  }

  @Test
  void closedSnapshotCannotBeUsed() {
    KeyValueStore<String, String> store = strings("a", "1");
    StoreSnapshot snapshot = store.snapshot();
    snapshot.close();
    snapshot.close();

    assertThrows(IllegalStateException.class, () -> bytes(snapshot));
    assertThrows(IllegalStateException.class, () -> store.restore(snapshot));
    assertEquals("1", store.get("a"));
  }

  // What cannot be restored

  private void staysAsItWas(KeyValueStore<String, String> store, byte[] snapshot, String what) {
    StreamForgeException e =
        assertThrows(StreamForgeException.class, () -> restore(store, snapshot), what);
    assertTrue(
        e.code() == ErrorCode.SNAPSHOT_DAMAGED || e.code() == ErrorCode.STATE_INCOMPATIBLE,
        () -> what + ": " + e.getMessage());
    assertEquals("before", store.get("a"), what);
    assertNull(store.get("b"), what);
    assertEquals(1, all(store).size(), what);
  }

  @Test
  void snapshotThatEndsEarlyChangesNothing() {
    byte[] taken = bytes(strings("a", "1", "b", "2"));
    KeyValueStore<String, String> store = strings("a", "before");

    for (int length = 0; length < taken.length; length++) {
      staysAsItWas(store, Arrays.copyOf(taken, length), "the first " + length + " bytes");
    }
    restore(store, taken);
    assertEquals("2", store.get("b"));
  }

  @Test
  void snapshotWithAnAlteredBitChangesNothing() {
    byte[] taken = bytes(strings("a", "1", "b", "2"));
    KeyValueStore<String, String> store = strings("a", "before");

    for (int bit = 0; bit < taken.length * 8; bit++) {
      byte[] altered = taken.clone();
      altered[bit / 8] ^= (byte) (1 << (bit % 8));
      staysAsItWas(store, altered, "bit " + bit + " of " + taken.length * 8);
    }
  }

  @Test
  void snapshotWhoseLastBlockIsMissingChangesNothingThoughMuchHasBeenRead() {
    KeyValueStore<String, String> large = strings();
    for (int i = 0; i < 30_000; i++) {
      large.put("key " + i, "value " + i);
    }
    byte[] taken = bytes(large);
    KeyValueStore<String, String> store = strings("a", "before");

    staysAsItWas(store, Arrays.copyOf(taken, taken.length - 1), "all but a byte");
  }

  @Test
  void inputThatFailsChangesNothing() throws IOException {
    byte[] taken = bytes(strings("a", "1", "b", "2"));
    KeyValueStore<String, String> store = strings("a", "before");
    AtomicBoolean closed = new AtomicBoolean();
    InputStream input =
        new InputStream() {
          private int at;

          @Override
          public int read() throws IOException {
            if (at == taken.length - 3) {
              throw new IOException("the disk is gone");
            }
            return taken[at++] & 0xFF;
          }

          @Override
          public void close() {
            closed.set(true);
          }
        };
    try (StoreSnapshot snapshot = StoreSnapshot.read(input)) {
      UncheckedIOException e =
          assertThrows(UncheckedIOException.class, () -> store.restore(snapshot));
      assertEquals("a snapshot of a store cannot be read: the disk is gone", e.getMessage());
    }
    assertTrue(closed.get());
    assertEquals(List.of(KeyValue.of("a", "before")), all(store));
  }

  // Types that change

  private static final class Before {
    record Order(int amount) {}
  }

  private static final class After {
    record Order(long amount, @Default("EUR") String currency) {}
  }

  @Test
  void valuesOfAnOlderTypeAreReadAsTheNewOne() {
    KeyValueStore<Integer, Before.Order> before =
        store(Serdes.ints(), Serdes.of(Before.Order.class));
    before.put(-1, new Before.Order(5));
    before.put(1, new Before.Order(7));
    KeyValueStore<Long, After.Order> after = store(Serdes.longs(), Serdes.of(After.Order.class));

    restore(after, bytes(before));

    assertEquals(
        List.of(
            KeyValue.of(-1L, new After.Order(5, "EUR")),
            KeyValue.of(1L, new After.Order(7, "EUR"))),
        all(after));
    KeyValueStore<Long, After.Order> again = store(Serdes.longs(), Serdes.of(After.Order.class));
    restore(again, bytes(after));
    assertEquals(all(after), all(again));
  }

  @Test
  void valuesAndKeysThatCannotBeReadAreRefusedAndChangeNothing() {
    KeyValueStore<Long, After.Order> after = store(Serdes.longs(), Serdes.of(After.Order.class));
    after.put(1L, new After.Order(5, "CHF"));
    KeyValueStore<Long, Before.Order> narrower =
        store(Serdes.longs(), Serdes.of(Before.Order.class));
    narrower.put(2L, new Before.Order(3));
    KeyValueStore<String, After.Order> otherKeys =
        store(Serdes.string(), Serdes.of(After.Order.class));
    otherKeys.put("k", new After.Order(4, "EUR"));

    StreamForgeException values =
        fails(ErrorCode.STATE_INCOMPATIBLE, () -> restore(narrower, bytes(after)));
    assertTrue(
        values.summary().startsWith("the values of a snapshot: stored Order{amount: long"),
        values.summary());
    StreamForgeException keys =
        fails(ErrorCode.STATE_INCOMPATIBLE, () -> restore(otherKeys, bytes(after)));
    assertTrue(
        keys.summary().startsWith("the keys of a snapshot: stored long, expected string"),
        keys.summary());

    assertEquals(List.of(KeyValue.of(2L, new Before.Order(3))), all(narrower));
    assertEquals(List.of(KeyValue.of("k", new After.Order(4, "EUR"))), all(otherKeys));
  }

  // Threads

  private static void inThreads(List<Runnable> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      tasks.forEach(task -> running.add(threads.submit(task)));
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** The writer sets "a" before "z", so whoever sees one instant sees "a" at most one ahead. */
  @Test
  void rangesAndSnapshotsAreOfOneInstantWhileOthersWrite() {
    KeyValueStore<String, Long> store = store(Serdes.string(), Serdes.longs());
    store.put("a", 0L);
    store.put("z", 0L);
    AtomicBoolean done = new AtomicBoolean();
    Consumer<List<KeyValue<String, Long>>> check =
        all -> {
          assertEquals(2, all.size());
          long ahead = all.get(0).value() - all.get(1).value();
          assertTrue(ahead == 0 || ahead == 1, () -> "a is ahead by " + ahead);
        };
    Runnable writer =
        () -> {
          try {
            for (long i = 1; i <= 5_000; i++) {
              store.put("a", i);
              store.put("z", i);
            }
          } finally {
            done.set(true);
          }
        };
    Runnable ranges =
        () -> {
          do {
            check.accept(all(store));
          } while (!done.get());
        };
    Runnable snapshots =
        () -> {
          do {
            try (MemoryStore<String, Long> copy = MemoryStore.of(Serdes.string(), Serdes.longs())) {
              restore(copy, bytes(store));
              check.accept(all(copy));
            }
          } while (!done.get());
        };

    inThreads(List.of(writer, ranges, snapshots));

    assertEquals(List.of(KeyValue.of("a", 5_000L), KeyValue.of("z", 5_000L)), all(store));
  }

  @Test
  void noneOfManyWritersLosesAnEntry() {
    KeyValueStore<Long, Long> store = store(Serdes.longs(), Serdes.longs());
    List<Runnable> writers = new ArrayList<>();
    for (long first = 0; first < 3; first++) {
      long mine = first;
      writers.add(
          () -> {
            for (long key = mine; key < 6_000; key += 3) {
              store.put(key, key);
              if (key % 2 == 0) {
                store.delete(key);
              }
            }
          });
    }

    inThreads(writers);

    List<KeyValue<Long, Long>> expected = new ArrayList<>();
    for (long key = 1; key < 6_000; key += 2) {
      expected.add(KeyValue.of(key, key));
    }
    assertEquals(expected, all(store));
  }

  @Test
  void whoReadsWhileAnotherRestoresSeesTheOldOrTheNewEntries() {
    KeyValueStore<String, String> store = strings("a", "one", "b", "one");
    byte[] one = bytes(store);
    byte[] two = bytes(strings("a", "two", "b", "two"));
    AtomicBoolean done = new AtomicBoolean();
    Runnable reader =
        () -> {
          do {
            assertNotNull(store.get("b"));
            List<KeyValue<String, String>> all = all(store);
            assertEquals(2, all.size());
            assertEquals(all.get(0).value(), all.get(1).value());
          } while (!done.get());
        };
    Runnable restorer =
        () -> {
          try {
            for (int i = 0; i < 200; i++) {
              restore(store, i % 2 == 0 ? two : one);
            }
          } finally {
            done.set(true);
          }
        };

    inThreads(List.of(restorer, reader, reader));

    assertEquals("one", store.get("a"));
  }

  @Test
  void callsInHandWhenTheStoreIsClosedEndWell() {
    KeyValueStore<Long, Long> store = store(Serdes.longs(), Serdes.longs());
    for (long key = 0; key < 1_000; key++) {
      store.put(key, key);
    }
    CountDownLatch begun = new CountDownLatch(4);
    Consumer<Runnable> untilClosed =
        call -> {
          IllegalStateException e =
              assertThrows(
                  IllegalStateException.class,
                  () -> {
                    call.run();
                    begun.countDown();
                    while (true) {
                      call.run();
                    }
                  });
          assertEquals("the store is closed", e.getMessage());
        };

    inThreads(
        List.of(
            () -> untilClosed.accept(() -> store.get(5L)),
            () -> untilClosed.accept(() -> store.put(5L, 6L)),
            () -> untilClosed.accept(() -> all(store)),
            () -> untilClosed.accept(() -> bytes(store)),
            () -> {
              try {
                begun.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              store.close();
            }));
  }

  @Test
  void closedStoreThrowsAndSoDoItsSnapshots() {
    KeyValueStore<String, String> store = strings("a", "1");
    byte[] taken = bytes(store);
    try (StoreSnapshot snapshot = store.snapshot()) {
      store.close();
      store.close();

      for (Executable call :
          List.<Executable>of(
              () -> store.put("a", "1"),
              () -> store.get("a"),
              () -> store.delete("a"),
              () -> all(store),
              () -> store.rangeAfter("a", null, 1),
              store::snapshot,
              () -> restore(store, taken),
              () -> bytes(snapshot))) {
        IllegalStateException e = assertThrows(IllegalStateException.class, call);
        assertEquals("the store is closed", e.getMessage());
      }
    }
  }
}
