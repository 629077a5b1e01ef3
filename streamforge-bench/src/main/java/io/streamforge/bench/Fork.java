package io.streamforge.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a class in a JVM of its own, with the class path of one engine and nothing else.
 *
 * @param target where the module was built
 */
record Fork(Path target) {
  /**
   * All engines alike. The heap is fixed, so that no engine is measured while it grows, and touched
   * before: a page that is new to the process costs more than the objects in it.
   */
  private static List<String> common(List<String> memory) {
    List<String> flags = new ArrayList<>(memory);
    flags.addAll(
        List.of("-XX:+AlwaysPreTouch", "-XX:+UseParallelGC", "-XX:-OmitStackTraceInFastThrow"));
    return flags;
  }

  /** What the class has printed; its errors go to this JVM's. */
  String run(BenchEngine engine, List<String> memory, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(common(memory));
    command.addAll(engine.flags());
    command.add("-cp");
    command.add(engine.classPath(target));
    command.add(main.getName());
    command.add(engine.jobClass());
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(
          "exit status %d of %s %s: %s"
              .formatted(status, engine.id(), String.join(" ", arguments), output));
    }
    return output;
  }
}
