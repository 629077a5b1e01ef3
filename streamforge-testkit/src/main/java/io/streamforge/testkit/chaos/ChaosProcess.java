package io.streamforge.testkit.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process that runs {@link ChaosJob}, and what it says. */
final class ChaosProcess {
  private final Process process;
  private final BufferedReader output;
  private final StringBuilder said = new StringBuilder();

  /**
   * Starts it.
   *
   * @param environment is added to that of this process
   * @param most it is killed when it runs for longer, which ends what it says
   * @param arguments those of the job
   */
  ChaosProcess(Map<String, String> environment, Duration most, String... arguments)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=ERROR",
                "-Dstreamforge.specialise=" + System.getProperty("streamforge.specialise", "true"),
                "-cp",
                System.getProperty("java.class.path"),
                ChaosJob.class.getName())
            .redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    builder.environment().putAll(environment);
    process = builder.start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    CompletableFuture.delayedExecutor(most.toMillis(), TimeUnit.MILLISECONDS)
        .execute(process::destroyForcibly);
  }

  /** Reads until a line begins with this; null when the process ends before. */
  @Nullable String read(String beginning) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith(beginning)) {
        return line;
      }
    }
    return null;
  }

  /**
   * Reads until a line begins with this, and returns it.
   *
   * @throws IllegalStateException when the process ends before
   */
  String await(String beginning) throws IOException, InterruptedException {
    String line = read(beginning);
    if (line == null) {
      throw failed("the job has not said '" + beginning + "'");
    }
    return line;
  }

  /**
   * Waits until it has failed by itself.
   *
   * @throws IllegalStateException when it has not, or says nothing of the reason
   */
  void awaitFailure(String reason) throws IOException, InterruptedException {
    read("\0");
    // A process that had to be killed has not failed by itself.
    if (process.waitFor() != 1 || said.indexOf(reason) < 0) {
      throw failed("the job has not failed with '" + reason + "'");
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Kills it after a while. It must not have ended by itself. */
  void killAfter(int millis) throws IOException, InterruptedException {
    if (process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      throw failed("the job has ended before it was killed");
    }
    kill();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  private IllegalStateException failed(String what) throws IOException, InterruptedException {
    read("\0");
    return new IllegalStateException(what + "; it ended with " + process.waitFor() + ":\n" + said);
  }
}
