package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateDirectoryTest {
  @TempDir private Path parent;

  private List<Path> all() throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files.toList();
    }
  }

  /** Makes a directory, says where, and waits to be killed. */
  static final class Victim {
    public static void main(String[] arguments) throws Exception {
      StateDirectory made = StateDirectory.make(Path.of(arguments[0]), "killed");
      Files.createDirectories(made.path().resolve("db"));
      Files.writeString(made.path().resolve("db/000001.sst"), "what was left");
      System.out.println(made.path());
      System.in.read();
    }
  }

  @Test
  void whatAKilledProcessHasLeftIsRemovedAndWhatIsUsedIsNot() throws Exception {
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                parent.toString())
            .start();
    Path left = Path.of(victim.inputReader().readLine());
    StateDirectory meanwhile = StateDirectory.make(parent, "job");
    assertThat(all()).containsExactlyInAnyOrder(left, meanwhile.path());
    victim.destroyForcibly();
    assertThat(victim.waitFor(30, TimeUnit.SECONDS)).isTrue();

    StateDirectory next = StateDirectory.make(parent, "job");

    assertThat(all()).containsExactlyInAnyOrder(meanwhile.path(), next.path());
    meanwhile.close();
    next.close();
    assertThat(all()).isEmpty();
  }

  @Test
  void nameOfTheJobCannotLeadElsewhere() {
    try (StateDirectory directory = StateDirectory.make(parent, "../../a job/ä")) {
      assertThat(directory.path().getParent()).isEqualTo(parent);
      assertThat(directory.path().getFileName().toString()).startsWith("state-.._.._a_job__-");
    }
  }
}
