package io.streamforge.testkit;

import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.operator.Output;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Planner;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.QueriedNode;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.runtime.task.StateRequest;
import io.streamforge.testkit.storage.SimulatedStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Runs a topology in a test: pipe records in, let time pass, read what comes out. It needs no
 * threads, never waits and gives the same result every time, since it runs the engine's own tasks
 * one step after the other on the test's thread.
 *
 * <pre>{@code
 * try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
 *   TestInput<String, Integer> input = driver.input("orders");
 *   TestOutput<String, Long> output = driver.output("counts");
 *   input.pipe("a", 1, 1_000);
 *   assertThat(output.read().value()).isEqualTo(1);
 * }
 * }</pre>
 *
 * <p>Sources and sinks are replaced: a source's options (event time, idleness, alignment, rate)
 * stay in force, its splits are the {@linkplain Builder#partitions partitions} of the test input.
 * Time passes only by {@link #advanceTime}. A value that is changed after it was emitted fails the
 * test with the name of the node that emitted it. Parallelism is 1 and the order of steps is fixed
 * unless the {@link Builder} says else. Not thread-safe.
 */
public final class TopologyTestDriver implements AutoCloseable {
  private static final long STEP_LIMIT = 100_000_000;

  private final LogicalGraph graph;
  private final EngineConfig config;
  private final long seed;
  private final @Nullable CheckpointLog checkpoints;
  private final VirtualClock clock;
  private SteppedScheduler scheduler;
  private PhysicalPlan plan;
  private JobRuntime job;
  private int restarts;
  private final Map<String, TestSource> sources;
  private final Map<String, TestOutput<?, ?>> outputs;
  private final @Nullable AliasDetector aliases;

  private TopologyTestDriver(Builder builder) {
    LogicalGraph original = builder.topology.graph();
    sources = new HashMap<>();
    outputs = new HashMap<>();
    List<Node> nodes = new ArrayList<>();
    for (Node node : original.nodes()) {
      nodes.add(replaced(node, builder));
    }
    for (Port port : builder.captured) {
      Node.SinkNode capture = new Node.SinkNode(port.toString(), port, captureOf(port));
      nodes.add(capture);
    }
    for (Node node : original.nodes()) {
      for (Port port : original.outputs(node)) {
        if (!port.output().equals(Port.MAIN)
            && original.consumers(port).isEmpty()
            && !outputs.containsKey(port.toString())) {
          nodes.add(new Node.SinkNode(port.toString(), port, captureOf(port)));
        }
      }
    }
    graph =
        LogicalGraph.of(
            original.name(),
            nodes,
            original.hints(),
            original.renaming().nodes(),
            original.policies());
    seed = builder.seed;
    clock = new VirtualClock(builder.startMillis);
    aliases = builder.detectAliases ? new AliasDetector(original.name()) : null;
    config = builder.config.validate();
    checkpoints =
        config.checkpoints() == null
            ? null
            : CheckpointLog.open(new SimulatedStorage(seed, clock).connect(), original.name());
    scheduler = new SteppedScheduler(clock, seed);
    plan = Planner.plan(graph, config.parallelism(), config.keyGroups());
    job = startJob(config.parallelism());
    settle();
  }

  private JobRuntime startJob(int parallelism) {
    return JobRuntime.start(
        plan,
        config.toBuilder().parallelism(parallelism).build(),
        checkpoints == null
            ? null
            : new CheckpointPlace(checkpoints, () -> restarts, "start " + restarts),
        scheduler,
        new Hooks(aliases));
  }

  /** As {@link #restart(int)}, at the same parallelism. */
  public void restart() {
    restart(config.parallelism());
  }

  /**
   * Takes a checkpoint and starts the job anew from it, as if the process had died right then. What
   * it emits from then on must not differ. The driver must have been built with {@link
   * Builder#checkpoints}.
   *
   * @param parallelism that it goes on with
   */
  public void restart(int parallelism) {
    long published = published();
    job.requestCheckpoint();
    settle();
    if (published() == published) {
      throw new IllegalStateException("no checkpoint has come about");
    }
    job.close();
    restarts++;
    scheduler = new SteppedScheduler(clock, seed + restarts);
    plan = Planner.plan(graph, parallelism, config.keyGroups());
    job = startJob(parallelism);
    settle();
  }

  private long published() {
    CheckpointMetrics metrics = job.metrics().checkpoints();
    if (metrics == null) {
      throw new IllegalStateException("the driver has no checkpoints, see Builder.checkpoints");
    }
    return metrics.published();
  }

  /** A driver with parallelism 1, virtual time from 0 on, and alias detection. */
  public static TopologyTestDriver of(Topology topology) {
    return builder(topology).start();
  }

  /** Settings of a driver. */
  public static Builder builder(Topology topology) {
    return new Builder(topology);
  }

  private Node replaced(Node node, Builder builder) {
    if (node instanceof Node.SourceNode source) {
      TestSource replacement =
          new TestSource(source.source(), builder.partitions.getOrDefault(node.name(), 1));
      sources.put(node.name(), replacement);
      return new Node.SourceNode(node.name(), replacement, source.options());
    }
    if (node instanceof Node.SinkNode sink) {
      TestOutput<?, ?> output = new TestOutput<>(node.name(), sink.sink().blocking());
      outputs.put(node.name(), output);
      return new Node.SinkNode(node.name(), sink.input(), output);
    }
    return node;
  }

  private TestOutput<?, ?> captureOf(Port port) {
    TestOutput<?, ?> output = new TestOutput<>(port.toString(), false);
    outputs.put(port.toString(), output);
    return output;
  }

  /**
   * The only partition of a source, or the first one.
   *
   * @throws IllegalArgumentException when the topology has no such source
   */
  public <K, V> TestInput<K, V> input(String source) {
    return input(source, 0);
  }

  /** A partition of a source, counted from 0. */
  public <K, V> TestInput<K, V> input(String source, int partition) {
    TestSource found = sources.get(source);
    if (found == null) {
      throw new IllegalArgumentException("no source '" + source + "', only " + sources.keySet());
    }
    return new TestInput<>(this, found.partition(partition));
  }

  /**
   * What comes out at a sink.
   *
   * @throws IllegalArgumentException when the topology has no such sink
   */
  public <K, V> TestOutput<K, V> output(String sink) {
    return find(sink);
  }

  /**
   * What comes out at a side output that the topology itself does not read. That of a processor has
   * to be named with {@link Builder#capture} first.
   */
  public <K, V> TestOutput<K, V> sideOutput(String node, SideOutput<K, V> side) {
    return find(new Port(node, side.name()).toString());
  }

  @SuppressWarnings("unchecked")
  private <K, V> TestOutput<K, V> find(String name) {
    TestOutput<?, ?> found = outputs.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no output '" + name + "', only " + outputs.keySet());
    }
    return (TestOutput<K, V>) found;
  }

  /**
   * What a node keeps for a key after all that was piped in, as {@link
   * io.streamforge.engine.StateQuery} reads it; null when that is nothing.
   *
   * @param node an aggregate, a windowed aggregate, or a processor with one state
   * @throws StreamForgeException as {@code StateQuery}
   */
  public @Nullable Object query(String node, Object key) {
    return query(QueriedNode.of(plan, node), key);
  }

  /**
   * As {@link #query(String, Object)}, of a processor with several states.
   *
   * @param state name of the state
   */
  public @Nullable Object query(String node, String state, Object key) {
    return query(QueriedNode.of(plan, node).state(state), key);
  }

  private @Nullable Object query(QueriedNode node, Object key) {
    StateRequest request = job.ask(node, key, Duration.ZERO);
    settle();
    if (!request.answer().isDone()) {
      throw new IllegalStateException("nothing is left to do, and the query is not answered");
    }
    try {
      return request.answer().join().value();
    } catch (CompletionException e) {
      if (e.getCause() instanceof StreamForgeException known) {
        throw known;
      }
      throw e;
    }
  }

  /** As {@link io.streamforge.engine.Engine#why}, after all that was piped in. */
  public EventTimeReport why(String node) {
    CompletableFuture<EventTimeReport> asked = job.why(node);
    settle();
    return asked.join();
  }

  /** Lets processing time pass, and everything be done that it sets off, in the right order. */
  public void advanceTime(Duration duration) {
    VirtualClock clock = scheduler.clock();
    long end = clock.monotonicNanos() + duration.toNanos();
    for (long next = scheduler.nextDeadlineNanos();
        next <= end;
        next = scheduler.nextDeadlineNanos()) {
      clock.advanceNanos(Math.max(1, next - clock.monotonicNanos()));
      settle();
    }
    clock.advanceNanos(Math.max(0, end - clock.monotonicNanos()));
    settle();
  }

  /** Ends all inputs: open windows fire, and the job finishes. */
  public void end() {
    sources.values().forEach(TestSource::end);
    settle();
  }

  /** The clock of the job. */
  public VirtualClock clock() {
    return scheduler.clock();
  }

  /** What the job has counted up to now. */
  public JobMetrics metrics() {
    return job.metrics();
  }

  /** Whether the job has finished, which it does after {@link #end}. */
  public boolean finished() {
    return job.status() == JobStatus.FINISHED;
  }

  /** A fingerprint of the order of all steps taken; the same for the same seed and calls. */
  public long trace() {
    return scheduler.trace();
  }

  /** Number of steps that tasks have taken up to now. */
  public long steps() {
    return scheduler.steps();
  }

  /** Runs until there is nothing to do at this time; throws what the job has failed with. */
  void settle() {
    scheduler.runUntilQuiet(STEP_LIMIT);
    StreamForgeException failure = job.failure();
    if (failure != null) {
      throw failure;
    }
    if (aliases != null) {
      aliases.check();
    }
  }

  @Override
  public void close() {
    job.close();
  }

  private record Hooks(@Nullable AliasDetector aliases) implements RuntimeHooks {
    @Override
    public Output observed(String node, Output output) {
      return aliases == null ? output : aliases.watching(node, output);
    }
  }

  /** Settings of a {@link TopologyTestDriver}. */
  public static final class Builder {
    private final Topology topology;
    private final Map<String, Integer> partitions = new HashMap<>();
    private final List<Port> captured = new ArrayList<>();
    private EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .workers(1)
            .keyGroups(128)
            // A driver lives too short for the gain, unless it is asked for.
            .specialise(Boolean.getBoolean("streamforge.specialise"))
            .build();
    private long seed;
    private long startMillis;
    private boolean detectAliases = true;

    private Builder(Topology topology) {
      this.topology = topology;
    }

    /** Tasks of each stage; 1 unless set. */
    public Builder parallelism(int parallelism) {
      config = config.toBuilder().parallelism(parallelism).build();
      return this;
    }

    /** All engine settings at once. */
    public Builder config(EngineConfig config) {
      this.config = config;
      return this;
    }

    /** Another order of steps for each seed; 0 unless set. */
    public Builder seed(long seed) {
      this.seed = seed;
      return this;
    }

    /**
     * An order of steps and settings that make the rare frequent, all drawn from the seed: small
     * batches, few credits, small steps, parallelism 1 to 4.
     */
    public Builder stress(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      this.seed = seed;
      config =
          config.toBuilder()
              .parallelism(1 + random.nextInt(4))
              .batchSize(random.nextInt(3) == 0 ? 512 : 1 + random.nextInt(3))
              .creditsPerChannel(1 + random.nextInt(2))
              .stepBudget(random.nextBoolean() ? 1_024 : 1 + random.nextInt(4))
              .maxBatchDelay(random.nextBoolean() ? Duration.ZERO : Duration.ofMillis(5))
              .build();
      return this;
    }

    /** The job has checkpoints, in memory: {@link TopologyTestDriver#restart} goes on from one. */
    public Builder checkpoints() {
      config =
          config.toBuilder()
              .checkpoints(CheckpointConfig.at("memory").every(Duration.ofDays(1)).retain(1))
              .build();
      return this;
    }

    /** Number of partitions of a source; 1 unless set. */
    public Builder partitions(String source, int count) {
      partitions.put(source, count);
      return this;
    }

    /** Makes a side output readable that the topology itself does not read. */
    public Builder capture(String node, SideOutput<?, ?> side) {
      captured.add(new Port(node, side.name()));
      return this;
    }

    /** Wall clock at the start, epoch milliseconds; 0 unless set. */
    public Builder startMillis(long startMillis) {
      this.startMillis = startMillis;
      return this;
    }

    /** Whether values are watched for changes after emission; they are unless set. */
    public Builder detectAliases(boolean detect) {
      this.detectAliases = detect;
      return this;
    }

    /** Starts the job. */
    public TopologyTestDriver start() {
      return new TopologyTestDriver(this);
    }
  }
}
