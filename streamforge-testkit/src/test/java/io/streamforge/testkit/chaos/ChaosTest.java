package io.streamforge.testkit.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job in a process of its own, killed at random instants, shows each record once. */
class ChaosTest {
  private static final int KILLS = 10;

  @TempDir Path directory;

  @Test
  void killedJobShowsEachRecordOnce() throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Chaos.Outcome outcome = Chaos.run(directory, KILLS, 1, new PrintStream(output));

    assertThat(outcome.lost() + outcome.duplicated()).as(output.toString()).isZero();
    assertThat(outcome.kills()).isEqualTo(KILLS);
  }
}
