package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.backend.StoreSnapshot;
import io.streamforge.backend.memory.MemoryStore;
import io.streamforge.backend.rocksdb.RocksDbStore;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.StateConfig;
import io.streamforge.connector.Sources;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Serdes;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/state.md} shows. */
class StateTest {
  @TempDir private Path temporary;

  @Test
  void stateIsInRocksDb() throws Exception {
    Path words = Files.writeString(temporary.resolve("words.txt"), "a\nb\na\n");
    Path output = temporary.resolve("counts");
    Topology topology =
        Topology.builder("word-count")
            .source("words", Sources.lines(words))
            .groupBy("by-word", (position, word) -> word)
            .count("counts")
            .sink("out", FileSink.lines(output))
            .build();
    Path directory = temporary.resolve("local");
    // tag::config[]
    EngineConfig config =
        EngineConfig.builder()
            .state(
                StateConfig.of("rocksdb")
                    .inDirectory(directory)
                    .withNativeMemory(512L << 20)
                    .withNode("counts", "memory"))
            .build();
    // end::config[]
    EngineConfig all =
        config.toBuilder().state(StateConfig.of("rocksdb").inDirectory(directory)).build();
    for (EngineConfig each : List.of(config, all)) {
      try (Engine engine = Engine.start(topology, each)) {
        engine.awaitCompletion();
      }
    }

    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(output)) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    assertThat(lines).containsExactlyInAnyOrder("a=1", "b=1", "a=2", "a=1", "b=1", "a=2");
  }

  record Order(String customer, long amount) {}

  @Test
  void storesAreUsedOnTheirOwn() throws Exception {
    Path directory = temporary.resolve("local");
    Path file = temporary.resolve("orders.snapshot");
    // tag::store[]
    try (RocksDbStore<Instant, Order> orders =
        RocksDbStore.open(directory, Serdes.instants(), Serdes.of(Order.class), 64L << 20)) {
      orders.put(Instant.parse("2026-03-01T09:00:00Z"), new Order("ada", 12));
      orders.put(Instant.parse("2026-03-01T11:30:00Z"), new Order("bob", 7));
      orders.put(Instant.parse("2026-03-02T08:15:00Z"), new Order("ada", 3));

      Order first = orders.get(Instant.parse("2026-03-01T09:00:00Z")); // null: none
      List<KeyValue<Instant, Order>> ofTheFirst = // the end is not included; 100 at most
          orders.range(
              Instant.parse("2026-03-01T00:00:00Z"), Instant.parse("2026-03-02T00:00:00Z"), 100);
      orders.delete(Instant.parse("2026-03-01T09:00:00Z"));
      // end::store[]
      assertThat(first).isEqualTo(new Order("ada", 12));
      assertThat(ofTheFirst)
          .extracting(KeyValue::value)
          .containsExactly(new Order("ada", 12), new Order("bob", 7));
      try (OutputStream output = Files.newOutputStream(file);
          StoreSnapshot snapshot = orders.snapshot()) {
        snapshot.writeTo(output);
      }
      // tag::store[]
    }
    // end::store[]

    MemoryStore<Instant, Order> orders = MemoryStore.of(Serdes.instants(), Serdes.of(Order.class));
    orders.put(Instant.EPOCH, new Order("nobody", 0));
    try (StoreSnapshot snapshot = StoreSnapshot.read(Files.newInputStream(file))) {
      orders.restore(snapshot);
    }
    assertThat(orders.range(null, null, 100))
        .extracting(KeyValue::value)
        .containsExactly(new Order("bob", 7), new Order("ada", 3));
    // tag::snapshot[]
    try (StoreSnapshot snapshot = orders.snapshot();
        OutputStream output = Files.newOutputStream(file)) {
      snapshot.writeTo(output);
    }

    try (MemoryStore<Instant, Order> copy =
            MemoryStore.of(Serdes.instants(), Serdes.of(Order.class));
        StoreSnapshot snapshot = StoreSnapshot.read(Files.newInputStream(file))) {
      copy.restore(snapshot);
      // end::snapshot[]
      assertThat(copy.range(null, null, 100)).isEqualTo(orders.range(null, null, 100));
      // tag::snapshot[]
    }
    // end::snapshot[]
  }
}
