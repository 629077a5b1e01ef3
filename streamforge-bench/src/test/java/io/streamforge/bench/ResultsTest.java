package io.streamforge.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static Row row(String workload, String engine, double speed) {
    return new Row(
        workload, engine, 2, "ab12", List.of(speed), Map.of("cpuMicrosPerRecord", 0.0312));
  }

  @Test
  void rowsAreKeptAsTheyAre(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("bench.json");
    Row row = new Row("W1", "jet", 1, "ab12", List.of(3e9, 1e9, 2e9), Map.of("bytesPerKey", 24.5));

    new Results(List.of(row)).write(file);

    assertThat(Files.readString(file))
        .isEqualTo(
            """
            [
              {"workload":"W1","engine":"jet","parallelism":1,"recordsPerSecond":2000000000,\
            "checksum":"ab12","runs":[3000000000,1000000000,2000000000],"bytesPerKey":24.5}
            ]
            """);
    assertThat(Results.read(file).rows()).containsExactly(row);
  }

  @Test
  void onlyTheWorkloadsThatWereMeasuredAreReplaced() {
    Results before =
        new Results(List.of(row("W1", "hand", 1), row("W2", "hand", 2), row("W2-1M", "hand", 3)));

    Results after = new Results(List.of(row("W2", "flink", 4))).replacing(Set.of("W2"), before);

    assertThat(after.rows())
        .containsExactly(row("W1", "hand", 1), row("W2", "flink", 4), row("W2-1M", "hand", 3));
  }

  @Test
  void targetIsJudgedByTheBetterPeerAndTheLoop() {
    Results results =
        new Results(
            List.of(
                row("W1", "streamforge", 30),
                row("W1", "flink", 10),
                row("W1", "jet", 5),
                row("W1", "hand", 60)));

    assertThat(Targets.judge(results))
        .containsExactly(
            new Verdict("W1", "speed : better peer", "≥ 2.50 ×", "3.00 ×", true),
            new Verdict("W1", "speed : hand", "≥ 0.75 ×", "0.50 ×", false));
  }
}
