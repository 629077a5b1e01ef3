package io.streamforge.testkit.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.KeyedStateBackend.Opening;
import io.streamforge.backend.RestoredStates;
import io.streamforge.backend.StoredState;
import io.streamforge.backend.TaskStates;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.specialise.NodeClasses;
import io.streamforge.state.ColumnCursor;
import io.streamforge.state.ColumnTable;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.KeyedTable;
import io.streamforge.state.StateDescriptor;
import io.streamforge.state.TableCursor;
import io.streamforge.window.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What {@link KeyedStateBackend} and what it opens promise, as tests for JUnit. Whoever writes a
 * backend extends this class and says how to open one; all tests are inherited.
 *
 * <p>Needs {@code org.junit.jupiter:junit-jupiter} on the class path of the tests.
 */
public abstract class KeyedStateBackendContract {
  private static final int GROUPS = 8;

  /** The long whose hash is 0. */
  private static final long HASH_IS_ZERO = -0x9E37_79B9_7F4A_7C15L;

  private static final Window MORNING = new Window(0, 100);
  private static final Window EVENING = new Window(100, 200);
  private static final StateDescriptor<List<Long>> LISTS =
      StateDescriptor.of("lists", Serdes.list(Serdes.longs()));
  private static final ColumnsDescriptor COUNTS = ColumnsDescriptor.of("counts", 2, "pair");

  private @Nullable KeyedStateBackend backend;

  /** For subclasses. */
  protected KeyedStateBackendContract() {}

  /** An empty backend; the test closes it. */
  protected abstract KeyedStateBackend backend();

  /** Closes the backend. */
  @AfterEach
  protected final void closeBackend() {
    KeyedStateBackend opened = backend;
    backend = null;
    if (opened != null) {
      opened.close();
    }
  }

  private TaskStates open(Opening opening) {
    KeyedStateBackend opened = backend;
    if (opened == null) {
      opened = backend();
      backend = opened;
    }
    return opened.open(new NodeClasses(false), opening);
  }

  /** What a checkpoint has of each state or slice: the chunks from its base on. */
  private static final class Chains implements RestoredStates {
    private final Map<String, List<byte[]>> chunks = new TreeMap<>();
    private final Map<String, KeyedSnapshot.Part> parts = new HashMap<>();

    static String name(String state, @Nullable Window slice) {
      return slice == null ? state : state + slice;
    }

    Chains copy() {
      Chains copy = new Chains();
      chunks.forEach((name, list) -> copy.chunks.put(name, new ArrayList<>(list)));
      copy.parts.putAll(parts);
      return copy;
    }

    @Override
    public List<Window> slices(String state) {
      return parts.values().stream()
          .filter(part -> part.state().equals(state) && part.slice() != null)
          .map(KeyedSnapshot.Part::slice)
          .sorted()
          .toList();
    }

    @Override
    public @Nullable StoredState take(String state, @Nullable Window slice) {
      KeyedSnapshot.Part part = parts.remove(name(state, slice));
      if (part == null) {
        return null;
      }
      Iterator<byte[]> each = Objects.requireNonNull(chunks.get(name(state, slice))).iterator();
      // Sometimes it is not known.
      long entries = part.entries() % 3 == 0 ? 0 : part.entries();
      return new StoredState(
          part.schema(), part.form(), () -> each.hasNext() ? each.next() : null, entries);
    }
  }

  /** A node's states, what they should be, and the checkpoint that was confirmed last. */
  private final class Subject {
    final KeyKind<Object> kind;
    final TaskStates states;
    Chains confirmed = new Chains();
    Map<String, Map<Object, List<Long>>> model = new TreeMap<>();

    Subject(KeyKind<Object> kind) {
      this.kind = kind;
      this.states = open(new Opening("node", kind, 0, GROUPS, GROUPS, true, RestoredStates.NONE));
    }

    Map<Object, List<Long>> model(String name) {
      return model.computeIfAbsent(name, n -> new HashMap<>());
    }

    Map<String, Map<Object, List<Long>>> modelCopy() {
      Map<String, Map<Object, List<Long>>> copy = new TreeMap<>();
      model.forEach(
          (name, entries) -> {
            if (!entries.isEmpty()) {
              Map<Object, List<Long>> lists = new HashMap<>();
              entries.forEach((key, value) -> lists.put(key, new ArrayList<>(value)));
              copy.put(name, lists);
            }
          });
      return copy;
    }

    void append(@Nullable Window slice, Object key, long value) {
      long hash = kind.hash(key);
      KeyedTable<List<Long>> table =
          slice == null ? states.table(LISTS) : states.table(LISTS, slice);
      List<Long> list = table.get(key, hash);
      if (list == null) {
        list = new ArrayList<>();
        table.put(key, hash, list);
      }
      list.add(value);
      model(Chains.name("lists", slice)).computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    }

    void count(Object key, long value) {
      ColumnTable table = states.columns(COUNTS);
      int at = table.locate(key, kind.hash(key));
      table.columns()[at] += value;
      table.columns()[at + 1]--;
      List<Long> counts =
          model("counts").computeIfAbsent(key, k -> new ArrayList<>(List.of(0L, 0L)));
      counts.set(0, counts.get(0) + value);
      counts.set(1, counts.get(1) - 1);
    }

    void remove(Object key) {
      states.table(LISTS).remove(key, kind.hash(key));
      model("lists").remove(key);
      states.columns(COUNTS).remove(key, kind.hash(key));
      model("counts").remove(key);
    }

    void changeAll(Window slice) {
      TableCursor<List<Long>> cursor = states.table(LISTS, slice).cursor();
      while (cursor.next()) {
        cursor.valueToChange().add(-1L);
      }
      model(Chains.name("lists", slice)).values().forEach(list -> list.add(-1L));
    }

    void drop(Window slice) {
      states.drop("lists", slice);
      model.remove(Chains.name("lists", slice));
    }

    void step(Random random, int keys) {
      Object key = key(random.nextInt(keys));
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> remove(key);
        case 3 -> changeAll(EVENING);
        case 4 -> {
          if (random.nextInt(20) == 0) {
            drop(random.nextBoolean() ? MORNING : EVENING);
          }
        }
        case 5, 6, 7, 8, 9, 10 -> count(key, random.nextInt(100));
        case 11, 12, 13 -> append(MORNING, key, random.nextInt(100));
        case 14 -> append(EVENING, key, random.nextInt(100));
        default -> append(null, key, random.nextInt(100));
      }
    }

    private Object key(int number) {
      return kind.serde().name().equals("long") ? (Object) (long) number : "key " + number;
    }
  }

  @SuppressWarnings("unchecked")
  private static KeyKind<Object> kind(Serde<?> serde) {
    return KeyKinds.of((Serde<Object>) serde);
  }

  /** Writes into chains of its own, step by step. */
  private static final class Writing {
    final KeyedSnapshot snapshot;
    final Chains chains;
    final Map<String, Map<Object, List<Long>>> frozen;

    Writing(Subject subject) {
      frozen = subject.modelCopy();
      snapshot = subject.states.snapshot();
      Chains before = subject.confirmed;
      chains = new Chains();
      for (KeyedSnapshot.Part part : snapshot.parts()) {
        String name = Chains.name(part.state(), part.slice());
        List<byte[]> chain = new ArrayList<>();
        if (part.extent() != KeyedSnapshot.Extent.WHOLE) {
          chain.addAll(Objects.requireNonNull(before.chunks.get(name), name));
        }
        chains.parts.put(name, part);
        chains.chunks.put(name, chain);
      }
    }

    long bytes() {
      return chains.chunks.values().stream()
          .flatMap(List::stream)
          .mapToLong(chunk -> chunk.length)
          .sum();
    }

    boolean write(int budget) {
      return snapshot.write(
          budget,
          (part, chunk) -> {
            KeyedSnapshot.Part of = snapshot.parts().get(part);
            Objects.requireNonNull(chains.chunks.get(Chains.name(of.state(), of.slice())))
                .add(chunk);
          });
    }
  }

  private Map<String, Map<Object, List<Long>>> restored(
      Chains chains, KeyKind<Object> kind, int parallelism) {
    Map<String, Map<Object, List<Long>>> all = new TreeMap<>();
    for (int task = 0; task < parallelism; task++) {
      TaskStates states =
          open(
              new Opening(
                  "node",
                  kind,
                  KeyGroups.firstGroup(task, parallelism, GROUPS),
                  KeyGroups.firstGroup(task + 1, parallelism, GROUPS),
                  GROUPS,
                  true,
                  chains.copy()));
      for (Window slice : states.restoredSlices("lists")) {
        read(states.table(LISTS, slice), all, Chains.name("lists", slice));
      }
      read(states.table(LISTS), all, "lists");
      ColumnTable counts = states.columns(COUNTS);
      for (var cursor = counts.cursor(); cursor.next(); ) {
        all.computeIfAbsent("counts", n -> new HashMap<>())
            .put(
                cursor.key(),
                List.of(
                    counts.columns()[cursor.position()], counts.columns()[cursor.position() + 1]));
      }
    }
    return all;
  }

  private static void read(
      KeyedTable<List<Long>> table, Map<String, Map<Object, List<Long>>> into, String name) {
    for (TableCursor<List<Long>> cursor = table.cursor(); cursor.next(); ) {
      List<Long> twice =
          into.computeIfAbsent(name, n -> new HashMap<>()).put(cursor.key(), cursor.value());
      assertNull(twice, "a key in two tasks");
    }
  }

  @Test
  void a06WhatIsRestoredOfFewKeysIsWhatWasFrozenWhateverChangesMeanwhile() {
    whatIsRestoredIsWhatWasFrozen(3);
  }

  @Test
  void a06WhatIsRestoredOfSomeKeysIsWhatWasFrozenWhateverChangesMeanwhile() {
    whatIsRestoredIsWhatWasFrozen(40);
  }

  @Test
  void a06WhatIsRestoredOfManyKeysIsWhatWasFrozenWhateverChangesMeanwhile() {
    whatIsRestoredIsWhatWasFrozen(3_000);
  }

  private void whatIsRestoredIsWhatWasFrozen(int keys) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      KeyKind<Object> kind = kind(seed % 2 == 0 ? Serdes.longs() : Serdes.string());
      Subject subject = new Subject(kind);
      for (int round = 0; round < 12; round++) {
        int before = random.nextInt(keys * 2);
        for (int i = 0; i < before; i++) {
          subject.step(random, keys);
        }
        Writing writing = new Writing(subject);
        boolean abandoned = random.nextInt(3) == 0;
        boolean all = false;
        while (!all && !(abandoned && random.nextInt(50) == 0)) {
          all = writing.write(1 + random.nextInt(40));
          for (int i = random.nextInt(6); i > 0; i--) {
            subject.step(random, keys);
          }
        }
        if (abandoned) {
          writing.snapshot.abandon();
          continue;
        }
        for (int i = random.nextInt(6); i > 0; i--) {
          subject.step(random, keys);
        }
        writing.snapshot.confirm();
        subject.confirmed = writing.chains;
        for (int parallelism : new int[] {1, 3}) {
          assertEquals(
              writing.frozen,
              restored(writing.chains, kind, parallelism),
              "seed " + seed + ", round " + round + ", parallelism " + parallelism);
        }
      }
      assertFalse(subject.modelCopy().isEmpty());
      closeBackend();
    }
  }

  @Test
  void onlyWhatHasChangedIsWrittenAgain() {
    Subject subject = new Subject(kind(Serdes.longs()));
    for (long key = 0; key < 10_000; key++) {
      subject.count(key, 1);
    }
    long whole = bytesOf(subject);
    for (long key = 0; key < 100; key++) {
      subject.count(key, 1);
    }

    // An entry is a tag, two longs, and the key in 1 byte below 64, 2 below 8,192, else 3.
    assertEquals(10_000 * 17 + 64 + 8_128 * 2 + 1_808 * 3, whole);
    assertEquals(100 * 17 + 64 + 36 * 2, bytesOf(subject));
    assertEquals(0, bytesOf(subject));
  }

  private static long bytesOf(Subject subject) {
    Writing writing = new Writing(subject);
    long before = writing.bytes();
    while (!writing.write(1_000)) {}
    writing.snapshot.confirm();
    subject.confirmed = writing.chains;
    return writing.bytes() - before;
  }

  @Test
  void baseIsWrittenAnewBehindSoManyChangesHoweverSmall() {
    Subject subject = new Subject(kind(Serdes.longs()));
    for (long key = 0; key < 10_000; key++) {
      subject.count(key, 1);
    }
    long whole = bytesOf(subject);
    int changes = 0;
    for (long written = 0; written < whole; changes++) {
      assertTrue(written < whole / 100);
      subject.count(1L, 1);
      written = bytesOf(subject);
    }

    assertTrue(changes > 50 && changes < 1_000, changes + " snapshots of changes");
  }

  @Test
  void baseIsWrittenAnewWhenTheChangesOutgrowHalfOfIt() {
    Subject subject = new Subject(kind(Serdes.longs()));
    List<KeyedSnapshot.Extent> extents = new ArrayList<>();
    for (long key = 0; key < 1_000; key++) {
      subject.count(key, 1);
    }
    for (int round = 0; round < 5; round++) {
      Writing writing = new Writing(subject);
      extents.add(writing.snapshot.parts().get(0).extent());
      while (!writing.write(1_000)) {}
      writing.snapshot.confirm();
      subject.confirmed = writing.chains;
      for (long key = 0; key < 300; key++) {
        subject.count(key, 1);
      }
    }

    assertEquals(
        List.of(
            KeyedSnapshot.Extent.WHOLE,
            KeyedSnapshot.Extent.CHANGES,
            KeyedSnapshot.Extent.CHANGES,
            KeyedSnapshot.Extent.WHOLE,
            KeyedSnapshot.Extent.CHANGES),
        extents);
  }

  @Test
  void stateOfAnotherTypeIsRefusedWithItsName() {
    Subject subject = new Subject(kind(Serdes.longs()));
    subject.append(null, 1L, 5);
    Writing writing = new Writing(subject);
    while (!writing.write(10)) {}
    writing.snapshot.confirm();
    TaskStates states =
        open(new Opening("totals", subject.kind, 0, GROUPS, GROUPS, true, writing.chains));

    refused(
        () -> states.table(StateDescriptor.of("lists", Serdes.instants())),
        "state 'lists' of node 'totals': stored list<long>, expected Instant");
  }

  @Test
  void longsOfAnotherMeaningAreRefused() {
    Subject subject = new Subject(kind(Serdes.longs()));
    subject.count(1L, 5);
    Writing writing = new Writing(subject);
    while (!writing.write(10)) {}
    writing.snapshot.confirm();
    TaskStates states =
        open(new Opening("totals", subject.kind, 0, GROUPS, GROUPS, true, writing.chains));

    refused(
        () -> states.columns(ColumnsDescriptor.of("counts", 2, "sums")),
        "state 'counts' of node 'totals': stored long → 2 longs of pair, expected values of 2"
            + " longs of sums");
  }

  private static StreamForgeException refused(Runnable use, String words) {
    StreamForgeException e = assertThrows(StreamForgeException.class, use::run);
    assertTrue(e.getMessage().contains(words), e.getMessage());
    return e;
  }

  /** Nobody waits for a snapshot for ever because keys come and go. */
  @Test
  void removalsDoNotThrowTheSweepBack() {
    Subject subject = new Subject(kind(Serdes.longs()));
    for (long key = 0; key < 20_000; key++) {
      subject.count(key, 1);
    }
    Writing writing = new Writing(subject);
    int steps = 0;
    for (boolean all = false; !all; steps++) {
      all = writing.write(100);
      subject.remove((long) (steps % 20_000));
    }

    assertTrue(steps < 2 * 20_000 / 100, steps + " steps");
  }

  @Test
  void aSnapshotIsConfirmedOnceAndOnlyWhenItIsWritten() {
    Subject subject = new Subject(kind(Serdes.longs()));
    subject.count(1L, 5);
    Writing writing = new Writing(subject);
    assertThrows(IllegalStateException.class, writing.snapshot::confirm);
    while (!writing.write(10)) {}
    writing.snapshot.confirm();

    assertThrows(IllegalStateException.class, writing.snapshot::confirm);
    assertThrows(IllegalStateException.class, writing.snapshot::abandon);
    assertThrows(IllegalStateException.class, () -> writing.write(1));
  }

  @Test
  void stateWithoutSerdeIsRefusedWhereThereAreCheckpoints() {
    StateDescriptor<Object> state =
        StateDescriptor.of("sums", new Inferred.Missing("java.lang.Object says too little"));
    TaskStates states =
        open(
            new Opening(
                "totals", kind(Serdes.longs()), 0, GROUPS, GROUPS, true, RestoredStates.NONE));

    StreamForgeException e =
        refused(() -> states.table(state), "state 'sums' of node 'totals' cannot be ");
    assertEquals(ErrorCode.SERDE_FAILED, e.code());
    assertTrue(e.getMessage().contains("java.lang.Object says too little"), e.getMessage());
  }

  /** Keys of several kinds, among them those with extreme hashes. */
  private static Map<Serde<?>, List<?>> keys() {
    List<Object> longs = new ArrayList<>(List.of(HASH_IS_ZERO, 0L, -1L, Long.MIN_VALUE));
    List<Object> ints = new ArrayList<>(List.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE));
    List<Object> strings = new ArrayList<>(List.of("", "\u0000", "ä"));
    for (int i = 1; i < 700; i++) {
      longs.add((long) i);
      ints.add(i);
      strings.add("key " + i);
    }
    return Map.of(Serdes.longs(), longs, Serdes.ints(), ints, Serdes.string(), strings);
  }

  @Test
  void tablesOfObjectsAgreeWithAMap() {
    keys()
        .forEach(
            (serde, keys) -> {
              KeyKind<Object> kind = kind(serde);
              KeyedTable<List<Long>> table =
                  open(Opening.fresh("node", kind, 0, GROUPS, GROUPS)).table(LISTS);
              Map<Object, List<Long>> model = new HashMap<>();
              Random random = new Random(1);
              for (int i = 0; i < 20_000; i++) {
                Object key = keys.get(random.nextInt(keys.size()));
                long hash = kind.hash(key);
                List<Long> expected = model.get(key);
                assertEquals(expected, table.read(key, hash));
                switch (random.nextInt(4)) {
                  case 0 -> {
                    table.remove(key, hash);
                    model.remove(key);
                  }
                  case 1 -> {
                    table.put(key, hash, new ArrayList<>(List.of((long) i)));
                    model.put(key, new ArrayList<>(List.of((long) i)));
                  }
                  default -> {
                    List<Long> found = table.get(key, hash);
                    assertEquals(expected, found);
                    if (found != null && expected != null && found.size() < 20) {
                      found.add((long) i);
                      expected.add((long) i);
                    }
                  }
                }
                if (i % 4_999 == 0) {
                  assertEquals(model.size(), table.size());
                  assertEquals(model, walked(table, kind));
                }
              }
              table.purge(3 * 4_096, list -> list.size() > 1);
              table.purge(3 * 4_096, list -> list.size() > 1);
              table.purge(3 * 4_096, list -> list.size() > 1);
              model.values().removeIf(list -> list.size() > 1);
              assertEquals(model, walked(table, kind));
            });
  }

  private static Map<Object, List<Long>> walked(
      KeyedTable<List<Long>> table, KeyKind<Object> kind) {
    Map<Object, List<Long>> all = new HashMap<>();
    int group = 0;
    for (TableCursor<List<Long>> cursor = table.cursor(); cursor.next(); ) {
      assertEquals(kind.hash(cursor.key()), cursor.hash());
      int next = KeyGroups.of(cursor.hash(), GROUPS);
      assertTrue(next >= group, "groups are out of order");
      group = next;
      assertNull(all.put(cursor.key(), List.copyOf(cursor.value())), "a key came twice");
    }
    return all;
  }

  @Test
  void tablesOfLongsAgreeWithAMap() {
    keys()
        .forEach(
            (serde, keys) -> {
              KeyKind<Object> kind = kind(serde);
              ColumnTable table =
                  open(Opening.fresh("node", kind, 0, GROUPS, GROUPS)).columns(COUNTS);
              Map<Object, Long> model = new HashMap<>();
              Random random = new Random(1);
              for (int i = 0; i < 20_000; i++) {
                Object key = keys.get(random.nextInt(keys.size()));
                long hash = kind.hash(key);
                Long expected = model.get(key);
                int found = table.seek(key, hash);
                assertEquals(expected, found < 0 ? null : (Long) table.columns()[found]);
                if (random.nextInt(4) == 0) {
                  table.remove(key, hash);
                  model.remove(key);
                } else {
                  int at = table.locate(key, hash);
                  assertEquals(expected == null ? 0 : expected, table.columns()[at]);
                  assertEquals(expected == null ? 0 : -expected, table.columns()[at + 1]);
                  table.columns()[at] += i;
                  table.columns()[at + 1] -= i;
                  model.merge(key, (long) i, Long::sum);
                }
                if (i % 4_999 == 0) {
                  assertEquals(model.size(), table.size());
                  assertEquals(model, walked(table));
                }
              }
              table.purge(3 * 4_096, at -> table.columns()[at] % 2 == 0);
              table.purge(3 * 4_096, at -> table.columns()[at] % 2 == 0);
              table.purge(3 * 4_096, at -> table.columns()[at] % 2 == 0);
              model.values().removeIf(value -> value % 2 == 0);
              assertEquals(model, walked(table));
            });
  }

  private static Map<Object, Long> walked(ColumnTable table) {
    Map<Object, Long> all = new HashMap<>();
    for (ColumnCursor cursor = table.cursor(); cursor.next(); ) {
      int at = cursor.position();
      assertEquals(table.columns()[at], -table.columns()[at + 1]);
      assertNull(all.put(cursor.key(), table.columns()[at]), "a key came twice");
    }
    return all;
  }
}
