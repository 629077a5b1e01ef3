package io.streamforge.testkit.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.testkit.sink.MarkedSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Places that a job cannot go on from: the start says what is wrong, where, and what to do, before
 * a record is read, and takes nothing away.
 */
class RefusedStartTest {
  @TempDir Path temporary;
  private final Letters letters = new Letters();
  private final MarkedSink<String, Long> sink = new MarkedSink<>();

  /** Ten records, and then no more for the time being. */
  private static final class Letters extends OneSplitSource<Integer> {
    final AtomicInteger read = new AtomicInteger();

    Letters() {
      super(Integer.class);
    }

    @Override
    @Nullable Record<String, Integer> at(long position) {
      if (position >= 10) {
        return null;
      }
      read.incrementAndGet();
      return Record.of("k" + position % 3, 1, position);
    }

    @Override
    boolean hasEnded(long position) {
      return false;
    }
  }

  private Topology counting(String job, String node) {
    return Topology.builder(job)
        .source("letters", letters)
        .groupByKey("keys")
        .count(node)
        .sink("out", sink)
        .build();
  }

  private static EngineConfig settings(CheckpointConfig checkpoints) {
    return EngineConfig.builder()
        .parallelism(2)
        .workers(2)
        .keyGroups(16)
        .checkpoints(checkpoints.every(Duration.ofMillis(10)).retain(1))
        .build();
  }

  private Path place() {
    return temporary.resolve("job");
  }

  private Path savepoint() {
    return temporary.resolve("savepoint");
  }

  /** Makes checkpoints in the place, and a savepoint. */
  @BeforeEach
  void runTheJobOnce() throws Exception {
    try (Engine engine =
        Engine.start(
            counting("letters", "count"), settings(CheckpointConfig.at(place().toString())))) {
      await().until(() -> sink.records().size() == 10);
      engine.stopWithSavepoint(savepoint().toString());
    }
    letters.read.set(0);
  }

  private List<Path> everything() throws IOException {
    try (Stream<Path> all = Files.walk(temporary)) {
      return all.filter(file -> !file.getParent().endsWith("tmp")).sorted().toList();
    }
  }

  private void assertRefused(
      Topology topology, CheckpointConfig checkpoints, ErrorCode code, String what, String remedy)
      throws IOException {
    List<Path> before = everything();
    assertThatThrownBy(() -> Engine.start(topology, settings(checkpoints)))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.summary()).contains(what);
              assertThat(e.remedy()).contains(remedy);
            });
    assertThat(letters.read.get()).as("records read").isZero();
    assertThat(sink.records()).hasSize(10);
    assertThat(everything()).filteredOn(Files::exists).containsAll(before);
  }

  private void assertRefused(ErrorCode code, String what, String remedy) throws IOException {
    assertRefused(
        counting("letters", "count"), CheckpointConfig.at(place().toString()), code, what, remedy);
  }

  @Test
  void directoryAroundThePlaceIsMissing() throws IOException {
    Path missing = temporary.resolve("volume/job");

    assertRefused(
        counting("letters", "count"),
        CheckpointConfig.at(missing.toString()),
        ErrorCode.STORAGE_UNAVAILABLE,
        "there is no directory " + missing.getParent() + " to make job in",
        "Check the path, and that the volume is mounted; or make that directory.");
  }

  @Test
  void placeCannotBeWritten() throws IOException {
    // Not even the superuser can.
    Path unwritable = Path.of("/proc/job");
    assumeThat(Path.of("/proc/self")).exists();

    assertRefused(
        counting("letters", "count"),
        CheckpointConfig.at(unwritable.toString()),
        ErrorCode.STORAGE_UNAVAILABLE,
        "the directory " + unwritable + " cannot be written: ",
        "Give the user that runs the job the right to write there");
  }

  @Test
  void placeIsThatOfAnotherJob() throws IOException {
    assertRefused(
        counting("orders", "count"),
        CheckpointConfig.at(place().toString()),
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        "the checkpoints in " + place() + " are of the job 'letters', not of 'orders'",
        "Give each job a place of its own");
  }

  /** The header: magic, version, kind, length of the name, name, checksum of name, 0 and these. */
  private static byte[] withVersion(byte[] object, int version, String name) {
    ByteBuffer changed = ByteBuffer.wrap(object.clone());
    changed.putShort(4, (short) version);
    int end = 4 + 2 + 1 + 2 + name.length();
    CRC32C checksum = new CRC32C();
    checksum.update(name.getBytes(UTF_8));
    checksum.update(new byte[Long.BYTES]);
    checksum.update(changed.array(), 0, end);
    changed.putInt(end, (int) checksum.getValue());
    return changed.array();
  }

  @Test
  void placeWasWrittenByANewerVersion() throws IOException {
    Path format = place().resolve("format");
    Files.write(format, withVersion(Files.readAllBytes(format), 2, "format"));

    assertRefused(
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        "the object 'format' in "
            + place()
            + " was written by a newer version of StreamForge (form 2, this one knows up to 1)",
        "Run the version that wrote it, or a later one.");
  }

  @Test
  void formatOfThePlaceIsDeleted() throws IOException {
    Files.delete(place().resolve("format"));

    assertRefused(
        ErrorCode.CHECKPOINT_DAMAGED,
        "the checkpoints in " + place() + " are half deleted: the object 'format' is missing",
        "Put the missing objects back from a copy; or, to begin without any state, delete all");
  }

  @Test
  void logOfThePlaceIsDeleted() throws IOException {
    try (Stream<Path> entries = Files.list(place().resolve("log"))) {
      for (Path entry : entries.toList()) {
        Files.delete(entry);
      }
    }

    assertRefused(
        ErrorCode.CHECKPOINT_DAMAGED,
        "the checkpoints in " + place() + " are half deleted: 'log' is empty, 'data' has ",
        "Put the missing objects back from a copy; or, to begin without any state, delete all");
  }

  @Test
  void dataOfThePlaceIsDeleted() throws IOException {
    try (Stream<Path> objects = Files.list(place().resolve("data"))) {
      for (Path object : objects.toList()) {
        Files.delete(object);
      }
    }

    assertRefused(
        ErrorCode.CHECKPOINT_DAMAGED,
        "no checkpoint in " + place() + " can be used:\n    entry ",
        "Put the named objects back from a copy, start from a savepoint, or name an empty place");
  }

  private CheckpointConfig fromSavepoint() {
    return CheckpointConfig.at(temporary.resolve("new").toString())
        .startingFrom(savepoint().toString());
  }

  @Test
  void savepointIsOfAnotherTopology() throws IOException {
    assertRefused(
        counting("letters", "tally"),
        fromSavepoint(),
        ErrorCode.STATE_INCOMPATIBLE,
        " in " + savepoint() + " has what the topology has no place for:\n    node 'count': state ",
        "previously(node, oldName) of the topology's builder");
  }

  @Test
  void savepointHasPositionsOfASourceThatIsGone() throws IOException {
    Topology topology =
        Topology.builder("letters")
            .source("words", letters)
            .groupByKey("keys")
            .count("count")
            .sink("out", sink)
            .build();

    assertRefused(
        topology,
        fromSavepoint(),
        ErrorCode.STATE_INCOMPATIBLE,
        "source 'letters': positions of 1 splits",
        "name the node in checkpoints.dropping");
  }

  @Test
  void savepointHasStateOfAnotherType() throws IOException {
    Topology topology =
        Topology.builder("letters")
            .source("letters", letters)
            .groupByKey("keys")
            .reduce("count", Integer::sum)
            .mapValues("long", value -> (long) value)
            .sink("out", sink)
            .build();

    assertRefused(
        topology,
        fromSavepoint(),
        ErrorCode.STATE_INCOMPATIBLE,
        "'count'",
        "Keep the aggregate or the kind of state");
  }

  @Test
  void savepointIsNotThere() throws IOException {
    Path nowhere = temporary.resolve("nowhere");

    assertRefused(
        counting("letters", "count"),
        CheckpointConfig.at(temporary.resolve("new").toString()).startingFrom(nowhere.toString()),
        ErrorCode.STORAGE_UNAVAILABLE,
        "there is no directory " + nowhere,
        "Check the path, and that the volume is mounted.");
  }
}
