package io.streamforge.testkit.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code make chaos}: runs {@link ChaosJob} in a process of its own, kills it with SIGKILL at
 * random instants and starts it again, until it may finish; then compares its output with what was
 * computed without the engine. The last line is {@code n kills, l lost, d duplicated}.
 *
 * <p>A kill counts when the process has published a checkpoint with records that it has read. Every
 * fourth process is killed earlier, while it starts, restores and recovers its sinks; those kills
 * come on top.
 */
public final class Chaos {
  private static final double RECORDS_PER_SECOND = 20_000;

  /** What a process may read before it is killed, on a slow machine. */
  private static final double SECONDS_A_KILL = 1.5;

  private static final int MOST_MILLIS_BEFORE_KILL = 400;
  private static final int MOST_MILLIS_OF_START = 800;
  private static final int MAX_PARALLELISM = 3;
  private static final int SHOWN_LINES = 5;

  /** A process that goes on for longer hangs; and a second a kill, for what the last one reads. */
  private static final int MOST_SECONDS = 120;

  private final Path directory;
  private final int kills;
  private final SplittableRandom random;
  private final PrintStream output;
  private int killsAtStart;

  /** How it went. */
  record Outcome(int kills, int killsAtStart, long lost, long duplicated) {}

  /** How the output differs from what it has to be. */
  record Difference(long lost, long duplicated) {}

  private Chaos(Path directory, int kills, long seed, PrintStream output) {
    this.directory = directory;
    this.kills = kills;
    this.random = new SplittableRandom(seed);
    this.output = output;
  }

  /** Reads the system properties {@code kills} and {@code seed}, by default another each time. */
  public static void main(String[] arguments) throws Exception {
    int kills = Integer.getInteger("kills", 10);
    long seed = Long.getLong("seed", System.nanoTime());
    Path directory =
        Files.createTempDirectory(
            Files.createDirectories(Path.of("target").toAbsolutePath()), "chaos-");
    System.out.println("in " + directory + ", seed " + seed);
    Outcome outcome = run(directory, kills, seed, System.out);
    System.out.println(outcome.killsAtStart + " more kills while the job was starting");
    System.out.println(
        outcome.kills + " kills, " + outcome.lost + " lost, " + outcome.duplicated + " duplicated");
    if (outcome.lost + outcome.duplicated > 0) {
      System.exit(1);
    }
    delete(directory);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /**
   * Kills the job so many times.
   *
   * @param directory an empty one
   * @throws IllegalStateException when the job fails, or finishes before it could be killed so
   *     often
   */
  static Outcome run(Path directory, int kills, long seed, PrintStream output)
      throws IOException, InterruptedException {
    return new Chaos(directory, kills, seed, output).run();
  }

  private Outcome run() throws IOException, InterruptedException {
    long records = (long) (RECORDS_PER_SECOND * SECONDS_A_KILL * (kills + 2));
    List<Path> input = ChaosInput.write(directory, records);
    for (int killed = 0; killed < kills; ) {
      if (random.nextInt(4) == 0) {
        killWhileStarting();
      } else {
        killWhileRunning(killed);
        killed++;
        if (killed % 10 == 0) {
          output.println(killed + " of " + kills + " kills");
        }
      }
    }
    finish();
    Difference difference = compare(directory, ChaosInput.expected(input), output);
    return new Outcome(kills, killsAtStart, difference.lost, difference.duplicated);
  }

  private Process start(double rate) throws IOException {
    String java = ProcessHandle.current().info().command().orElse("java");
    Process process =
        new ProcessBuilder(
                java,
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=ERROR",
                "-Dstreamforge.specialise=" + System.getProperty("streamforge.specialise", "true"),
                "-cp",
                System.getProperty("java.class.path"),
                ChaosJob.class.getName(),
                directory.toString(),
                Integer.toString(1 + random.nextInt(MAX_PARALLELISM)),
                Double.toString(rate))
            .redirectErrorStream(true)
            .start();
    // Ends what it says, which whoever listens reports; nothing happens to one that has ended.
    CompletableFuture.delayedExecutor(MOST_SECONDS + kills, TimeUnit.SECONDS)
        .execute(process::destroyForcibly);
    return process;
  }

  private void killWhileStarting() throws IOException, InterruptedException {
    Process process = start(RECORDS_PER_SECOND);
    if (process.waitFor(random.nextInt(MOST_MILLIS_OF_START), TimeUnit.MILLISECONDS)) {
      throw failed(process, new StringBuilder());
    }
    kill(process);
    killsAtStart++;
  }

  private void killWhileRunning(int killed) throws IOException, InterruptedException {
    Process process = start(RECORDS_PER_SECOND);
    StringBuilder said = new StringBuilder();
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    for (String line; !"progressed".equals(line = reader.readLine()); ) {
      if (line == null || line.equals("finished")) {
        said.append("after ").append(killed).append(" kills: ").append(line);
        throw failed(process, said);
      }
      said.append(line).append('\n');
    }
    if (process.waitFor(random.nextInt(MOST_MILLIS_BEFORE_KILL), TimeUnit.MILLISECONDS)) {
      throw failed(process, said);
    }
    kill(process);
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  private static IllegalStateException failed(Process process, StringBuilder said)
      throws IOException, InterruptedException {
    String rest = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new IllegalStateException(
        "the job has ended with " + process.waitFor() + " before it was killed:\n" + said + rest);
  }

  private void finish() throws IOException, InterruptedException {
    Process process = start(0);
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0 || !said.endsWith("finished\n")) {
      throw new IllegalStateException("the job has not finished:\n" + said);
    }
  }

  /**
   * Counts what is missing in the outputs below a directory, and what is there too often.
   *
   * @param expected for each output how often each of its lines has to be there
   * @param output gets some of the differences
   */
  static Difference compare(
      Path directory, Map<String, Map<String, Integer>> expected, PrintStream output)
      throws IOException {
    long lost = 0;
    long duplicated = 0;
    for (Map.Entry<String, Map<String, Integer>> sink : expected.entrySet()) {
      Map<String, Integer> balance = new HashMap<>(sink.getValue());
      for (String line : lines(directory.resolve(sink.getKey()))) {
        balance.merge(line, -1, Integer::sum);
      }
      int shown = 0;
      for (Map.Entry<String, Integer> line : balance.entrySet()) {
        int count = line.getValue();
        lost += Math.max(0, count);
        duplicated += Math.max(0, -count);
        if (count != 0 && shown++ < SHOWN_LINES) {
          output.println(
              sink.getKey()
                  + ": '"
                  + line.getKey()
                  + (count > 0 ? "' is missing " + count : "' is there too often by " + -count));
        }
      }
    }
    return new Difference(lost, duplicated);
  }

  /** What a reader sees: only files that have their names. */
  private static List<String> lines(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .flatMap(Chaos::linesOf)
          .toList();
    }
  }

  private static Stream<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
