package io.streamforge.node.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The command as a process of its own, with the class path of the test. */
final class Cli {
  private static final long TIMEOUT_SECONDS = 120;

  private Cli() {}

  /** How a process has ended. */
  record Result(int code, String out, String err) {}

  static Process start(String... arguments) throws IOException {
    return start(Map.of(), arguments);
  }

  static Process start(Map<String, String> environment, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    // Coverage is measured in child processes too.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-javaagent:"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(StreamForgeCommand.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder.start();
  }

  static Result run(String... arguments) throws Exception {
    return run(Map.of(), arguments);
  }

  /** With more in the environment. */
  static Result run(Map<String, String> environment, String... arguments) throws Exception {
    Process process = start(environment, arguments);
    process.getOutputStream().close();
    return await(process, read(process.getInputStream()));
  }

  static Result await(Process process, CompletableFuture<String> out) throws Exception {
    CompletableFuture<String> err = read(process.getErrorStream());
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the command has not ended; stderr: " + err.join());
    }
    return new Result(process.exitValue(), out.join(), err.join());
  }

  static CompletableFuture<String> read(InputStream stream) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> {
          Thread thread = new Thread(task, "output of the command");
          thread.setDaemon(true);
          thread.start();
        });
  }
}
