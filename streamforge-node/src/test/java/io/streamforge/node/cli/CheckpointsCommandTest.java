package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run} with checkpoints. */
class CheckpointsCommandTest {
  private static final String WORDS = Topologies.Words.class.getName();
  private static final int LINES = 1_000;

  @TempDir Path directory;

  private String[] command(String rate, String... options) throws IOException {
    Path input = directory.resolve("input.txt");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < LINES; i++) {
      lines.add("w" + i % 3);
    }
    Files.write(input, lines);
    List<String> command = new ArrayList<>(List.of("run", "--checkpoint-interval-millis", "20"));
    command.addAll(List.of(options));
    command.addAll(List.of(WORDS, input.toString(), output().toString(), rate));
    return command.toArray(new String[0]);
  }

  private Path output() {
    return directory.resolve("out");
  }

  private String state() {
    return directory.resolve("state").toString();
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

  @Test
  void stoppedRunGoesOnWhereItWas() throws Exception {
    Process first = Cli.start(command("200", "--checkpoint-dir", state()));
    await().until(() -> !shown().isEmpty());
    // Not of the process itself: that would close its streams as well.
    first.toHandle().destroy();
    Cli.Result stopped = Cli.await(first, Cli.read(first.getInputStream()));
    assertThat(stopped.code()).isEqualTo(143);
    assertThat(stopped.err()).contains("checkpoints in " + state() + ": began without state");
    assertThat(shown()).hasSizeLessThan(LINES);

    Cli.Result second = Cli.run(command("0", "--checkpoint-dir", state(), "--progress"));

    assertThat(second.code()).isZero();
    assertThat(second.err())
        .contains("checkpoints in " + state() + ": went on from checkpoint ", " 0 given up");
    assertThat(second.err().lines().limit(2))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .matches(
                        "job 'words' goes on from checkpoint \\d+ in .*, \\d+ B with 3 entries"),
            line ->
                assertThat(line)
                    .matches("checkpoint \\d+ of job 'words' has been restored: \\d+ B in .*"));
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(allCounts());

    Cli.Result third = Cli.run(command("0", "--json", "--checkpoint-dir", state()));
    assertThat(third.err()).as("no progress is to be shown").doesNotContain("goes on from");
    assertThat(third.out()).contains("\"checkpointLocation\":\"" + state() + "\"");
    assertThat(shown()).as("it had finished").hasSize(LINES);
  }

  @Test
  void saysWhyEventTimeStandsWhereItDoes() throws Exception {
    // Five seconds of input.
    Cli.Result run = Cli.run(command("200", "--checkpoint-dir", state(), "--why", "count"));
    assertThat(run.code()).isZero();
    assertThat(run.err())
        .contains("'count' is at no event time yet\n  task 1[0] (count, ")
        .contains("the latest record was at ")
        .contains(" of split ");
    assertThat(Cli.run(command("0", "--checkpoint-dir", state(), "--why", "cuont")).err())
        .startsWith("error: --why is 'cuont', expected one of ")
        .contains("count");
  }

  @Test
  void placeOfCheckpointsMayComeFromTheEnvironmentAndTheOptionWins() throws Exception {
    Path other = directory.resolve("other");
    Map<String, String> environment = Map.of("STREAMFORGE_CHECKPOINT_DIR", other.toString());

    assertThat(Cli.run(environment, command("0", "--checkpoint-dir", "file:" + state())).code())
        .isZero();
    assertThat(Path.of(state())).isDirectoryContaining(name -> name.endsWith("log"));
    assertThat(other).doesNotExist();

    assertThat(Cli.run(environment, command("0")).err()).contains("checkpoints in " + other);
    assertThat(other).isDirectoryContaining(name -> name.endsWith("log"));
  }

  @Test
  void checkpointsInBucketsAreKnown() throws Exception {
    Cli.Result result = Cli.run(command("0", "--checkpoint-dir", "s3://b"));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("'s3://b' is not a place in S3");
  }

  @Test
  void atLeastOnceWarnsOnceOfSinksThatAreExactOtherwise() throws Exception {
    Cli.Result result =
        Cli.run(command("0", "--checkpoint-dir", state(), "--checkpoint-mode", "at-least-once"));

    assertThat(result.code()).isZero();
    assertThat(result.err())
        .containsOnlyOnce(
            "are at least once: after a restart exactly-once sinks may show some output twice:");
    assertThat(shown()).as("without a restart").containsExactlyInAnyOrderElementsOf(allCounts());
  }

  @Test
  void checkpointsMayBeUnalignedAtOnceOrAfterAWhile() throws Exception {
    Cli.Result atOnce =
        Cli.run(command("2000", "--checkpoint-dir", state(), "--checkpoint-mode", "unaligned"));

    assertThat(atOnce.code()).as(atOnce.err()).isZero();
    assertThat(atOnce.err()).doesNotContain("at least once").contains(" 0 given up");
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(allCounts());

    Cli.Result after =
        Cli.run(
            command(
                "0",
                "--checkpoint-dir",
                state(),
                "--checkpoint-unaligned-after-millis",
                "90000000"));
    assertThat(after.code()).isEqualTo(2);
    assertThat(after.err()).contains("checkpoints.unalignedAfter is PT25H, expected PT0S to PT24H");
  }

  @Test
  void whatCheckpointsDoIsOneOfThree() throws Exception {
    Cli.Result unknown =
        Cli.run(command("0", "--checkpoint-dir", state(), "--checkpoint-mode", "fast"));
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("--checkpoint-mode is 'fast', expected aligned, unaligned or at-least-once");

    Cli.Result both =
        Cli.run(
            command(
                "0",
                "--checkpoint-dir",
                state(),
                "--checkpoint-mode",
                "aligned",
                "--checkpoint-unaligned-after-millis",
                "5"));
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err())
        .contains(
            "--checkpoint-unaligned-after-millis needs --checkpoint-mode unaligned, not aligned");
  }

  @Test
  void optionsOfCheckpointsNeedAPlaceForThem() throws Exception {
    Cli.Result result = Cli.run(command("0"));

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .contains(
            "need a place for checkpoints: add --checkpoint-dir LOCATION, or set"
                + " STREAMFORGE_CHECKPOINT_DIR");
  }

  @Test
  void savepointThatIsNotThereIsNamed() throws Exception {
    String nowhere = directory.resolve("nowhere").toString();
    Cli.Result result = Cli.run(command("0", "--checkpoint-dir", state(), "--from", nowhere));

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).startsWith("error: ").contains(nowhere);
  }

  @Test
  void stateIsWhereTheEnvironmentSaysUnlessAFlagDoes() throws Exception {
    Path local = directory.resolve("local");
    Map<String, String> environment =
        Map.of("STREAMFORGE_STATE_BACKEND", "rocksdb", "STREAMFORGE_STATE_DIR", local.toString());

    Cli.Result run = Cli.run(environment, command("0", "--checkpoint-dir", state()));

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(shown()).containsExactlyInAnyOrderElementsOf(allCounts());
    assertThat(local).isEmptyDirectory();
    Cli.Result other =
        Cli.run(environment, command("0", "--checkpoint-dir", state(), "--state-backend", "lmdb"));
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err())
        .contains("there is no state backend 'lmdb' here, only memory, bolt, rocksdb");
  }

  @Test
  void stateBackendThatIsHalfAChoiceIsRefused() throws Exception {
    Cli.Result run =
        Cli.run(command("0", "--checkpoint-dir", state(), "--state-backend", "counts="));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--state-backend is 'counts=', expected NAME or NODE=NAME");
  }
}
