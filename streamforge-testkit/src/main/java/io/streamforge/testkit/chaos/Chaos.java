package io.streamforge.testkit.chaos;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code make chaos}: runs {@link ChaosJob} in a process of its own, kills it with SIGKILL at
 * random instants and starts it again, until it may finish; then compares its output with what was
 * computed without the engine. The last line is {@code n kills, l lost, d duplicated}.
 *
 * <p>A kill counts when the process has published a checkpoint with records that it has read. Every
 * fourth process is killed earlier, while it starts, restores and recovers its sinks; those kills
 * come on top.
 *
 * <p>With {@linkplain ChaosFault faults} the storage misbehaves in between, each fault in turn: the
 * job has to go on when that is over, to refuse to start while it lasts and to say why, to go on
 * from the checkpoint before the damaged one, or to stop when that would show output twice.
 */
public final class Chaos {
  private static final int MOST_MILLIS_BEFORE_KILL = 400;
  private static final int MOST_MILLIS_OF_START = 800;
  private static final int MAX_PARALLELISM = 3;

  /** A process that goes on for longer hangs; and a second a kill, for what the last one reads. */
  private static final int MOST_SECONDS = 120;

  /** Longer than a request of S3 waits for its reply. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(35);

  private final Path directory;
  private final int kills;
  private final Set<ChaosFault> faults;
  private final List<String> backends;
  private final ChaosStorage storage;
  private final SplittableRandom random;
  private final PrintStream output;
  private final double recordsPerSecond;
  private @Nullable ChaosProcess process;
  private int killed;
  private int killedAtStart;
  private int survived;
  private int refused;
  private int passedOver;
  private int stopped;

  /**
   * How it went.
   *
   * @param kills of processes that had progressed
   * @param killsAtStart of others
   * @param survived outages after which the job went on
   * @param refused starts that failed because of an outage
   * @param passedOver starts that passed a damaged checkpoint over
   * @param stopped starts that failed because a sink showed output of the damaged checkpoint
   */
  public record Outcome(
      int kills,
      int killsAtStart,
      int survived,
      int refused,
      int passedOver,
      int stopped,
      long lost,
      long duplicated) {
    Outcome plus(Outcome other) {
      return new Outcome(
          kills + other.kills,
          killsAtStart + other.killsAtStart,
          survived + other.survived,
          refused + other.refused,
          passedOver + other.passedOver,
          stopped + other.stopped,
          lost + other.lost,
          duplicated + other.duplicated);
    }
  }

  /** What happens to one process, or two. */
  private interface Round {
    void run() throws IOException, InterruptedException;
  }

  private Chaos(
      Path directory,
      int kills,
      Set<ChaosFault> faults,
      List<String> backends,
      ChaosStorage storage,
      SplittableRandom random,
      PrintStream output) {
    this.directory = directory;
    this.kills = kills;
    this.faults = faults;
    this.backends = backends;
    this.storage = storage;
    this.random = random;
    this.output = output;
    // Outages take time, in which the job goes on reading.
    this.recordsPerSecond = faults.isEmpty() ? 20_000 : 5_000;
  }

  /**
   * Reads the system properties {@code kills}, {@code faults}, {@code backends} and {@code seed},
   * by default another each time.
   */
  public static void main(String[] arguments) throws Exception {
    int kills = Integer.getInteger("kills", 10);
    long seed = Long.getLong("seed", System.nanoTime());
    Set<ChaosFault> faults = faults(System.getProperty("faults", ""));
    List<String> backends = List.of(System.getProperty("backends", "memory").split(",", -1));
    Path directory =
        Files.createTempDirectory(
            Files.createDirectories(Path.of("target").toAbsolutePath()), "chaos-");
    System.out.println("in " + directory + ", seed " + seed);
    if (faults.stream().anyMatch(ChaosFault::needsMount)) {
      String problem = Tmpfs.problem(directory);
      if (problem != null) {
        throw usage("the faults disk-full and read-only need to mount a disk: " + problem);
      }
    }
    Outcome outcome = new Outcome(0, 0, 0, 0, 0, 0, 0, 0);
    List<Set<ChaosFault>> runs = runs(faults);
    for (int i = 0; i < runs.size(); i++) {
      Path place = Files.createDirectory(directory.resolve("run-" + i));
      int share = kills * (i + 1) / runs.size() - kills * i / runs.size();
      outcome =
          outcome.plus(run(place, share, seed, runs.get(i), backends, LONGEST_DELAY, System.out));
    }
    System.out.println(outcome.killsAtStart + " more kills while the job was starting");
    if (!faults.isEmpty()) {
      System.out.printf(
          "%d outages survived, %d starts refused in one; %d damaged checkpoints passed over,"
              + " %d starts refused because of one%n",
          outcome.survived, outcome.refused, outcome.passedOver, outcome.stopped);
    }
    System.out.println(
        outcome.kills + " kills, " + outcome.lost + " lost, " + outcome.duplicated + " duplicated");
    if (outcome.lost + outcome.duplicated > 0) {
      System.exit(1);
    }
    delete(directory);
  }

  private static Set<ChaosFault> faults(String list) {
    try {
      return ChaosFault.parse(list);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private static IllegalStateException usage(@Nullable String problem) {
    System.err.println(problem);
    System.exit(2);
    return new IllegalStateException(problem);
  }

  /** Checkpoints are in one storage at a time: those of directories, and S3. */
  private static List<Set<ChaosFault>> runs(Set<ChaosFault> faults) {
    if (faults.size() < 2 || !faults.contains(ChaosFault.S3)) {
      return List.of(faults);
    }
    Set<ChaosFault> ofDirectories = EnumSet.copyOf(faults);
    ofDirectories.remove(ChaosFault.S3);
    return List.of(ofDirectories, EnumSet.of(ChaosFault.S3));
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
   * @param backends of which each start draws one
   * @param longestDelay of a reply of S3
   * @throws IllegalStateException when the job does not do what it has to, or finishes before it
   *     could be killed so often
   */
  public static Outcome run(
      Path directory,
      int kills,
      long seed,
      Set<ChaosFault> faults,
      List<String> backends,
      Duration longestDelay,
      PrintStream output)
      throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    try (ChaosStorage storage = new ChaosStorage(directory, faults, longestDelay, random)) {
      Chaos chaos = new Chaos(directory, kills, faults, backends, storage, random, output);
      try {
        return chaos.run();
      } finally {
        if (chaos.process != null) {
          chaos.process.kill();
        }
      }
    }
  }

  private Outcome run() throws IOException, InterruptedException {
    // What a process may read before it is killed, on a slow machine.
    double secondsOfKill = faults.isEmpty() ? 1.5 : 6;
    long records = (long) (recordsPerSecond * secondsOfKill * (kills + 2));
    List<Path> input = ChaosInput.write(directory, records);
    List<Round> rounds = rounds();
    for (int round = 0; killed < kills; ) {
      if (random.nextInt(4) == 0) {
        start(recordsPerSecond).killAfter(random.nextInt(MOST_MILLIS_OF_START));
        killedAtStart++;
        continue;
      }
      storage.makeRoom();
      int before = killed;
      rounds.get(round++ % rounds.size()).run();
      if (killed > before && killed % 10 == 0) {
        output.println(killed + " of " + kills + " kills");
      }
    }
    start(0).await("finished");
    ChaosOutput.Difference difference =
        ChaosOutput.compare(directory, ChaosInput.expected(input), output);
    return new Outcome(
        killed,
        killedAtStart,
        survived,
        refused,
        passedOver,
        stopped,
        difference.lost(),
        difference.duplicated());
  }

  private List<Round> rounds() {
    List<Round> rounds = new ArrayList<>();
    rounds.add(this::kill);
    for (Outage outage : storage.survived()) {
      rounds.add(() -> outlast(outage));
    }
    for (Outage outage : storage.fatal()) {
      rounds.add(() -> succumb(outage));
    }
    if (faults.contains(ChaosFault.BIT_FLIPS)) {
      rounds.add(() -> damage(false));
      rounds.add(() -> damage(true));
    }
    return rounds;
  }

  /**
   * Starts the job.
   *
   * @param rate records a second; 0 without a bound
   */
  private ChaosProcess start(double rate) throws IOException {
    ChaosProcess started =
        new ChaosProcess(
            storage.environment(),
            Duration.ofSeconds(MOST_SECONDS + kills),
            directory.toString(),
            storage.location(),
            Integer.toString(1 + random.nextInt(MAX_PARALLELISM)),
            Double.toString(rate),
            backends.get(random.nextInt(backends.size())));
    process = started;
    return started;
  }

  private ChaosProcess startAndProgress() throws IOException, InterruptedException {
    ChaosProcess started = start(recordsPerSecond);
    started.await("progressed");
    return started;
  }

  private void killSoon(ChaosProcess running) throws IOException, InterruptedException {
    running.killAfter(random.nextInt(MOST_MILLIS_BEFORE_KILL));
    killed++;
  }

  private void kill() throws IOException, InterruptedException {
    killSoon(startAndProgress());
  }

  /** A job takes no checkpoints in an outage, and takes them again behind it. */
  private void outlast(Outage outage) throws IOException, InterruptedException {
    ChaosProcess running = startAndProgress();
    outage.begin();
    running.await("stalled");
    outage.end();
    running.await("recovered");
    survived++;
    killSoon(running);
  }

  /** A job is killed in an outage, or fails, and cannot be started before it has ended. */
  private void succumb(Outage outage) throws IOException, InterruptedException {
    ChaosProcess running = startAndProgress();
    outage.begin();
    if (running.read("stalled") != null) {
      running.kill();
      killed++;
    } else {
      running.awaitFailure(outage.reason());
    }
    start(recordsPerSecond).awaitFailure(outage.reason());
    refused++;
    outage.end();
  }

  /**
   * A job finds its newest checkpoint damaged.
   *
   * @param published whether it was killed as soon as that was published, since then it may be that
   *     no sink had committed it
   */
  private void damage(boolean published) throws IOException, InterruptedException {
    Path checkpoints = directory.resolve(ChaosStorage.CHECKPOINTS);
    ChaosProcess running = startAndProgress();
    if (published) {
      Path log = checkpoints.resolve("log");
      String newest = newest(log);
      while (running.isAlive() && newest(log).equals(newest)) {
        Thread.onSpinWait();
      }
      running.killAfter(0);
      killed++;
    } else {
      killSoon(running);
    }
    Damage damage = Damage.toNewest(checkpoints, random);
    ChaosProcess next = start(recordsPerSecond);
    String started = next.read("started from ");
    if (started == null) {
      next.awaitFailure(damage.refusal());
      damage.undo();
      stopped++;
    } else if (started.equals("started from " + damage.before())) {
      // It stays as it is, and must not be in the way.
      next.kill();
      passedOver++;
    } else {
      throw new IllegalStateException(
          damage.file()
              + " of checkpoint "
              + damage.number()
              + " is damaged, and the job "
              + started);
    }
  }

  private static String newest(Path log) throws IOException {
    try (Stream<Path> entries = Files.list(log)) {
      return entries.map(Path::toString).max(Comparator.naturalOrder()).orElse("");
    }
  }
}
