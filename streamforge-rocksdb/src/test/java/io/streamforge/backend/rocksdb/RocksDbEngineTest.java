package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.StateConfig;
import io.streamforge.connector.Sources;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of which the settings say that their state is in RocksDB. */
class RocksDbEngineTest {
  private static final int KEYS = 500;
  private static final long ENDLESS = Long.MAX_VALUE;

  @TempDir private Path directory;

  private Path local() {
    return directory.resolve("local");
  }

  private Path output() {
    return directory.resolve("out");
  }

  private StateConfig state(String backend) {
    // Hardly any room on the heap, so that entries go to the database.
    return StateConfig.of(backend).inDirectory(local()).withNativeMemory(16 << 20).withHeap(1);
  }

  private static EngineConfig config(StateConfig state) {
    return EngineConfig.builder().parallelism(2).keyGroups(16).state(state).build();
  }

  private Topology counting(long records) {
    return Topology.builder("counting")
        .source(
            "numbers",
            Sources.generator((i, random) -> (int) (i % KEYS))
                .splits(2)
                .count(records)
                .ratePerSecond(records == ENDLESS ? 2_000 : 1e12))
        .groupBy("by-number", (key, number) -> number)
        .count("counts")
        .sink("out", FileSink.lines(output()))
        .build();
  }

  private static List<String> counts(int rounds) {
    List<String> all = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      for (int count = 1; count <= rounds; count++) {
        all.add(key + "=" + count);
      }
    }
    return all;
  }

  private List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : files(output())) {
      if (file.getFileName().toString().startsWith("part-")) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "bolt"})
  void jobCountsInRocksDbAndLeavesNothingBehind(String name) throws Exception {
    try (Engine engine = Engine.start(counting(3 * KEYS), config(state(name)))) {
      assertThat(files(local())).hasSize(1);
      engine.awaitCompletion();
    }

    assertThat(lines()).containsExactlyInAnyOrderElementsOf(counts(3));
    assertThat(files(local())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"memory, rocksdb", "rocksdb, memory", "rocksdb, rocksdb"})
  void savepointGoesOnInAnotherBackendAtAnotherParallelism(String before, String after)
      throws Exception {
    CheckpointConfig checkpoints =
        CheckpointConfig.at(directory.resolve("first").toString()).every(Duration.ofMillis(20));
    String savepoint = directory.resolve("savepoint").toString();
    EngineConfig first = config(state(before)).toBuilder().checkpoints(checkpoints).build();
    try (Engine engine = Engine.start(counting(ENDLESS), first)) {
      engine.stopWithSavepoint(savepoint);
    }
    CheckpointConfig then =
        CheckpointConfig.at(directory.resolve("second").toString()).startingFrom(savepoint);
    EngineConfig second = config(state(after)).toBuilder().parallelism(3).checkpoints(then).build();
    try (Engine engine = Engine.start(counting(20 * KEYS), second)) {
      engine.awaitCompletion();
    }

    assertThat(lines()).containsExactlyInAnyOrderElementsOf(counts(20));
  }

  @Test
  void singleNodeHasABackendOfItsOwn() throws Exception {
    StateConfig one = state(StateConfig.MEMORY).withNode("counts", "rocksdb");
    try (Engine engine = Engine.start(counting(2 * KEYS), config(one))) {
      assertThat(files(local())).hasSize(1);
      engine.awaitCompletion();
    }

    assertThat(lines()).containsExactlyInAnyOrderElementsOf(counts(2));
  }

  @Test
  void unknownBackendIsNamedWithThoseThatThereAre() {
    assertThatThrownBy(() -> Engine.start(counting(1), config(state("lmdb"))))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .hasMessageContaining("there is no state backend 'lmdb' here, only memory, bolt, rocksdb");
  }

  @Test
  void backendOfANodeThatDoesNotExistIsRefused() {
    StateConfig wrong = state(StateConfig.MEMORY).withNode("count", "rocksdb");

    assertThatThrownBy(() -> Engine.start(counting(1), config(wrong)))
        .hasMessageContaining(
            "the settings choose a state backend for nodes that the topology does not have: count");
  }

  @Test
  void directoryThatCannotBeMadeIsNamedBeforeAnythingIsRead() throws IOException {
    Files.writeString(local(), "a file");

    assertThatThrownBy(() -> Engine.start(counting(1), config(state("rocksdb"))))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_UNAVAILABLE))
        .hasMessageContaining("the directory for state '" + local() + "' cannot be used");
    assertThat(output()).doesNotExist();
  }

  @Test
  void memoryThatTheMachineDoesNotHaveIsRefused() {
    StateConfig huge = state("rocksdb").withNativeMemory(1L << 40);

    assertThatThrownBy(() -> Engine.start(counting(1), config(huge)))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFIG_INVALID))
        .hasMessageContaining("state.nativeMemoryBytes is 1048576 MiB and the heap may grow to ")
        .hasMessageContaining(" of this machine or container")
        .hasMessageContaining("Lower state.nativeMemoryBytes or the heap (-Xmx)");
  }

  @Test
  void memoryOutOfRangeIsListedWithOtherProblems() {
    assertThatThrownBy(
            () ->
                EngineConfig.builder()
                    .parallelism(0)
                    .state(state("rocksdb").withNativeMemory(1).withHeap(-1))
                    .build()
                    .validate())
        .hasMessageContaining("parallelism is 0")
        .hasMessageContaining("state.nativeMemoryBytes is 1, expected 8388608 (8 MiB) to ")
        .hasMessageContaining("state.heapBytes is -1, expected 0 to 1099511627776 (1 TiB)");
  }
}
