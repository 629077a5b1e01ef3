package io.streamforge.runtime;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.RestoredStates;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.config.Alignment;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.plan.Exchange;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Stage;
import io.streamforge.runtime.channel.Batch;
import io.streamforge.runtime.channel.BatchPool;
import io.streamforge.runtime.channel.Channel;
import io.streamforge.runtime.channel.ChannelFactory;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.runtime.channel.MemoryOverflow;
import io.streamforge.runtime.channel.Overflow;
import io.streamforge.runtime.channel.RecordForm;
import io.streamforge.runtime.channel.SpillFile;
import io.streamforge.runtime.channel.TaskOutput;
import io.streamforge.runtime.checkpoint.CheckpointCoordinator;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.runtime.checkpoint.Recovery;
import io.streamforge.runtime.checkpoint.RestoredJob;
import io.streamforge.runtime.checkpoint.SinkRecovery;
import io.streamforge.runtime.source.Pacer;
import io.streamforge.runtime.source.SourceCoordinator;
import io.streamforge.runtime.source.SourceFailures;
import io.streamforge.runtime.source.SourceInputs;
import io.streamforge.runtime.source.SplitAlignment;
import io.streamforge.runtime.source.SplitInput;
import io.streamforge.runtime.task.CheckpointControl;
import io.streamforge.runtime.task.Inlet;
import io.streamforge.runtime.task.JobControl;
import io.streamforge.runtime.task.JobTime;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.runtime.task.Sender;
import io.streamforge.runtime.task.SinkPump;
import io.streamforge.runtime.task.StageBuilder;
import io.streamforge.runtime.task.StageTask;
import io.streamforge.runtime.task.StateRequest;
import io.streamforge.runtime.task.TaskCheckpoints;
import io.streamforge.runtime.task.TaskInput;
import io.streamforge.runtime.task.TaskParts;
import io.streamforge.runtime.task.TaskTimes;
import io.streamforge.scheduler.DeferredWaker;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Task;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serde;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.SplitEnumerator;
import io.streamforge.specialise.NodeClasses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A job: the tasks, channels, readers and writers of a plan on a scheduler.
 *
 * <p>It ends when every part (task or pump of a sink) has completed. A failure or a cancellation
 * makes all parts stop where they are.
 */
public final class JobRuntime implements JobControl {
  private static final Logger LOG = LoggerFactory.getLogger(JobRuntime.class);

  private final PhysicalPlan plan;
  private final EngineConfig config;
  private final Scheduler scheduler;
  private final RuntimeHooks hooks;
  private final KeyedStateBackend backend;
  private final List<StageTask> tasks = new ArrayList<>();
  private final Map<String, List<StageTask>> tasksOfNode = new HashMap<>();
  private final JobQueries queries;
  private final List<SinkPump> pumps = new ArrayList<>();
  private final List<SourceCoordinator> coordinators = new ArrayList<>();
  private final List<DeferredWaker> wakers = new ArrayList<>();

  /** What nobody else closes yet; by identity. */
  private final Set<AutoCloseable> opened = Collections.newSetFromMap(new IdentityHashMap<>());

  /** What the job goes on from. */
  private final RestoredJob restored;

  private final JobTime jobTime;

  /** Null in a job without checkpoints. */
  private final @Nullable Checkpoints checkpoints;

  private final AtomicReference<@Nullable StreamForgeException> failure = new AtomicReference<>();
  private final Queue<CompletableFuture<Long>> savepoints = new ConcurrentLinkedQueue<>();
  private final AtomicInteger running = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final long startedNanos;
  private volatile boolean stopping;
  private volatile JobStatus status = JobStatus.RUNNING;

  /** The process as the owner of the job's checkpoints, and who takes them. */
  private record Checkpoints(
      CheckpointConfig settings,
      LogOwner owner,
      CheckpointCoordinator coordinator,
      CheckpointControl control) {}

  private JobRuntime(
      PhysicalPlan plan,
      EngineConfig config,
      Scheduler scheduler,
      RuntimeHooks hooks,
      RestoredJob restored,
      @Nullable LogOwner owner) {
    this.plan = plan;
    this.config = config;
    this.scheduler = scheduler;
    this.hooks = hooks;
    this.startedNanos = scheduler.clock().monotonicNanos();
    this.queries = new JobQueries(tasks, scheduler);
    this.restored = restored;
    this.jobTime = new JobTime(scheduler.clock(), restored.jobTimeMillis());
    CheckpointConfig settings = config.checkpoints();
    if (owner == null || settings == null) {
      this.checkpoints = null;
    } else {
      CheckpointCoordinator coordinator =
          new CheckpointCoordinator(
              settings, owner, restored, sources(), plan.keyGroups(), jobTime, this, scheduler);
      this.checkpoints = new Checkpoints(settings, owner, coordinator, hooks.control(coordinator));
    }
    this.backend = hooks.backend();
  }

  private Set<String> sources() {
    return plan.graph().nodes().stream()
        .filter(Node.SourceNode.class::isInstance)
        .map(Node::name)
        .collect(Collectors.toSet());
  }

  /**
   * Opens everything and starts it, without any state and without checkpoints.
   *
   * @throws StreamForgeException when a source, sink or function cannot be opened; then nothing has
   *     been read, and everything is closed again
   */
  public static JobRuntime start(
      PhysicalPlan plan, EngineConfig config, Scheduler scheduler, RuntimeHooks hooks) {
    return start(plan, config, null, scheduler, hooks);
  }

  /**
   * Opens everything and starts it.
   *
   * @param place where checkpoints are; null: the job has none
   * @throws StreamForgeException when a source, sink or function cannot be opened, or the job
   *     cannot go on from what is at the place; then nothing has been read, and everything is
   *     closed again
   */
  public static JobRuntime start(
      PhysicalPlan plan,
      EngineConfig config,
      @Nullable CheckpointPlace place,
      Scheduler scheduler,
      RuntimeHooks hooks) {
    CheckpointConfig settings = config.checkpoints();
    JobRuntime job;
    try {
      if (place == null || settings == null) {
        job = assemble(plan, config, scheduler, hooks, RestoredJob.nothing(scheduler), null);
      } else {
        job =
            new Recovery(place, settings, scheduler)
                .run(
                    plan.keyGroups(),
                    plan.graph().renaming(),
                    (owner, restored) -> assemble(plan, config, scheduler, hooks, restored, owner));
      }
      job.releasingAtFailure(job::begin);
    } catch (Throwable e) {
      scheduler.close();
      throw e;
    }
    LOG.info(
        "job '{}' runs: {} stages, parallelism {}",
        plan.job(),
        plan.stages().size(),
        config.parallelism());
    scheduler.start();
    return job;
  }

  /** Builds a job with all its state. */
  private static JobRuntime assemble(
      PhysicalPlan plan,
      EngineConfig config,
      Scheduler scheduler,
      RuntimeHooks hooks,
      RestoredJob restored,
      @Nullable LogOwner owner) {
    JobRuntime job = new JobRuntime(plan, config, scheduler, hooks, restored, owner);
    job.releasingAtFailure(job.new Assembly()::assemble);
    return job;
  }

  private void releasingAtFailure(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      stopping = true;
      abandon();
      opened.forEach(this::closeQuietly);
      closeQuietly(backend);
      throw e;
    }
  }

  /** Brings the systems outside to where the state is, and lets the tasks run. */
  private void begin() {
    if (checkpoints == null) {
      openSinks((sink, task) -> 0);
    } else {
      SinkRecovery sinks = new SinkRecovery(plan, checkpoints.owner, restored, scheduler.clock());
      sinks.run();
      openSinks(sinks::marker);
      checkpoints.coordinator.begin();
    }
    running.addAndGet(tasks.size() + pumps.size());
    register();
    coordinators.forEach(SourceCoordinator::start);
  }

  private interface Markers {
    long of(String sink, int task);
  }

  private void openSinks(Markers markers) {
    int next = 0;
    for (Stage stage : plan.stages()) {
      for (int i = 0; i < stage.parallelism(); i++) {
        int index = i;
        tasks.get(next++).openSinks(index, sink -> markers.of(sink, index));
      }
    }
    pumps.forEach(pump -> pump.open(markers.of(pump.node(), pump.index())));
  }

  private void register() {
    int index = 0;
    for (Stage stage : plan.stages()) {
      for (int i = 0; i < stage.parallelism(); i++) {
        StageTask task = tasks.get(index);
        DeferredWaker waker = wakers.get(index);
        index++;
        task.mailbox().connect(waker);
        waker.target(
            scheduler.register(
                "task " + task.id() + " (" + String.join(", ", stage.nodes()) + ")", i, task));
      }
    }
    for (Task task : coordinators) {
      addHelper("splits", task);
    }
    if (checkpoints != null) {
      CheckpointCoordinator coordinator = checkpoints.coordinator;
      tasks.forEach(task -> coordinator.add(hooks.part(task)));
      pumps.forEach(pump -> coordinator.addWriter(hooks.part(pump), pump.node()));
      coordinator.connect(addHelper("checkpoints", coordinator));
    }
    addHelper("housekeeping", new Housekeeping());
  }

  private DeferredWaker addHelper(String name, Task task) {
    DeferredWaker waker = new DeferredWaker();
    wakers.add(waker);
    waker.target(scheduler.register(name, 0, task));
    return waker;
  }

  @Override
  public String job() {
    return plan.job();
  }

  @Override
  public boolean stopping() {
    return stopping;
  }

  @Override
  public void failed(StreamForgeException e) {
    StreamForgeException located = e.within(new ErrorContext(plan.job(), null, null, null, null));
    if (failure.compareAndSet(null, located)) {
      logFailure(located);
      stop(true);
    } else {
      LOG.debug("job '{}' has failed already", plan.job(), located);
    }
  }

  private void logFailure(StreamForgeException e) {
    ErrorContext context = e.context();
    try (MDC.MDCCloseable job = MDC.putCloseable("job", plan.job());
        MDC.MDCCloseable node = MDC.putCloseable("node", context.node());
        MDC.MDCCloseable task = MDC.putCloseable("task", context.task())) {
      LOG.error("job '{}' fails", plan.job(), e);
    }
  }

  /** Something that no part of the job accounts for has escaped: a defect. */
  public void crashed(Throwable e) {
    failed(
        e instanceof StreamForgeException known
            ? known
            : new StreamForgeException(
                ErrorCode.INTERNAL, ErrorContext.NONE, Rendering.cause(e), e));
  }

  @Override
  public void completed() {
    if (running.decrementAndGet() == 0) {
      status =
          failure.get() != null
              ? JobStatus.FAILED
              : stopping ? JobStatus.CANCELLED : JobStatus.FINISHED;
      coordinators.forEach(SourceCoordinator::stop);
      LOG.info("job '{}' has ended: {}", plan.job(), status);
      refuseSavepoints();
      ended.countDown();
      wakeAll();
    }
  }

  private void stop(boolean failed) {
    stopping = true;
    pumps.forEach(pump -> pump.stop(failed));
    wakeAll();
  }

  private void wakeAll() {
    wakers.forEach(DeferredWaker::wake);
  }

  /** Stops all tasks where they are; output that was written is complete. */
  public void cancel() {
    if (status == JobStatus.RUNNING && !stopping) {
      stop(false);
    }
  }

  /** Ends all sources as if they had no more records; the job then finishes by itself. */
  public void drain() {
    coordinators.forEach(SourceCoordinator::stop);
    for (StageTask task : tasks) {
      if (task.input() instanceof SplitInput) {
        task.mailbox().send(task::drain);
      }
    }
  }

  /** Takes a checkpoint now, or as soon as the one in hand is settled; returns at once. */
  public void requestCheckpoint() {
    if (checkpoints == null) {
      throw new IllegalStateException("job '" + plan.job() + "' has no checkpoints");
    }
    checkpoints.coordinator.request();
  }

  /**
   * Takes a checkpoint and copies it to a place of its own; returns at once.
   *
   * @param stop whether the job stops behind it
   * @return the number of the checkpoint, or what has failed
   */
  public CompletableFuture<Long> savepoint(CheckpointPlace target, boolean stop) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    savepoints.add(result);
    if (checkpoints == null) {
      result.completeExceptionally(
          new StreamForgeException(
              ErrorCode.CONFIG_INVALID,
              new ErrorContext(plan.job(), null, null, null, null),
              "the job has no checkpoints, so there can be no savepoint",
              "Set checkpoints in the engine's settings.",
              null));
    } else if (status != JobStatus.RUNNING) {
      refuseSavepoints();
    } else {
      checkpoints.coordinator.savepoint(target, stop, result);
    }
    return stop
        ? result.thenApply(
            number -> {
              cancel();
              return number;
            })
        : result;
  }

  private void refuseSavepoints() {
    StreamForgeException refusal =
        new StreamForgeException(
            ErrorCode.JOB_STOPPED,
            new ErrorContext(plan.job(), null, null, null, null),
            "the job has ended before the savepoint was complete");
    savepoints.forEach(result -> result.completeExceptionally(refusal));
  }

  /**
   * Asks the task that owns the key for what a state holds. Any thread; returns at once.
   *
   * @param stale for how long an answer may lack what has been combined before the node's exchange
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID} when the query makes no sense
   */
  public StateRequest ask(QueriedNode node, Object key, Duration stale) {
    return queries.ask(node, key, stale);
  }

  /**
   * Asks all tasks how event time stands, and says why that of a node stands where it does. Any
   * thread; returns at once.
   *
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID} when there is no such node
   */
  public CompletableFuture<EventTimeReport> why(String node) {
    if (plan.graph().find(node) == null) {
      throw new StreamForgeException(
          ErrorCode.QUERY_INVALID,
          new ErrorContext(plan.job(), null, null, null, null),
          "there is no node '" + node + "'",
          "Ask for one of "
              + plan.graph().nodes().stream().map(Node::name).collect(Collectors.joining(", "))
              + ".",
          null);
    }
    List<CompletableFuture<TaskTimes>> asked = tasks.stream().map(StageTask::times).toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenApply(
            all ->
                new EventTimes(plan, asked.stream().map(CompletableFuture::join).toList())
                    .why(node));
  }

  /** Where the job stands. */
  public JobStatus status() {
    return status;
  }

  /** Number of the checkpoint that the job went on from; 0: it began without state. */
  public long restoredFrom() {
    return restored.number();
  }

  /** What has failed; null when nothing has. */
  public @Nullable StreamForgeException failure() {
    return failure.get();
  }

  /** Waits until all parts have ended, or for that long; whether they have. */
  public boolean await(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits until all parts have ended. */
  public void await() throws InterruptedException {
    ended.await();
  }

  /**
   * Stops what still runs, waits for the threads, and releases everything. A part that does not
   * stop by itself within half of the configured time is interrupted.
   */
  public void close() {
    cancel();
    boolean interrupted = false;
    try {
      if (scheduler.concurrent()) {
        await(config.closeTimeout().dividedBy(2));
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    scheduler.close();
    abandon();
    closeQuietly(backend);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void abandon() {
    tasks.forEach(StageTask::abandon);
    pumps.forEach(SinkPump::abandon);
    coordinators.forEach(coordinator -> closeQuietly(coordinator::close));
  }

  private void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      LOG.debug("job '{}' could not close all it holds", plan.job(), e);
    }
  }

  /** Counters and times of all nodes and tasks. */
  public JobMetrics metrics() {
    return new MetricsReader(
            plan,
            tasks,
            tasksOfNode,
            checkpoints == null ? null : checkpoints.coordinator.metrics())
        .read();
  }

  /** Monotonic nanoseconds since the job was started. */
  public long runningNanos() {
    return scheduler.clock().monotonicNanos() - startedNanos;
  }

  /** Once a second: what depends on time without depending on input. */
  private final class Housekeeping implements Task {
    private static final long PERIOD_NANOS = 1_000_000_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** What the wall clock may gain or lose before it has jumped. */
    private static final long JUMP_MILLIS = 100;

    private long wallDrift = wallDrift(scheduler.clock().monotonicNanos());
    private long nextNanos = scheduler.clock().monotonicNanos() + PERIOD_NANOS;

    @Override
    public Progress run() {
      if (status != JobStatus.RUNNING || stopping) {
        return Progress.DONE;
      }
      long now = scheduler.clock().monotonicNanos();
      if (now - nextNanos < 0) {
        return Progress.IDLE;
      }
      nextNanos = now + PERIOD_NANOS;
      pumps.forEach(SinkPump::tick);
      // Timers of processing time are waited for by the monotonic clock.
      long drift = wallDrift(now);
      if (Math.abs(drift - wallDrift) > JUMP_MILLIS) {
        wallDrift = drift;
        wakeAll();
      }
      return Progress.WORKED;
    }

    private long wallDrift(long nowNanos) {
      return scheduler.clock().wallMillis() - nowNanos / NANOS_PER_MILLI;
    }

    @Override
    public long deadlineNanos() {
      return nextNanos;
    }
  }

  /** Builds the parts. */
  private final class Assembly {
    private final NodeClasses classes = new NodeClasses(config.specialise());
    private final LogicalGraph graph = plan.graph();
    private final Map<Exchange, Channel<Batch>[][]> channels = new HashMap<>();
    private final Map<Stage, DeferredWaker[]> stageWakers = new HashMap<>();
    private final Map<Stage, BatchPool[]> poolsOfStage = new HashMap<>();

    void assemble() {
      checkRecordForms();
      for (Stage stage : plan.stages()) {
        for (int i = 0; i < stage.parallelism(); i++) {
          for (String node : stage.nodes()) {
            restored.expect(node, groups(stage, i), i, stage.parallelism());
          }
        }
        DeferredWaker[] own = new DeferredWaker[stage.parallelism()];
        for (int i = 0; i < own.length; i++) {
          own[i] = new DeferredWaker();
          wakers.add(own[i]);
        }
        stageWakers.put(stage, own);
      }
      plan.exchanges().forEach(this::connect);
      Map<Stage, List<Building>> buildings = new LinkedHashMap<>();
      for (Stage stage : plan.stages()) {
        List<Building> ofStage = new ArrayList<>();
        for (int i = 0; i < stage.parallelism(); i++) {
          ofStage.add(new Building(stage, i));
        }
        buildings.put(stage, ofStage);
        opened.addAll(ofStage);
      }
      List<Runnable> operators = new ArrayList<>();
      buildings.values().forEach(all -> all.forEach(each -> operators.add(each::operators)));
      restored.inTurns(operators, config.workers());
      buildings.forEach(
          (stage, ofStage) -> {
            if (graph.node(stage.nodes().get(0)) instanceof Node.SourceNode source) {
              sourceStage(stage, source, ofStage);
            } else {
              ofStage.forEach(each -> each.finish(builder -> channelInput(stage, builder)));
            }
          });
      List<Runnable> openings = new ArrayList<>();
      tasks.forEach(task -> openings.add(task::open));
      restored.inTurns(openings, config.workers());
      restored.checkAllTaken(sources(), SinkRecovery.committingSinks(plan).keySet());
      restored.end();
    }

    private Manifest.GroupRange groups(Stage stage, int index) {
      int all = plan.keyGroups();
      return new Manifest.GroupRange(
          KeyGroups.firstGroup(index, stage.parallelism(), all),
          KeyGroups.firstGroup(index + 1, stage.parallelism(), all));
    }

    private DeferredWaker waker(Stage stage, int index) {
      DeferredWaker[] own = stageWakers.get(stage);
      if (own == null) {
        throw new IllegalStateException("no stage " + stage.id());
      }
      return own[index];
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void connect(Exchange exchange) {
      Stage from = plan.stages().get(exchange.fromStage());
      Stage to = plan.stages().get(exchange.toStage());
      boolean forward = exchange.kind() == Exchange.Kind.FORWARD;
      Channel<Batch>[][] all = new Channel[from.parallelism()][];
      ChannelFactory factory = new ChannelFactory(config, to.parallelism(), scheduler.clock());
      BatchPool[] pools = pools(to, factory);
      for (int i = 0; i < all.length; i++) {
        all[i] = new Channel[forward ? 1 : to.parallelism()];
        for (int j = 0; j < all[i].length; j++) {
          int receiver = forward ? i : j;
          all[i][j] = factory.channel(pools[receiver]);
          all[i][j].connect(waker(from, i), waker(to, receiver));
        }
      }
      channels.put(exchange, all);
    }

    /** One for each task of the stage, whatever exchanges end there. */
    private BatchPool[] pools(Stage receivers, ChannelFactory factory) {
      return poolsOfStage.computeIfAbsent(
          receivers,
          stage -> {
            BatchPool[] pools = new BatchPool[stage.parallelism()];
            Arrays.setAll(pools, i -> factory.pool());
            return pools;
          });
    }

    private Channel<Batch>[][] channels(Exchange exchange) {
      Channel<Batch>[][] all = channels.get(exchange);
      if (all == null) {
        throw new IllegalStateException("no exchange " + exchange.id());
      }
      return all;
    }

    /** A task that is being built. */
    private final class Building implements AutoCloseable {
      private final TaskSurroundings surroundings;
      private final StageBuilder builder;

      Building(Stage stage, int index) {
        surroundings = new TaskSurroundings(stage, index);
        builder =
            new StageBuilder(
                plan,
                stage,
                index,
                config,
                JobRuntime.this,
                scheduler.clock(),
                backend,
                classes,
                surroundings);
      }

      /** Its operators with their state. */
      void operators() {
        builder.operators();
      }

      /** The task, which is one of the job's from now on. */
      void finish(java.util.function.Function<StageBuilder, TaskInput> input) {
        StageTask task = builder.finish(input);
        opened.remove(this);
        tasks.add(task);
        pumps.addAll(surroundings.ownPumps);
        for (String node : builder.nodes()) {
          tasksOfNode.computeIfAbsent(node, n -> new ArrayList<>()).add(task);
        }
      }

      /** It comes to nothing. */
      @Override
      public void close() {
        builder.abandon();
      }
    }

    private TaskInput channelInput(Stage stage, StageBuilder builder) {
      List<Channel<Batch>> inputs = new ArrayList<>();
      List<Output> heads = new ArrayList<>();
      List<Sender> senders = new ArrayList<>();
      List<Inlet> inlets = new ArrayList<>();
      for (Exchange exchange : plan.inputsOf(stage)) {
        Output head = builder.head(exchange);
        Inlet inlet = inlet(exchange, builder.index(), stage.parallelism());
        Channel<Batch>[][] all = channels(exchange);
        boolean forward = exchange.kind() == Exchange.Kind.FORWARD;
        for (int i = 0; i < all.length; i++) {
          if (!forward || i == builder.index()) {
            inputs.add(all[i][forward ? 0 : builder.index()]);
            heads.add(head);
            senders.add(
                new Sender(exchange.from().toString(), exchange.fromStage() + "[" + i + "]"));
            inlets.add(inlet);
          }
        }
      }
      return TaskParts.of(classes, stage.nodes().get(0))
          .input(
              Values.cast(inputs.toArray(new Channel<?>[0])),
              heads.toArray(new Output[0]),
              senders.toArray(new Sender[0]),
              inlets,
              !(alignment() instanceof Alignment.AtLeastOnce),
              builder.keyContext(),
              builder.gate(),
              scheduler.clock());
    }

    private Alignment alignment() {
      CheckpointConfig settings = config.checkpoints();
      return settings == null ? new Alignment.Aligned() : settings.alignment();
    }

    private Inlet inlet(Exchange exchange, int task, int parallelism) {
      Port from = exchange.from();
      String node = exchange.targets().get(0).node();
      Supplier<RecordForm> form = () -> recordForm(from);
      return new Inlet(
          from.toString(),
          node,
          alignment() instanceof Alignment.UnalignedAfter ? form.get() : null,
          Batch.of(restored.inFlight(from.toString(), node, task, parallelism, form)));
    }

    private RecordForm recordForm(Port port) {
      if (graph.keyForm(port) instanceof Inferred.Found keys
          && graph.valueForm(port) instanceof Inferred.Found values) {
        return new RecordForm(keys.serde(), values.serde());
      }
      throw notWritten(unwritten(port));
    }

    /** Why records of an output cannot be written, a line for each reason. */
    private List<String> unwritten(Port port) {
      List<String> reasons = new ArrayList<>();
      if (graph.keyForm(port) instanceof Inferred.Missing keys) {
        reasons.add("keys of '" + port + "': " + keys.reason());
      }
      if (graph.valueForm(port) instanceof Inferred.Missing values) {
        reasons.add("values of '" + port + "': " + values.reason());
      }
      return reasons;
    }

    private StreamForgeException notWritten(List<String> reasons) {
      return new StreamForgeException(
          ErrorCode.CONFIG_INVALID,
          new ErrorContext(plan.job(), null, null, null, null),
          "records on their way between tasks cannot be part of a checkpoint:\n    "
              + String.join("\n    ", reasons),
          "Name the types with typed(…), or let the checkpoints be aligned.",
          null);
    }

    private void checkRecordForms() {
      List<String> reasons = new ArrayList<>();
      plan.exchanges().forEach(exchange -> reasons.addAll(unwritten(exchange.from())));
      if (alignment() instanceof Alignment.UnalignedAfter && !reasons.isEmpty()) {
        throw notWritten(reasons);
      }
    }

    private StreamForgeException notOpened(Node.SourceNode node, Exception e) {
      return SourceFailures.of(node.name(), e)
          .within(new ErrorContext(plan.job(), null, null, null, null));
    }

    private void sourceStage(Stage stage, Node.SourceNode node, List<Building> buildings) {
      SplitEnumerator enumerator;
      try {
        enumerator = node.source().enumerator(sourceContext(stage, node, 0, () -> {}));
      } catch (Exception e) {
        throw notOpened(node, e);
      }
      opened.add(enumerator);
      double maxRate = node.options().maxRate();
      Pacer pacer = maxRate > 0 ? new Pacer(maxRate) : null;
      Duration maxDrift = node.options().watermarks().maxDrift();
      SplitAlignment alignment =
          maxDrift == null ? null : new SplitAlignment(maxDrift.toMillis(), stage.parallelism());
      int first = tasks.size();
      for (int i = 0; i < stage.parallelism(); i++) {
        sourceTask(stage, node, i, buildings.get(i), pacer, alignment);
      }
      coordinators.add(
          new SourceCoordinator(
              node.name(),
              enumerator,
              node.source().bounded(),
              restored.splits(node.name()),
              tasks.subList(first, tasks.size()),
              JobRuntime.this,
              scheduler));
      opened.remove(enumerator);
    }

    private void sourceTask(
        Stage stage,
        Node.SourceNode node,
        int index,
        Building building,
        @Nullable Pacer pacer,
        @Nullable SplitAlignment alignment) {
      DeferredWaker self = waker(stage, index);
      SourceInputHolder holder = new SourceInputHolder(self);
      SourceReader<?, ?> reader;
      try {
        reader = node.source().reader(sourceContext(stage, node, index, holder));
      } catch (Exception e) {
        throw notOpened(node, e);
      }
      opened.add(reader);
      if (alignment != null) {
        alignment.connect(index, self);
      }
      building.finish(
          b -> {
            SplitInput input =
                SourceInputs.of(classes, node.name())
                    .create(
                        node.name(),
                        reader,
                        node.options().watermarks(),
                        node.source().hasTimestamps(),
                        pacer,
                        alignment,
                        index,
                        config.batchSize(),
                        scheduler,
                        self,
                        b.gate(),
                        b.counters(node.name()),
                        b.output(Port.main(node.name())),
                        e -> failed(SourceFailures.of(node.name(), e)));
            holder.input = input;
            return input;
          });
      opened.remove(reader);
    }

    private SourceContext sourceContext(
        Stage stage, Node.SourceNode node, int index, Runnable wake) {
      return new SourceContext(
          plan.job(), node.name(), index, stage.parallelism(), scheduler.clock(), wake);
    }

    /** What an operator's task needs from the job. */
    private final class TaskSurroundings implements StageBuilder.Surroundings {
      private final Stage stage;
      private final int index;
      private final List<SinkPump> ownPumps = new ArrayList<>();

      TaskSurroundings(Stage stage, int index) {
        this.stage = stage;
        this.index = index;
      }

      @Override
      public TaskOutput exchange(
          Exchange exchange, KeyContext keyContext, NodeCounters counters, Gate gate) {
        Channel<Batch>[] own = channels(exchange)[index];
        TaskParts parts = TaskParts.of(classes, exchange.from().node());
        TaskParts.SendingTask task =
            new TaskParts.SendingTask(keyContext, counters, gate, overflow(exchange.from()));
        return switch (exchange.kind()) {
          case HASH -> {
            int[] taskOfGroup = new int[plan.keyGroups()];
            for (int g = 0; g < taskOfGroup.length; g++) {
              taskOfGroup[g] = KeyGroups.taskOf(g, own.length, taskOfGroup.length);
            }
            yield parts.byKey(own, taskOfGroup, task);
          }
          case REBALANCE -> parts.inTurns(own, index, task);
          case FORWARD -> parts.forward(own[0], task);
        };
      }

      @Override
      public Overflow overflow(Port port) {
        return new MemoryOverflow(config.maxHeldRecords(), () -> spill(port));
      }

      private SpillFile spill(Port port) {
        ErrorContext context = new ErrorContext(plan.job(), port.node(), null, null, null);
        return new SpillFile(
            config.temporaryDirectory(),
            context,
            new RecordForm(
                spillSerde("keys", port, graph.keyForm(port)),
                spillSerde("values", port, graph.valueForm(port))));
      }

      private Serde<?> spillSerde(String what, Port port, Inferred form) {
        if (form instanceof Inferred.Found found) {
          return found.serde();
        }
        throw new StreamForgeException(
            ErrorCode.OUTPUT_LIMIT_EXCEEDED,
            // The task knows the node whose record it is, which may be before this one.
            new ErrorContext(plan.job(), null, null, null, null),
            "one record has more than "
                + config.maxHeldRecords()
                + " records of output in hand, and the "
                + what
                + " of '"
                + port.node()
                + "' cannot be spilled: "
                + ((Inferred.Missing) form).reason());
      }

      @Override
      public SinkWriter<Object, Object> directWriter(Node.SinkNode node) {
        try {
          return Values.cast(
              node.sink()
                  .writer(
                      new SinkContext(
                          plan.job(),
                          node.name(),
                          index,
                          stage.parallelism(),
                          scheduler.clock(),
                          checkpoints != null,
                          graph.renaming().ofNode(node.name()))));
        } catch (StreamForgeException e) {
          throw e.within(new ErrorContext(plan.job(), node.name(), null, null, null));
        } catch (Exception e) {
          throw new StreamForgeException(
              ErrorCode.SINK_FAILED,
              new ErrorContext(plan.job(), node.name(), null, null, null),
              "the sink could not be opened: " + Rendering.cause(e),
              e);
        }
      }

      @Override
      public TaskOutput pump(Node.SinkNode node, KeyContext keyContext, Gate gate) {
        ChannelFactory factory = new ChannelFactory(config, 1, scheduler.clock());
        Channel<Batch> channel = factory.channel(factory.pool());
        SinkPump pump =
            new SinkPump(
                node.name(),
                stage.id() + "[" + index + "]",
                index,
                JobRuntime.this,
                checkpoints == null ? null : checkpoints.control,
                checkpoints == null ? 0 : checkpoints.settings.timeout().toNanos(),
                () -> directWriter(node),
                channel,
                scheduler);
        ownPumps.add(pump);
        channel.connect(waker(stage, index), pump.waker());
        return TaskParts.of(classes, node.name())
            .forward(
                channel,
                new TaskParts.SendingTask(
                    keyContext, new NodeCounters(), gate, overflow(node.input())));
      }

      @Override
      public KeyKind<Object> keyKind(Port port) {
        if (graph.keyForm(port) instanceof Inferred.Found found) {
          return Values.cast(KeyKinds.of(found.serde()));
        }
        throw new IllegalStateException("no serde for the keys of " + port);
      }

      @Override
      public TaskCheckpoints.@Nullable Services checkpoints() {
        Checkpoints own = checkpoints;
        return own == null
            ? null
            : new TaskCheckpoints.Services(
                own.control, own.owner, scheduler, groups(), waker(stage, index));
      }

      private Manifest.GroupRange groups() {
        return Assembly.this.groups(stage, index);
      }

      @Override
      public RestoredStates restored(String node) {
        return restored.states(node, groups());
      }

      @Override
      public long restoredWatermark(String node) {
        return restored.watermark(node, groups());
      }

      @Override
      public long latestRestoredWatermark(String node) {
        return restored.latestWatermark(node);
      }

      @Override
      public JobTime jobTime() {
        return jobTime;
      }

      @Override
      public Output observed(String node, Output output) {
        return hooks.observed(node, output);
      }
    }
  }

  /** Passes a source's wake-up to its input and its task. */
  private static final class SourceInputHolder implements Runnable {
    private final DeferredWaker task;
    private volatile @Nullable SplitInput input;

    SourceInputHolder(DeferredWaker task) {
      this.task = task;
    }

    @Override
    public void run() {
      SplitInput target = input;
      if (target != null) {
        target.sourceWoken();
      }
      task.wake();
    }
  }
}
