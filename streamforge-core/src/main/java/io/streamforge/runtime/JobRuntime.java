package io.streamforge.runtime;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.Node;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Stage;
import io.streamforge.runtime.checkpoint.CheckpointCoordinator;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.runtime.checkpoint.Recovery;
import io.streamforge.runtime.checkpoint.RestoredJob;
import io.streamforge.runtime.checkpoint.SinkRecovery;
import io.streamforge.runtime.source.SourceCoordinator;
import io.streamforge.runtime.source.SplitInput;
import io.streamforge.runtime.task.JobControl;
import io.streamforge.runtime.task.JobTime;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.runtime.task.SinkPump;
import io.streamforge.runtime.task.StageTask;
import io.streamforge.runtime.task.StateRequest;
import io.streamforge.runtime.task.TaskTimes;
import io.streamforge.scheduler.DeferredWaker;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Task;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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
  private final JobParts parts;
  private final JobQueries queries;

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
  private record Checkpoints(LogOwner owner, CheckpointCoordinator coordinator) {}

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
    this.parts = new JobParts(plan.job());
    this.queries = new JobQueries(parts.tasks, scheduler);
    this.restored = restored;
    this.jobTime = new JobTime(scheduler.clock(), restored.jobTimeMillis());
    CheckpointConfig settings = config.checkpoints();
    if (owner == null || settings == null) {
      this.checkpoints = null;
    } else {
      CheckpointCoordinator coordinator =
          new CheckpointCoordinator(
              settings,
              owner,
              restored,
              JobAssembly.sources(plan),
              plan.keyGroups(),
              jobTime,
              this,
              scheduler);
      this.checkpoints = new Checkpoints(owner, coordinator);
    }
    this.backend = hooks.backend();
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
    job.releasingAtFailure(job::assemble);
    return job;
  }

  private void assemble() {
    CheckpointConfig settings = config.checkpoints();
    new JobAssembly(
            plan,
            config,
            scheduler,
            hooks,
            backend,
            restored,
            jobTime,
            this,
            checkpoints == null || settings == null
                ? null
                : new JobAssembly.Checkpointing(
                    settings, checkpoints.owner, hooks.control(checkpoints.coordinator)),
            parts)
        .assemble();
  }

  private void releasingAtFailure(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      stopping = true;
      parts.abandon();
      parts.closeOpened();
      parts.closeQuietly(backend);
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
    running.addAndGet(parts.tasks.size() + parts.pumps.size());
    register();
    parts.coordinators.forEach(SourceCoordinator::start);
  }

  private interface Markers {
    long of(String sink, int task);
  }

  private void openSinks(Markers markers) {
    int next = 0;
    for (Stage stage : plan.stages()) {
      for (int i = 0; i < stage.parallelism(); i++) {
        int index = i;
        parts.tasks.get(next++).openSinks(index, sink -> markers.of(sink, index));
      }
    }
    parts.pumps.forEach(pump -> pump.open(markers.of(pump.node(), pump.index())));
  }

  private void register() {
    int index = 0;
    for (Stage stage : plan.stages()) {
      for (int i = 0; i < stage.parallelism(); i++) {
        StageTask task = parts.tasks.get(index);
        DeferredWaker waker = parts.wakers.get(index);
        index++;
        task.mailbox().connect(waker);
        waker.target(
            scheduler.register(
                "task " + task.id() + " (" + String.join(", ", stage.nodes()) + ")", i, task));
      }
    }
    for (Task task : parts.coordinators) {
      addHelper("splits", task);
    }
    if (checkpoints != null) {
      CheckpointCoordinator coordinator = checkpoints.coordinator;
      parts.tasks.forEach(task -> coordinator.add(hooks.part(task)));
      parts.pumps.forEach(pump -> coordinator.addWriter(hooks.part(pump), pump.node()));
      coordinator.connect(addHelper("checkpoints", coordinator));
    }
    addHelper("housekeeping", new Housekeeping());
  }

  private DeferredWaker addHelper(String name, Task task) {
    DeferredWaker waker = new DeferredWaker();
    parts.wakers.add(waker);
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
      parts.coordinators.forEach(SourceCoordinator::stop);
      LOG.info("job '{}' has ended: {}", plan.job(), status);
      refuseSavepoints();
      ended.countDown();
      parts.wakeAll();
    }
  }

  private void stop(boolean failed) {
    stopping = true;
    parts.pumps.forEach(pump -> pump.stop(failed));
    parts.wakeAll();
  }

  /** Stops all tasks where they are; output that was written is complete. */
  public void cancel() {
    if (status == JobStatus.RUNNING && !stopping) {
      stop(false);
    }
  }

  /** Ends all sources as if they had no more records; the job then finishes by itself. */
  public void drain() {
    parts.coordinators.forEach(SourceCoordinator::stop);
    for (StageTask task : parts.tasks) {
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
    List<CompletableFuture<TaskTimes>> asked = parts.tasks.stream().map(StageTask::times).toList();
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
    parts.abandon();
    parts.closeQuietly(backend);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counters and times of all nodes and tasks. */
  public JobMetrics metrics() {
    return new MetricsReader(
            plan,
            parts.tasks,
            parts.tasksOfNode,
            parts.pumps,
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
      parts.pumps.forEach(SinkPump::tick);
      // Timers of processing time are waited for by the monotonic clock.
      long drift = wallDrift(now);
      if (Math.abs(drift - wallDrift) > JUMP_MILLIS) {
        wallDrift = drift;
        parts.wakeAll();
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
}
