package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.testkit.chaos.Chaos;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job whose process is killed and whose state is now in one backend and now in the other. */
class RocksDbChaosTest {
  private static final int KILLS = 6;

  @Test
  void killedJobShowsEachRecordOnce(@TempDir Path directory) throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    Chaos.Outcome outcome =
        Chaos.run(
            directory,
            KILLS,
            1,
            Set.of(),
            List.of("rocksdb", "memory", "rocksdb"),
            Duration.ofSeconds(1),
            new PrintStream(output));

    assertThat(outcome.lost() + outcome.duplicated()).as(output.toString()).isZero();
    assertThat(outcome.kills()).isEqualTo(KILLS);
  }
}
