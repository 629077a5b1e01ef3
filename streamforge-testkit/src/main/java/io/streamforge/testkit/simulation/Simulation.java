package io.streamforge.testkit.simulation;

import io.streamforge.Topology;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.plan.Planner;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.serde.Inferred;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.sink.FencedWriterException;
import io.streamforge.testkit.sink.MarkedSink;
import io.streamforge.testkit.storage.SimulatedCrash;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.testkit.storage.StorageFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job as if on a machine that dies and a storage that fails: the engine's own code, on one
 * thread, in an order of steps, with settings, crashes, faults, other processes and changes of
 * parallelism that are all drawn from a seed; checkpoints overtake records in half of the jobs, and
 * nodes have other names from one start to the next in a quarter of them. When the job has finished
 * at last, its sinks must show what they are expected to, each record once.
 *
 * <pre>{@code
 * Simulation simulation =
 *     Simulation.of(topology)
 *         .input("orders", List.of(partition1, partition2))
 *         .expect("totals", OutputCheck.exactly(totals));
 * for (long seed = 0; seed < 1_000; seed++) {
 *   assertThat(simulation.run(seed).violations()).isEmpty();
 * }
 * }</pre>
 *
 * <p>Sources and sinks are replaced: each source by lists of records that can be read from any
 * position, each sink by a {@link MarkedSink}. What is checked must not depend on the order in
 * which records of different partitions are processed. The same seed gives the same run.
 */
public final class Simulation {
  private static final int MAX_CRASHES = 5;
  private static final int MAX_LIVES = 40;

  /** Entries of the log behind which a process dies at the latest that dies by its progress. */
  private static final int MAX_ENTRIES = 4;

  private static final long MAX_STEPS = 3_000_000;
  private static final int KEY_GROUPS = 16;
  private static final int MAX_PARALLELISM = 4;

  /** Longer than a checkpoint may take in a process that is to die, so that it is given up. */
  private static final Duration STALL = Duration.ofMillis(250);

  /** One in so many movements of the clock is a stall where there are any. */
  private static final int STALLS = 10;

  /** How a job may end when its storage fails, or when another process runs it too. */
  private static final Set<ErrorCode> EXPECTED_FAILURES =
      Set.of(ErrorCode.STORAGE_UNAVAILABLE, ErrorCode.CHECKPOINT_FENCED);

  private final Topology topology;
  private final Map<String, List<List<Record<Object, Object>>>> inputs = new TreeMap<>();
  private final Map<String, OutputCheck> checks = new TreeMap<>();
  private Supplier<KeyedStateBackend> backends = MemoryBackend::new;
  private boolean atLeastOnce;

  /**
   * What came of a run.
   *
   * @param violations what is wrong, a line each
   * @param trace a fingerprint of all steps; the same for the same seed
   * @param lives how often the job was started
   * @param restored how often it went on from a checkpoint
   */
  public record Outcome(List<String> violations, long trace, int lives, int restored) {
    /** A copy. */
    public Outcome {
      violations = List.copyOf(violations);
    }
  }

  private Simulation(Topology topology) {
    this.topology = topology;
  }

  /** Of a topology. */
  public static Simulation of(Topology topology) {
    return new Simulation(topology);
  }

  /** Of a drawn one. */
  public static Simulation of(RandomTopology drawn) {
    Simulation simulation = of(drawn.topology());
    drawn.inputs().forEach(simulation::input);
    drawn.checks().forEach(simulation::expect);
    return simulation;
  }

  /** Of a drawn one whose checkpoints do not hold inputs; some records may count twice. */
  static Simulation atLeastOnce(RandomTopology drawn) {
    Simulation simulation = of(drawn);
    simulation.atLeastOnce = true;
    drawn.leastChecks().forEach(simulation::expect);
    return simulation;
  }

  /** The records of a source, a list a partition; of every source. */
  @SuppressWarnings("unchecked")
  public <K, V> Simulation input(String source, List<List<Record<K, V>>> partitions) {
    List<List<Record<Object, Object>>> copy = new ArrayList<>();
    partitions.forEach(
        partition ->
            copy.add(List.copyOf((Collection<Record<Object, Object>>) (Object) partition)));
    inputs.put(source, copy);
    return this;
  }

  /** What a sink has to show in the end. */
  public Simulation expect(String sink, OutputCheck check) {
    checks.put(sink, check);
    return this;
  }

  /** Keyed state is in such backends, one for each time that the job is started. */
  public Simulation backend(Supplier<KeyedStateBackend> newBackends) {
    backends = newBackends;
    return this;
  }

  /** One run. */
  public Outcome run(long seed) {
    return new Run(seed, null).run();
  }

  /** One run with a mistake in it. */
  public Outcome run(long seed, PlantedBug bug) {
    return new Run(seed, bug).run();
  }

  /** A process that runs the job. */
  private static final class Life {
    final SteppedScheduler scheduler;
    final SimulatedStorage.Connection connection;
    final JobRuntime job;

    Life(SteppedScheduler scheduler, SimulatedStorage.Connection connection, JobRuntime job) {
      this.scheduler = scheduler;
      this.connection = connection;
      this.job = job;
    }
  }

  private final class Run {
    private final @Nullable PlantedBug bug;
    private final SplittableRandom random;
    private final VirtualClock clock = new VirtualClock(0);
    private final SimulatedStorage storage;
    private final Map<String, MarkedSink<Object, Object>> sinks = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<Life> sleepers = new ArrayList<>();
    private final int crashes;

    /** Whether checkpoints may overtake records. */
    private final boolean unaligned;

    /** Draws the versions, apart from all else, so that these change nothing but names. */
    private final SplittableRandom versions;

    private final boolean renaming;

    /** Of the topology; its nodes have other names in each. */
    private int version;

    private int parallelism;

    /** The checkpoint up to which an earlier job has written to the same sinks; 0: none has. */
    private final long usedUpTo;

    private long trace;
    private int lives;
    private int restored;
    private long steps;
    private boolean stalling;
    private boolean overtaking;

    /** Takes the damage back that a start has to stop at; null: there is none. */
    private @Nullable Runnable repair;

    /** Whether there was such damage when the process in hand was started. */
    private boolean refusable;

    Run(long seed, @Nullable PlantedBug bug) {
      this.bug = bug;
      random = new SplittableRandom(seed);
      storage = new SimulatedStorage(random.nextLong(), clock);
      crashes = random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(MAX_CRASHES);
      unaligned = random.nextBoolean();
      usedUpTo = random.nextInt(6) == 0 ? 1 + random.nextInt(40) : 0;
      versions = new SplittableRandom(~seed);
      renaming = versions.nextInt(4) == 0;
    }

    Outcome run() {
      boolean finished = false;
      while (!finished && violations.isEmpty()) {
        if (++lives > MAX_LIVES) {
          violations.add("the job has not finished after " + MAX_LIVES + " starts");
        } else {
          finished = live(lives <= crashes);
        }
      }
      if (finished) {
        checks.forEach(
            (name, check) -> {
              MarkedSink<Object, Object> sink = sinks.get(name);
              String problem = check.problem(sink == null ? List.of() : sink.records());
              if (problem != null) {
                violations.add("sink '" + name + "': " + problem);
              }
            });
      }
      return new Outcome(violations, trace, lives, restored);
    }

    /** One process, from its start to its death; whether the job has finished. */
    private boolean live(boolean dies) {
      refusable = repair != null;
      version += renaming && versions.nextBoolean() ? 1 : 0;
      storage.faults(dies && random.nextInt(3) == 0 ? StorageFaults.SOME : StorageFaults.NONE);
      SimulatedStorage.Connection connection = storage.connect();
      if (dies && random.nextInt(3) == 0) {
        connection.crashAt(1 + random.nextInt(random.nextInt(4) == 0 ? 40 : 600));
      }
      if (dies && random.nextInt(4) == 0) {
        sleepIn(connection, 1 + random.nextInt(80));
      }
      boolean[] died = {false};
      faultsOfSinks(dies, died);
      SteppedScheduler scheduler = new SteppedScheduler(clock, random.nextLong());
      JobRuntime job;
      try {
        job = start(connection, scheduler, dies);
      } catch (SimulatedCrash e) {
        die(null);
        return false;
      } catch (StreamForgeException e) {
        if (!died[0] && !isFenced(e) && !isRefused(e) && !(dies && isExpected(e))) {
          violations.add("the job did not start: " + e.getMessage());
        }
        die(null);
        return false;
      }
      Life life = new Life(scheduler, connection, job);
      stalling = dies && random.nextBoolean();
      int entries = dies && random.nextInt(8) > 0 ? entriesBeforeDeath() : 0;
      boolean leavesSomething = random.nextInt(8) > 0;
      long left = dies ? stepsBeforeDeath(entries > 0) : Long.MAX_VALUE;
      long created = connection.created();
      boolean crashed = false;
      while (left > 0 && job.status() == JobStatus.RUNNING && !crashed) {
        crashed = !step(life) || died[0];
        if (entries == 0) {
          left--;
        } else if (connection.created() > created) {
          created = connection.created();
          entries -= !leavesSomething || published(job) > 0 ? 1 : 0;
        }
        if (++steps > MAX_STEPS) {
          violations.add("the job does not come to an end");
          return false;
        }
      }
      trace = trace * 31 + scheduler.trace();
      if (!crashed && job.status() == JobStatus.FINISHED) {
        return true;
      }
      StreamForgeException failure = job.failure();
      if (failure != null && !died[0] && !isFenced(failure) && !(dies && isExpected(failure))) {
        violations.add("the job failed: " + failure.getMessage());
      }
      die(life);
      return false;
    }

    private int entriesBeforeDeath() {
      // Most jobs are short; but what was given up shows in what comes later.
      int first = random.nextInt(MAX_ENTRIES);
      int second = random.nextInt(MAX_ENTRIES);
      return stalling ? 2 + Math.max(first, second) : 1 + Math.min(first, second);
    }

    /** Right behind an entry are publication and commits; elsewhere everything is. */
    private long stepsBeforeDeath(boolean behindEntry) {
      if (behindEntry) {
        return 1 + random.nextInt(random.nextBoolean() ? 12 : 200);
      }
      return 1 + random.nextInt(random.nextBoolean() ? 300 : 3_000);
    }

    /** In one of its calls the process sleeps, and another one takes the job over meanwhile. */
    private void sleepIn(SimulatedStorage.Connection connection, int call) {
      connection.beforeCall(
          number -> {
            if (number == call && !overtaking) {
              overtaking = true;
              overtake();
              overtaking = false;
            }
          });
    }

    private void overtake() {
      SimulatedStorage.Connection connection = storage.connect();
      SteppedScheduler scheduler = new SteppedScheduler(clock, random.nextLong());
      StreamForgeException failure;
      try {
        Life life = new Life(scheduler, connection, start(connection, scheduler, true));
        int left = 1 + random.nextInt(600);
        while (left > 0 && life.job.status() == JobStatus.RUNNING && step(life)) {
          left--;
        }
        failure = life.job.failure();
        if (life.job.status() == JobStatus.RUNNING && random.nextBoolean()) {
          sleepers.add(life);
        } else {
          connection.kill();
        }
      } catch (StreamForgeException e) {
        failure = e;
      }
      trace = trace * 31 + scheduler.trace();
      if (failure != null && !isFenced(failure) && !isRefused(failure) && !isExpected(failure)) {
        violations.add("the job failed when it was taken over: " + failure.getMessage());
      }
    }

    private static long published(JobRuntime job) {
      CheckpointMetrics checkpoints = job.metrics().checkpoints();
      return checkpoints == null ? 0 : checkpoints.published();
    }

    private boolean isFenced(StreamForgeException e) {
      return e.code() == ErrorCode.CHECKPOINT_FENCED
          || e.getCause() instanceof FencedWriterException;
    }

    /** Whether the job does not go behind what is shown already; then the operator repairs it. */
    private boolean isRefused(StreamForgeException e) {
      if (e.code() != ErrorCode.CHECKPOINT_DAMAGED || !refusable) {
        return false;
      }
      if (repair != null) {
        repair.run();
        repair = null;
      }
      return true;
    }

    private boolean isExpected(StreamForgeException e) {
      return EXPECTED_FAILURES.contains(e.code()) || hasDied(e);
    }

    /** Whether it is what a process sees that has died in a call of the storage. */
    private boolean hasDied(@Nullable StreamForgeException e) {
      return e != null && e.getCause() instanceof SimulatedCrash;
    }

    private JobRuntime start(
        SimulatedStorage.Connection connection, SteppedScheduler scheduler, boolean dies) {
      parallelism = 1 + random.nextInt(MAX_PARALLELISM);
      EngineConfig config =
          EngineConfig.builder()
              .parallelism(parallelism)
              .workers(1)
              .keyGroups(KEY_GROUPS)
              .specialise(false)
              .batchSize(random.nextInt(3) == 0 ? 512 : 1 + random.nextInt(3))
              .creditsPerChannel(1 + random.nextInt(2))
              .stepBudget(random.nextInt(3) == 0 ? 1_024 : 1 + random.nextInt(4))
              .maxBatchDelay(random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(5))
              .checkpoints(
                  drawAlignment(CheckpointConfig.at("simulated"))
                      .every(Duration.ofMillis(1 + random.nextInt(random.nextBoolean() ? 3 : 12)))
                      .givenUpAfter(
                          Duration.ofMillis(
                              dies ? 1 + random.nextInt(random.nextInt(4) == 0 ? 6 : 200) : 60_000))
                      .retain(1 + random.nextInt(3)))
              .build();
      boolean blocking = random.nextBoolean();
      Planting planting = bug == null ? notPlanted() : bug.plant();
      LogicalGraph graph = graph(blocking, planting);
      CheckpointLog log = CheckpointLog.open(planting.storage(connection), graph.name());
      JobRuntime job =
          JobRuntime.start(
              Planner.plan(graph, config.parallelism(), KEY_GROUPS),
              config,
              new CheckpointPlace(log, random::nextLong, "life " + lives),
              scheduler,
              planting);
      repair = null;
      if (job.restoredFrom() > 0) {
        restored++;
      }
      return job;
    }

    private Planting notPlanted() {
      return new Planting() {
        @Override
        public KeyedStateBackend backend() {
          return backends.get();
        }
      };
    }

    private CheckpointConfig drawAlignment(CheckpointConfig config) {
      if (atLeastOnce) {
        return config.atLeastOnce();
      }
      int draw = random.nextInt(4);
      if (!unaligned || draw == 0 || !recordsCanBeWritten()) {
        return config;
      }
      return config.unalignedAfter(Duration.ofMillis(draw == 1 ? 1 + random.nextInt(3) : 0));
    }

    private boolean recordsCanBeWritten() {
      LogicalGraph graph = topology.graph();
      return Planner.plan(graph, 1, KEY_GROUPS).exchanges().stream()
          .allMatch(
              exchange ->
                  graph.keyForm(exchange.from()) instanceof Inferred.Found
                      && graph.valueForm(exchange.from()) instanceof Inferred.Found);
    }

    private LogicalGraph graph(boolean blocking, Planting planting) {
      LogicalGraph original = topology.graph();
      List<Node> nodes = new ArrayList<>();
      for (Node node : original.nodes()) {
        if (node instanceof Node.SourceNode source) {
          List<List<Record<Object, Object>>> partitions = inputs.get(node.name());
          if (partitions == null) {
            throw new IllegalArgumentException("no input for source '" + node.name() + "'");
          }
          nodes.add(
              new Node.SourceNode(
                  node.name(),
                  new ReplayedSource(source.source(), partitions, blocking),
                  source.options()));
        } else if (node instanceof Node.SinkNode sink) {
          nodes.add(
              new Node.SinkNode(
                  node.name(),
                  sink.input(),
                  planting.sink(sinks.computeIfAbsent(node.name(), n -> newSink()))));
        } else {
          nodes.add(node);
        }
      }
      return RenamedNodes.of(
          LogicalGraph.of(
              original.name(),
              nodes,
              original.hints(),
              original.renaming().nodes(),
              original.policies()),
          version);
    }

    private MarkedSink<Object, Object> newSink() {
      MarkedSink<Object, Object> sink = new MarkedSink<>(random.nextBoolean());
      if (usedUpTo > 0) {
        sink.used(MAX_PARALLELISM, usedUpTo);
      }
      return sink;
    }

    private void faultsOfSinks(boolean dies, boolean[] died) {
      boolean faulty = dies && random.nextInt(4) == 0;
      int rarely = random.nextBoolean() ? 8 : 50;
      for (MarkedSink<Object, Object> sink : sinks.values()) {
        sink.faults(
            (call, moment, writer, checkpoint) -> {
              if (faulty && !died[0] && !overtaking && random.nextInt(rarely) == 0) {
                died[0] = true;
                throw new IllegalStateException("simulated death in " + call);
              }
            });
      }
    }

    /** A step of the process or of one that sleeps; false when the process has died. */
    private boolean step(Life life) {
      if (!sleepers.isEmpty() && random.nextInt(6) == 0) {
        stepSleeper(sleepers.get(random.nextInt(sleepers.size())));
      }
      boolean did;
      try {
        did = life.scheduler.step();
      } catch (SimulatedCrash e) {
        return false;
      }
      if (!did) {
        long next = life.scheduler.nextDeadlineNanos();
        if (next == Long.MAX_VALUE) {
          violations.add("nobody has anything to do, and the job has not ended");
          return false;
        }
        clock.advance(Duration.ofNanos(Math.max(1, next - clock.monotonicNanos())));
      } else if (random.nextInt(10) == 0) {
        clock.advance(stalling && random.nextInt(STALLS) == 0 ? STALL : Duration.ofMillis(1));
      }
      return !hasDied(life.job.failure());
    }

    private void stepSleeper(Life sleeper) {
      try {
        sleeper.scheduler.step();
      } catch (SimulatedCrash e) {
        sleepers.remove(sleeper);
        return;
      }
      if (sleeper.job.status() != JobStatus.RUNNING) {
        sleepers.remove(sleeper);
      }
    }

    /** The process is gone, or sleeps; perhaps the machine dies with all processes. */
    private void die(@Nullable Life life) {
      int draw = random.nextInt(4);
      if (life != null && draw == 0 && life.job.status() == JobStatus.RUNNING) {
        sleepers.add(life);
        return;
      }
      if (life != null) {
        life.connection.kill();
      }
      if (draw == 1) {
        sleepers.forEach(sleeper -> sleeper.connection.kill());
        sleepers.clear();
        storage.crashMachine();
      }
      if (sleepers.isEmpty() && random.nextInt(2) == 0) {
        damageNewest();
      }
    }

    /**
     * Damages the newest checkpoint where the one before can take its place: that is there and does
     * without the damaged object. If output that came behind it is visible already, it must not,
     * and the damage is repaired when the job has said so.
     */
    private void damageNewest() {
      storage.faults(StorageFaults.NONE);
      List<LogEntry.Published> published = publishedCheckpoints();
      if (published.isEmpty() || repair != null) {
        return;
      }
      LogEntry.Published newest = published.get(published.size() - 1);
      for (LogEntry.Published parent : published) {
        if (parent.position() == newest.parent()) {
          Set<String> objects = new TreeSet<>(newest.manifest().objects());
          objects.removeAll(parent.manifest().objects());
          objects.retainAll(storage.names());
          damageOne(List.copyOf(objects), isShownBehind(parent));
        }
      }
    }

    private boolean isShownBehind(LogEntry.Published checkpoint) {
      // What was prepared for one that was given up keeps its number in the next.
      return sinks.values().stream()
          .flatMap(sink -> sink.markers().values().stream())
          .anyMatch(marker -> marker > checkpoint.number());
    }

    private void damageOne(List<String> objects, boolean isMissed) {
      if (objects.isEmpty()) {
        return;
      }
      String object = objects.get(random.nextInt(objects.size()));
      int at = random.nextInt(storage.content(object).length);
      flip(object, at);
      repair =
          !isMissed
              ? null
              : () -> {
                if (storage.names().contains(object)) {
                  flip(object, at);
                }
              };
    }

    private void flip(String object, int at) {
      storage.damage(
          object,
          content -> {
            content[at] ^= 1;
            return content;
          });
    }

    private List<LogEntry.Published> publishedCheckpoints() {
      if (storage.names().stream().noneMatch(name -> name.startsWith("log/"))) {
        return List.of();
      }
      try {
        return CheckpointLog.openExisting(storage.connect()).read().published();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
