package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.streamforge.testkit.s3.S3TestServer;
import io.streamforge.testkit.s3.S3TestServer.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run} with checkpoints in S3 and a state directory: what a second run reads from where. */
class LocalCopiesTest {
  private static final String WORDS = Topologies.Words.class.getName();
  private static final int LINES = 1_000;

  @TempDir Path directory;
  private final S3TestServer server = new S3TestServer();

  @AfterEach
  void stopServer() {
    server.close();
  }

  private Map<String, String> environment() {
    return Map.of(
        "STREAMFORGE_S3_ENDPOINT",
        server.endpoint().toString(),
        "AWS_ACCESS_KEY_ID",
        S3TestServer.ACCESS_KEY,
        "AWS_SECRET_ACCESS_KEY",
        "secret",
        "STREAMFORGE_STATE_DIR",
        stateDirectory().toString());
  }

  private Path stateDirectory() {
    return directory.resolve("state");
  }

  private String[] command(String rate, String... options) throws IOException {
    Path input = directory.resolve("input.txt");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add("w" + i % 3);
    }
    Files.write(input, lines);
    List<String> command =
        new ArrayList<>(
            List.of(
                "run",
                "--checkpoint-interval-millis",
                "20",
                "--checkpoint-dir",
                "s3://" + S3TestServer.BUCKET + "/job"));
    command.addAll(List.of(options));
    command.addAll(List.of(WORDS, input.toString(), output().toString(), rate));
    return command.toArray(new String[0]);
  }

  private Path output() {
    return directory.resolve("out");
  }

  private List<String> shown() throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.isDirectory(output())) {
      try (Stream<Path> files = Files.list(output())) {
        for (Path file :
            files.filter(f -> f.getFileName().toString().startsWith("part-")).toList()) {
          lines.addAll(Files.readAllLines(file));
        }
      }
    }
    return lines;
  }

  private static List<String> allCounts() {
    List<String> counts = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      counts.add("w" + i % 3 + "=" + (i / 3 + 1));
    }
    return counts;
  }

  /** Runs until there is output, and kills the process then. */
  private void runAndKill(String... options) throws Exception {
    Process first = Cli.start(environment(), command("200", options));
    await().until(() -> !shown().isEmpty());
    first.destroyForcibly().waitFor();
    assertThat(shown()).hasSizeLessThan(LINES);
    server.forgetCalls();
  }

  private List<Path> copies() throws IOException {
    try (Stream<Path> all = Files.walk(stateDirectory())) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private long readsOfData() {
    return server.calls(Operation.GET, "job/data/");
  }

  @Test
  void runBehindAKillReadsNoDataFromTheBucketThatItHasWrittenItself() throws Exception {
    runAndKill();
    assertThat(copies()).isNotEmpty();

    Cli.Result second = Cli.run(environment(), command("0", "--log-level", "info"));

    assertThat(second.code()).as(second.err()).isZero();
    assertThat(second.err())
        .contains("job 'words' goes on from checkpoint ")
        .containsPattern("local copies of s3://bucket/job in .*/copies/words-[0-9a-f]{16}: ");
    assertThat(readsOfData()).isZero();
    assertThat(server.calls(Operation.GET, "job/log/")).isPositive();
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void runReadsTheBucketWhereItsCopiesAreDamaged() throws Exception {
    runAndKill();
    for (Path copy : copies()) {
      byte[] content = Files.readAllBytes(copy);
      content[content.length / 2] ^= 1;
      Files.write(copy, content);
    }

    Cli.Result second = Cli.run(environment(), command("0"));

    assertThat(second.code()).as(second.err()).isZero();
    assertThat(second.err())
        .contains("is not used, and is removed: it is altered behind byte 0. The object is read")
        .doesNotContain("cannot be used");
    assertThat(readsOfData()).isPositive();
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void noCopiesAreMadeWhereTheyAreTurnedOff() throws Exception {
    runAndKill("--no-local-copies");
    assertThat(stateDirectory()).doesNotExist();

    Cli.Result second = Cli.run(environment(), command("0", "--no-local-copies"));

    assertThat(second.code()).as(second.err()).isZero();
    assertThat(readsOfData()).isPositive();
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void stateDirectoryThatCannotBeMadeCostsTheCopiesAndIsSaidOnce() throws Exception {
    Files.writeString(stateDirectory(), "a file in its place");

    Cli.Result run = Cli.run(environment(), command("0"));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err())
        .containsOnlyOnce("s3://bucket/job cannot be copied to " + stateDirectory())
        .contains("Checkpoints go on without; a restart reads more from there.");
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void copiesNeedAPlace() throws Exception {
    Cli.Result run = Cli.run(command("0", "--local-copies"));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "--local-copies needs a place for them: add --state-dir PATH, or set"
                + " STREAMFORGE_STATE_DIR");
  }
}
