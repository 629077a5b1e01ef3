package io.streamforge.bench.measure;

import io.streamforge.bench.workload.Scratch;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How long a job is down when its process is killed with SIGKILL and started again at once: until
 * the first record beyond the position of the checkpoint is with the sink. What the JVM itself
 * takes from the start of its process to the first line of {@code main} is not counted, and told
 * apart.
 */
final class Recovery {
  private static final int KILLS = 3;

  private Recovery() {}

  static void measure(Measurement measurement) throws Exception {
    double[] down = new double[KILLS];
    double[] jvm = new double[KILLS];
    double[] bytes = new double[KILLS];
    try (Scratch scratch = Scratch.create()) {
      Child child = Child.start(measurement, scratch.directory());
      try {
        double loading = child.read("first")[0];
        double loaded = child.read("loaded")[0];
        child.read("saved");
        for (int i = 0; i < KILLS; i++) {
          Thread.sleep(Math.round(measurement.seconds * 1e3));
          double killed = System.currentTimeMillis();
          child.kill();
          double started = System.currentTimeMillis();
          child = Child.start(measurement, scratch.directory());
          jvm[i] = child.read("main")[0] - started;
          double[] first = child.read("first");
          down[i] = first[0] - killed - jvm[i];
          bytes[i] = first[1];
          if (first[2] < measurement.workload.input().userCount()) {
            throw new IllegalStateException(
                "the checkpoint is behind %.0f records and does not have all keys"
                    .formatted(first[2]));
          }
        }
        Measurement.print(
            "recordsPerSecond",
            measurement.workload.input().userCount() / ((loaded - loading) / 1e3));
      } finally {
        child.kill();
      }
    }
    Measurement.print("downSeconds", median(down) / 1e3);
    Measurement.print("jvmSeconds", median(jvm) / 1e3);
    Measurement.print("megabytes", median(bytes) / 1e6);
    measurement.printChecksum();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** The process that is killed, or that goes on. */
  private record Child(Process process, BufferedReader output) {
    static Child start(Measurement measurement, Path directory) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(ProcessHandle.current().info().command().orElse("java"));
      command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.add(Recovering.class.getName());
      command.add(measurement.job.getClass().getName());
      command.add(measurement.workload.id());
      command.add(Integer.toString(measurement.parallelism));
      command.add(directory.toString());
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new Child(process, process.inputReader());
    }

    /** The numbers of the line with this name; lines before it are passed over. */
    double[] read(String name) throws IOException {
      for (String line; (line = output.readLine()) != null; ) {
        String[] parts = line.split(" ", -1);
        if (parts[0].equals(name)) {
          return Arrays.stream(parts).skip(1).mapToDouble(Double::parseDouble).toArray();
        }
      }
      throw new IOException("the process has ended before it has said '" + name + "'");
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }
}
