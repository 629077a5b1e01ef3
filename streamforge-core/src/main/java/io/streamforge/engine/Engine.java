package io.streamforge.engine;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.streamforge.Topology;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.StateBackendProvider;
import io.streamforge.backend.StateBackends;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.config.Alignment;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.StateConfig;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.metrics.EventTimeReport;
import io.streamforge.metrics.JobMetrics;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Planner;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.QueriedNode;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.runtime.checkpoint.SinkRecovery;
import io.streamforge.scheduler.WorkerScheduler;
import io.streamforge.storage.CheckpointStorage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a topology in this process. Thread-safe.
 *
 * <pre>{@code
 * try (Engine engine = Engine.start(topology, EngineConfig.defaults())) {
 *   engine.awaitCompletion();
 * }
 * }</pre>
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** Of the heap, what entries in front of a store may take unless the settings say: a quarter. */
  private static final int HEAP_SHARE = 4;

  /** How long tasks may take to say how their event time stands. */
  private static final long WHY_SECONDS = 10;

  /** In the temporary directory, unless the settings name another place. */
  private static final String STATE_DIRECTORY = "streamforge-state";

  private final PhysicalPlan plan;
  private final Supervisor supervisor;
  private final EngineMetrics metrics;
  private final Storages storages;

  private Engine(
      PhysicalPlan plan, Supervisor supervisor, OpenTelemetry telemetry, Storages storages) {
    this.plan = plan;
    this.supervisor = supervisor;
    this.storages = storages;
    this.metrics = EngineMetrics.register(supervisor::job, telemetry);
  }

  /**
   * Opens all sources and sinks and starts to run: with {@linkplain EngineConfig#checkpoints
   * checkpoints} from the newest one that can be used, otherwise without any state. A job that had
   * finished finishes again at once. One that fails is started again as {@link
   * EngineConfig#restart} says.
   *
   * @throws StreamForgeException when a setting is out of range or something cannot be opened; then
   *     nothing has been read
   */
  public static Engine start(Topology topology, EngineConfig config) {
    return start(topology, config, GlobalOpenTelemetry.getOrNoop());
  }

  /**
   * As {@link #start(Topology, EngineConfig)}, with metrics shown through {@code telemetry} instead
   * of the global instance.
   */
  public static Engine start(Topology topology, EngineConfig config, OpenTelemetry telemetry) {
    config.validate();
    PhysicalPlan plan = Planner.plan(topology.graph(), config.parallelism(), config.keyGroups());
    warnOfRepeats(plan, config.checkpoints());
    RuntimeHooks hooks = stateIn(plan, config);
    Storages storages = new Storages();
    try {
      CheckpointPlace place = place(topology.name(), config, storages);
      return new Engine(
          plan,
          Supervisor.start(() -> attempt(topology, plan, config, place, hooks), config.restart()),
          telemetry,
          storages);
    } catch (Throwable e) {
      storages.close();
      throw e;
    }
  }

  private static void warnOfRepeats(PhysicalPlan plan, @Nullable CheckpointConfig settings) {
    Set<String> sinks = SinkRecovery.committingSinks(plan).keySet();
    if (settings != null
        && settings.alignment() instanceof Alignment.AtLeastOnce
        && !sinks.isEmpty()) {
      LOG.warn(
          "checkpoints of job '{}' are at least once: after a restart exactly-once sinks may show"
              + " some output twice: {}",
          plan.job(),
          String.join(", ", sinks));
    }
  }

  /** Opens the backends that the settings name, anew for each attempt. */
  private static RuntimeHooks stateIn(PhysicalPlan plan, EngineConfig config) {
    StateConfig state = config.state();
    Set<String> unknown = new TreeSet<>(state.nodes().keySet());
    plan.graph().nodes().forEach(node -> unknown.remove(node.name()));
    if (!unknown.isEmpty()) {
      throw new StreamForgeException(
          ErrorCode.CONFIG_INVALID,
          new ErrorContext(plan.job(), null, null, null, null),
          "the settings choose a state backend for nodes that the topology does not have: "
              + String.join(", ", unknown));
    }
    Set<String> names = new TreeSet<>(state.nodes().values());
    names.add(state.backend());
    StateBackends backends = StateBackends.load(Engine.class.getClassLoader());
    backends.check(names);
    Path directory = state.directory();
    StateBackendProvider.Place place =
        new StateBackendProvider.Place(
            plan.job(),
            directory != null ? directory : config.temporaryDirectory().resolve(STATE_DIRECTORY),
            state.nativeMemoryBytes(),
            state.heapBytes() > 0
                ? state.heapBytes()
                : Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    return new RuntimeHooks() {
      @Override
      public KeyedStateBackend backend() {
        return backends.open(state::backendOf, names, place);
      }
    };
  }

  private static JobRuntime attempt(
      Topology topology,
      PhysicalPlan plan,
      EngineConfig config,
      @Nullable CheckpointPlace place,
      RuntimeHooks hooks) {
    CompletableFuture<JobRuntime> started = new CompletableFuture<>();
    WorkerScheduler scheduler =
        new WorkerScheduler(
            "streamforge-" + topology.name(),
            config.workers(),
            config.closeTimeout().dividedBy(2),
            e -> started.thenAccept(runtime -> runtime.crashed(e)));
    JobRuntime runtime = JobRuntime.start(plan, config, place, scheduler, hooks);
    started.complete(runtime);
    return runtime;
  }

  private static @Nullable CheckpointPlace place(
      String job, EngineConfig config, Storages storages) {
    CheckpointConfig settings = config.checkpoints();
    if (settings == null) {
      return null;
    }
    String from = settings.from();
    CheckpointLog savepoint =
        from == null ? null : CheckpointLog.openExisting(storages.openExisting(from));
    CheckpointStorage storage = storages.openWithCopies(settings.location(), job, config.state());
    return storages.place(CheckpointLog.open(storage, job), savepoint);
  }

  /**
   * Takes a savepoint: a checkpoint whose output is visible, in a place of its own, from which this
   * or another topology can start at any parallelism. Returns when it is complete; the job goes on
   * meanwhile.
   *
   * @param location an empty place, written as that of {@link CheckpointConfig#location}
   * @return its number
   * @throws StreamForgeException when the job has no checkpoints or has ended, or the place is not
   *     empty or cannot be written
   * @throws InterruptedException when the waiting thread is interrupted; the savepoint goes on
   */
  public long savepoint(String location) throws InterruptedException {
    return savepoint(location, false);
  }

  /**
   * Takes a savepoint behind which nothing is read, and cancels the job. When it fails the job goes
   * on.
   *
   * @param location as for {@link #savepoint(String)}
   * @return its number
   * @throws StreamForgeException as {@link #savepoint(String)}
   * @throws InterruptedException as {@link #savepoint(String)}
   */
  public long stopWithSavepoint(String location) throws InterruptedException {
    return savepoint(location, true);
  }

  private long savepoint(String location, boolean stop) throws InterruptedException {
    CheckpointLog log = CheckpointLog.open(storages.open(location), job());
    try {
      return supervisor.job().savepoint(storages.place(log, null), stop).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StreamForgeException known) {
        throw known.within(new ErrorContext(job(), null, null, null, null));
      }
      throw new StreamForgeException(
          ErrorCode.INTERNAL,
          new ErrorContext(job(), null, null, null, null),
          "the savepoint failed: " + e.getCause(),
          e);
    }
  }

  /**
   * Live, read-only access to the state of a node, from any thread.
   *
   * <pre>{@code
   * StateQuery<Long> counts = engine.query("counts");
   * Long count = counts.get("tea"); // null when there is none
   * }</pre>
   *
   * @param node an aggregate, a windowed aggregate, or a processor with state
   * @param <V> what is read; as with a cast, the caller answers for it
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID}, naming the nodes with state,
   *     when this is none
   */
  public <V> StateQuery<V> query(String node) {
    return new StateQuery<>(supervisor, QueriedNode.of(plan, node));
  }

  /**
   * Why the event time of a node stands where it stands, and so why its windows do not close: which
   * input, source and split holds it back and since when, which record has brought it as far as it
   * is, and what the node does next. Its {@code toString()} is for people. Any thread.
   *
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID} when there is no such node;
   *     with {@link ErrorCode#QUERY_UNANSWERED} when a task has not answered within 10 seconds,
   *     since a function, source or sink that it calls takes longer
   * @throws InterruptedException when the waiting thread is interrupted
   */
  public EventTimeReport why(String node) throws InterruptedException {
    try {
      return supervisor.job().why(node).get(WHY_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new StreamForgeException(
          ErrorCode.QUERY_UNANSWERED,
          new ErrorContext(job(), node, null, null, null),
          "a task has not said within "
              + WHY_SECONDS
              + " s how its event time stands: a function or a step of its worker takes longer",
          e);
    } catch (ExecutionException e) {
      throw new StreamForgeException(
          ErrorCode.INTERNAL,
          new ErrorContext(job(), node, null, null, null),
          "event time could not be looked at: " + e.getCause(),
          e);
    }
  }

  /** Name of the job: that of its topology. */
  public String job() {
    return supervisor.job().job();
  }

  /** Where the job stands. */
  public JobStatus status() {
    return supervisor.status();
  }

  /**
   * Waits until all input has been processed and all output written.
   *
   * <p>When the job fails or is cancelled, calls of user functions, sources and sinks that are in
   * hand are waited for: they are not interrupted before {@link #close()}. The failure is logged at
   * once, but where one of these calls never returns neither does this method, and the one with a
   * timeout returns false. After {@link #close()} both throw the failure.
   *
   * @throws StreamForgeException when the job fails ({@link StreamForgeException#code} says how),
   *     or has been cancelled ({@link ErrorCode#JOB_STOPPED})
   * @throws InterruptedException when the waiting thread is interrupted; the job goes on
   */
  public void awaitCompletion() throws InterruptedException {
    supervisor.await();
    check();
  }

  /**
   * Waits for completion, but no longer than {@code timeout}.
   *
   * @return whether the job has completed
   * @throws StreamForgeException as {@link #awaitCompletion()}
   */
  public boolean awaitCompletion(Duration timeout) throws InterruptedException {
    if (!supervisor.await(timeout)) {
      return false;
    }
    check();
    return true;
  }

  private void check() {
    StreamForgeException failure = supervisor.failure();
    if (failure != null) {
      throw failure;
    }
    if (supervisor.status() == JobStatus.CANCELLED) {
      throw new StreamForgeException(
          ErrorCode.JOB_STOPPED,
          new ErrorContext(supervisor.job().job(), null, null, null, null),
          "the job was cancelled before its input had ended");
    }
  }

  /**
   * Ends all sources where they are, as if they had no more records: open windows fire, sinks are
   * completed, and the job finishes. Returns at once.
   */
  public void drain() {
    supervisor.drain();
  }

  /**
   * Stops the job where it is: open windows do not fire; what sinks have written is completed.
   * Returns at once.
   */
  public void cancel() {
    supervisor.cancel();
  }

  /** How often the job was started again after a failure. */
  public int restarts() {
    return supervisor.restarts();
  }

  /**
   * What the job has counted up to now; the last state when it has ended. Counts begin anew when
   * the job is started again.
   */
  public JobMetrics metrics() {
    return supervisor.job().metrics();
  }

  /**
   * Cancels the job if it still runs, and returns when its threads have ended: after {@link
   * EngineConfig#closeTimeout} at the latest, unless a user's function does not return.
   */
  @Override
  public void close() {
    metrics.close();
    supervisor.close();
    storages.close();
  }

  /**
   * Drains the job; if it has not finished by then, cancels it. Then as {@link #close()}.
   *
   * @return whether the job has finished
   */
  public boolean close(Duration drainTimeout) throws InterruptedException {
    supervisor.drain();
    boolean finished = supervisor.await(drainTimeout) && supervisor.status() == JobStatus.FINISHED;
    close();
    return finished;
  }
}
