package io.streamforge.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.testkit.chaos.Chaos;
import io.streamforge.testkit.chaos.ChaosFault;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job whose process is killed and whose checkpoints are on a server that fails. */
class S3ChaosTest {
  private static final int KILLS = 3;

  @Test
  void killedJobWhoseServerFailsShowsEachRecordOnce(@TempDir Path directory) throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Chaos.Outcome outcome =
        Chaos.run(
            directory,
            KILLS,
            1,
            Set.of(ChaosFault.S3),
            List.of("memory"),
            Duration.ofSeconds(1),
            new PrintStream(output));

    assertThat(outcome.lost() + outcome.duplicated()).as(output.toString()).isZero();
    assertThat(outcome.kills()).isEqualTo(KILLS);
    assertThat(outcome.survived()).as("503 for a while").isEqualTo(1);
    assertThat(outcome.refused()).as("500 at a start").isEqualTo(1);
  }
}
