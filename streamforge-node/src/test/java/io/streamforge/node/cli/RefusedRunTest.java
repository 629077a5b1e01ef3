package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.engine.Engine;
import io.streamforge.testkit.s3.S3TestServer;
import io.streamforge.testkit.s3.S3TestServer.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code run} with places that cannot be used: stderr says what is wrong, where, and what to do,
 * and there is no output.
 */
class RefusedRunTest {
  private static final String WORDS = Topologies.Words.class.getName();

  /** Some user's mistake. */
  private static final int WRONG_USAGE = 2;

  /** Something outside is not as it should be. */
  private static final int FAILED = 1;

  @TempDir Path directory;
  private final S3TestServer server = new S3TestServer();

  @AfterEach
  void stopServer() {
    server.close();
  }

  @BeforeEach
  void writeTheInput() throws IOException {
    Files.writeString(directory.resolve("input.txt"), "a\nb\na\n");
  }

  private Path output() {
    return directory.resolve("out");
  }

  private String place() {
    return directory.resolve("job").toString();
  }

  private String[] command(String... options) {
    List<String> command = new ArrayList<>(List.of("run"));
    command.addAll(List.of(options));
    command.addAll(
        List.of(WORDS, directory.resolve("input.txt").toString(), output().toString(), "0"));
    return command.toArray(new String[0]);
  }

  private void assertRefused(
      Map<String, String> environment, int code, String what, String remedy, String... options)
      throws Exception {
    Cli.Result result = Cli.run(environment, command(options));

    assertThat(result.code()).as(result.err()).isEqualTo(code);
    assertThat(result.err()).contains("error: ", what, remedy).doesNotContain("\tat ");
    assertThat(result.out()).isEmpty();
    assertThat(output())
        .satisfiesAnyOf(
            out -> assertThat(out).doesNotExist(),
            out -> assertThat(out).isDirectoryNotContaining("glob:**part-*"));
  }

  private void assertRefused(int code, String what, String remedy, String... options)
      throws Exception {
    assertRefused(Map.of(), code, what, remedy, options);
  }

  @Test
  void directoryAroundThePlaceIsMissing() throws Exception {
    assertRefused(
        FAILED,
        "STORAGE_UNAVAILABLE: there is no directory " + directory.resolve("volume"),
        "Check the path, and that the volume is mounted; or make that directory.",
        "--checkpoint-dir",
        directory.resolve("volume/job").toString());
  }

  @Test
  void placeIsAFile() throws Exception {
    Files.writeString(Path.of(place()), "");

    assertRefused(
        FAILED,
        "STORAGE_UNAVAILABLE: " + place() + " is a file, not a directory",
        "Name a directory that is for the checkpoints of this job alone.",
        "--checkpoint-dir",
        place());
  }

  /** Ends with a savepoint when the job has counted a word. */
  private void savepoint(String job, String node, Path savepoint) throws Exception {
    InMemoryChannel<String, Long> words = InMemoryChannel.of(10);
    Topology topology =
        Topology.builder(job)
            .source("lines", words)
            .typed(String.class, Long.class)
            .groupByKey("by-word")
            .count(node)
            .sink("files", Sinks.none())
            .build();
    words.send("a", 1L);
    try (Engine engine =
        Engine.start(
            topology,
            EngineConfig.builder()
                .parallelism(1)
                .checkpoints(CheckpointConfig.at(place()))
                .build())) {
      await().until(() -> engine.metrics().node(node).in() == 1);
      engine.stopWithSavepoint(savepoint.toString());
    }
  }

  @Test
  void placeIsThatOfAnotherJob() throws Exception {
    savepoint("orders", "count", directory.resolve("savepoint"));

    assertRefused(
        WRONG_USAGE,
        "CHECKPOINT_INCOMPATIBLE: the checkpoints in "
            + place()
            + " are of the job 'orders', not of 'words'",
        "Give each job a place of its own",
        "--checkpoint-dir",
        place());
  }

  @Test
  void placeIsHalfDeleted() throws Exception {
    savepoint("words", "count", directory.resolve("savepoint"));
    Files.delete(Path.of(place(), "format"));

    assertRefused(
        FAILED,
        "CHECKPOINT_DAMAGED: the checkpoints in "
            + place()
            + " are half deleted: the object 'format'",
        "Put the missing objects back from a copy; or, to begin without any state, delete all",
        "--checkpoint-dir",
        place());
  }

  @Test
  void savepointIsOfAnotherTopology() throws Exception {
    Path savepoint = directory.resolve("savepoint");
    savepoint("words", "tally", savepoint);

    assertRefused(
        WRONG_USAGE,
        " in " + savepoint + " has what the topology has no place for:\n    node 'tally': state ",
        "previously(node, oldName)",
        "--checkpoint-dir",
        directory.resolve("new").toString(),
        "--from",
        savepoint.toString());
  }

  @Test
  void backendIsNotKnown() throws Exception {
    assertRefused(
        WRONG_USAGE,
        "CONFIG_INVALID: there is no state backend 'lmdb' here, only memory, bolt, rocksdb",
        "Choose one of these",
        "--state-backend",
        "lmdb");
  }

  @Test
  void directoryForStateCannotBeMade() throws Exception {
    Path file = Files.writeString(directory.resolve("state"), "");

    assertRefused(
        FAILED,
        "STATE_UNAVAILABLE: the directory for state '"
            + file
            + "' cannot be used: FileAlreadyExists",
        "Free space there, check the rights, or set another directory for state",
        "--state-backend",
        "rocksdb",
        "--state-dir",
        file.toString());
  }

  private Map<String, String> s3(String key) {
    return Map.of(
        "STREAMFORGE_S3_ENDPOINT",
        server.endpoint().toString(),
        "AWS_ACCESS_KEY_ID",
        key,
        "AWS_SECRET_ACCESS_KEY",
        "secret");
  }

  @Test
  void bucketDoesNotExist() throws Exception {
    assertRefused(
        s3(S3TestServer.ACCESS_KEY),
        FAILED,
        "STORAGE_UNAVAILABLE: the objects in s3://missing/job cannot be listed: there is no bucket",
        "Make the bucket, or correct the location.",
        "--checkpoint-dir",
        "s3://missing/job");
  }

  @Test
  void accessKeyIsNotKnown() throws Exception {
    assertRefused(
        s3("another-key"),
        FAILED,
        "STORAGE_UNAVAILABLE: the objects in s3://bucket/job cannot be listed: ",
        "Provide an access key of this server, in AWS_ACCESS_KEY_ID",
        "--checkpoint-dir",
        "s3://bucket/job");
  }

  @Test
  void nothingMayBeDeleted() throws Exception {
    server.refuse(Operation.DELETE, 403, "AccessDenied");

    assertRefused(
        s3(S3TestServer.ACCESS_KEY),
        FAILED,
        "STORAGE_UNAVAILABLE: the objects in s3://bucket/job cannot be deleted: access is denied",
        "Grant the credentials the permission s3:DeleteObject on arn:aws:s3:::bucket/job/*.",
        "--checkpoint-dir",
        "s3://bucket/job");
  }
}
