package io.streamforge.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job in a process of its own, killed at random instants, shows each record once. */
class ChaosTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream differences = new ByteArrayOutputStream();

  private Chaos.Outcome run(int kills, Set<ChaosFault> faults) throws Exception {
    Chaos.Outcome outcome =
        Chaos.run(
            directory,
            kills,
            1,
            faults,
            List.of("memory"),
            Duration.ofSeconds(1),
            new PrintStream(differences));

    assertThat(outcome.lost() + outcome.duplicated()).as(differences.toString()).isZero();
    assertThat(outcome.kills()).isEqualTo(kills);
    return outcome;
  }

  @Test
  void killedJobShowsEachRecordOnce() throws Exception {
    run(10, Set.of());
  }

  @Test
  void jobOutlastsAFullAndAReadOnlyDiskAndRefusesToStartOnOne() throws Exception {
    String problem = Tmpfs.problem(directory);
    assumeTrue(problem == null, problem);

    Chaos.Outcome outcome = run(5, Set.of(ChaosFault.DISK_FULL, ChaosFault.READ_ONLY));

    assertThat(outcome.survived()).isEqualTo(2);
    assertThat(outcome.refused()).isEqualTo(3);
  }

  @Test
  void damagedCheckpointIsPassedOverOrStopsTheJob() throws Exception {
    Chaos.Outcome outcome = run(3, Set.of(ChaosFault.BIT_FLIPS));

    assertThat(outcome.passedOver() + outcome.stopped()).isEqualTo(2);
  }

  @Test
  void comparisonCountsWhatIsMissingAndWhatIsThereTooOften() throws Exception {
    List<Path> input = ChaosInput.write(directory, 4_000);
    Map<String, Map<String, Integer>> expected = ChaosInput.expected(input);
    Map<String, List<String>> right = new TreeMap<>();
    expected.forEach(
        (sink, lines) -> {
          List<String> all = right.computeIfAbsent(sink, s -> new ArrayList<>());
          lines.forEach((line, times) -> all.addAll(Collections.nCopies(times, line)));
        });
    PrintStream output = new PrintStream(differences);

    show(right);
    assertThat(ChaosOutput.compare(directory, expected, output))
        .isEqualTo(new ChaosOutput.Difference(0, 0));

    List<String> counts = right.get("counts");
    String lost = counts.remove(counts.size() - 1);
    right.get("kept").addAll(right.get("kept").subList(0, 2));
    right.get("windows").set(0, "k0@0=0");
    show(right);
    // What is hidden is not shown.
    Files.writeString(directory.resolve("counts/.part-0-1.txt.1.uncommitted"), lost + "\n");

    assertThat(ChaosOutput.compare(directory, expected, output))
        .isEqualTo(new ChaosOutput.Difference(2, 3));
    assertThat(differences.toString()).contains("counts: '" + lost + "' is missing 1");
  }

  private void show(Map<String, List<String>> outputs) throws IOException {
    for (Map.Entry<String, List<String>> sink : outputs.entrySet()) {
      Path part = directory.resolve(sink.getKey()).resolve("part-0-0.txt");
      Files.createDirectories(part.getParent());
      Files.write(part, sink.getValue());
    }
  }
}
