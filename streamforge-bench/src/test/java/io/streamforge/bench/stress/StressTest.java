package io.streamforge.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the stress tests briefly; for longer ones run {@code org.openjdk.jcstress.Main}. */
class StressTest {
  @Test
  void nothingForbiddenIsObserved(@TempDir Path directory) throws Exception {
    Path log = directory.resolve("jcstress.log");
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "org.openjdk.jcstress.Main",
                    "-t",
                    "io.streamforge.bench.stress",
                    "-m",
                    "sanity",
                    "-jvmArgs",
                    "-Xmx256m",
                    "-sc",
                    "false",
                    "-af",
                    "NONE",
                    "-time",
                    "500",
                    "-iters",
                    "2",
                    "-r",
                    directory.toString() + File.separator))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended = process.waitFor(4, TimeUnit.MINUTES);
    process.destroyForcibly();

    String output = Files.readString(log);
    assertThat(ended).as("ended in time: %s", output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output).contains("All remaining tests: 7 matching").doesNotContain("FAILED");
  }
}
