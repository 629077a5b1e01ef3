package io.streamforge.backend.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.backend.KeyedSnapshot;
import io.streamforge.backend.KeyedStateBackend.Opening;
import io.streamforge.backend.RestoredStates;
import io.streamforge.backend.StoredState;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is restored is what was frozen, whatever happens while it is written. */
class MemorySnapshotTest {
  private static final int GROUPS = 8;
  private static final Window MORNING = new Window(0, 100);
  private static final Window EVENING = new Window(100, 200);
  private static final StateDescriptor<List<Long>> LISTS =
      StateDescriptor.of("lists", Serdes.list(Serdes.longs()));
  private static final ColumnsDescriptor COUNTS = ColumnsDescriptor.of("counts", 2, "pair");

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
      Iterator<byte[]> each = chunks.get(name(state, slice)).iterator();
      return new StoredState(part.schema(), part.form(), () -> each.hasNext() ? each.next() : null);
    }
  }

  /** A node's states, what they should be, and the checkpoint that was confirmed last. */
  private static final class Subject {
    final KeyKind<Object> kind;
    final MemoryKeyedStates states;
    Chains confirmed = new Chains();
    Map<String, Map<Object, List<Long>>> model = new TreeMap<>();

    Subject(KeyKind<Object> kind) {
      this.kind = kind;
      this.states =
          new MemoryKeyedStates(
              new Opening("node", kind, 0, GROUPS, GROUPS, true, RestoredStates.NONE));
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
            chains.chunks.get(Chains.name(of.state(), of.slice())).add(chunk);
          });
    }
  }

  private static Map<String, Map<Object, List<Long>>> restored(
      Chains chains, KeyKind<Object> kind, int parallelism) {
    Map<String, Map<Object, List<Long>>> all = new TreeMap<>();
    for (int task = 0; task < parallelism; task++) {
      MemoryKeyedStates states =
          new MemoryKeyedStates(
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
      assertThat(twice).as("a key in two tasks").isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 40, 3_000})
  void a06WhatIsRestoredIsWhatWasFrozenWhateverChangesMeanwhile(int keys) {
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
          assertThat(restored(writing.chains, kind, parallelism))
              .as("seed %d, round %d, parallelism %d", seed, round, parallelism)
              .isEqualTo(writing.frozen);
        }
      }
      assertThat(subject.modelCopy()).isNotEmpty();
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
    assertThat(whole).isEqualTo(10_000 * 17 + 64 + 8_128 * 2 + 1_808 * 3);
    assertThat(bytesOf(subject)).isEqualTo(100 * 17 + 64 + 36 * 2);
    assertThat(bytesOf(subject)).isZero();
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
    long change = 0;
    for (int round = 0; round < Changes.MAX_DELTAS; round++) {
      subject.count(1L, 1);
      change = bytesOf(subject);
      assertThat(change).isLessThan(whole / 100);
    }
    subject.count(1L, 1);
    assertThat(bytesOf(subject)).isEqualTo(whole);
    subject.count(1L, 1);
    assertThat(bytesOf(subject)).isEqualTo(change);
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

    assertThat(extents)
        .containsExactly(
            KeyedSnapshot.Extent.WHOLE,
            KeyedSnapshot.Extent.CHANGES,
            KeyedSnapshot.Extent.CHANGES,
            KeyedSnapshot.Extent.WHOLE,
            KeyedSnapshot.Extent.CHANGES);
  }

  @Test
  void stateOfAnotherTypeIsRefusedWithItsName() {
    Subject subject = new Subject(kind(Serdes.longs()));
    subject.append(null, 1L, 5);
    Writing writing = new Writing(subject);
    while (!writing.write(10)) {}
    writing.snapshot.confirm();
    MemoryKeyedStates states =
        new MemoryKeyedStates(
            new Opening("totals", subject.kind, 0, GROUPS, GROUPS, true, writing.chains));

    assertThatThrownBy(() -> states.table(StateDescriptor.of("lists", Serdes.instants())))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining(
            "state 'lists' of node 'totals': stored list<long>, expected Instant");
  }

  @Test
  void longsOfAnotherMeaningAreRefused() {
    Subject subject = new Subject(kind(Serdes.longs()));
    subject.count(1L, 5);
    Writing writing = new Writing(subject);
    while (!writing.write(10)) {}
    writing.snapshot.confirm();
    MemoryKeyedStates states =
        new MemoryKeyedStates(
            new Opening("totals", subject.kind, 0, GROUPS, GROUPS, true, writing.chains));

    assertThatThrownBy(() -> states.columns(ColumnsDescriptor.of("counts", 2, "sums")))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining(
            "state 'counts' of node 'totals': stored long → 2 longs of pair, expected values of 2"
                + " longs of sums");
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

    assertThat(steps).isLessThan(2 * 20_000 / 100);
  }

  @Test
  void aSnapshotIsConfirmedOnceAndOnlyWhenItIsWritten() {
    Subject subject = new Subject(kind(Serdes.longs()));
    subject.count(1L, 5);
    Writing writing = new Writing(subject);
    assertThatThrownBy(writing.snapshot::confirm).isInstanceOf(IllegalStateException.class);
    while (!writing.write(10)) {}
    writing.snapshot.confirm();

    assertThatThrownBy(writing.snapshot::confirm).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(writing.snapshot::abandon).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> writing.write(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void stateWithoutSerdeIsRefusedWhereThereAreCheckpoints() {
    StateDescriptor<Object> state =
        StateDescriptor.of("sums", new Inferred.Missing("java.lang.Object says too little"));
    MemoryKeyedStates states =
        new MemoryKeyedStates(
            new Opening(
                "totals", kind(Serdes.longs()), 0, GROUPS, GROUPS, true, RestoredStates.NONE));

    assertThatThrownBy(() -> states.table(state))
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED))
        .hasMessageContaining(
            "state 'sums' of node 'totals' cannot be part of checkpoints: java.lang.Object says too"
                + " little");
  }
}
