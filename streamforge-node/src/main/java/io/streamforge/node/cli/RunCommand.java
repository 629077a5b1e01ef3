package io.streamforge.node.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.RestartStrategy;
import io.streamforge.config.StateConfig;
import io.streamforge.connector.stdout.StdoutClosedException;
import io.streamforge.engine.Engine;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.Node;
import io.streamforge.runtime.JobStatus;
import io.streamforge.runtime.checkpoint.Recovery;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code streamforge run}. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a topology in this process until its input has ended.",
      "A first SIGINT or SIGTERM stops it where it is, and what sinks have written is completed."
          + " With checkpoints, output that waits for one is not: the next run goes on from the last."
    })
final class RunCommand implements Callable<Integer> {
  private static final Duration PROGRESS_PERIOD = Duration.ofSeconds(1);

  /** After so many of these {@code --why} is answered. */
  private static final int WHY_PERIODS = 5;

  private static final String CHECKPOINT_DIR = "STREAMFORGE_CHECKPOINT_DIR";
  private static final String STATE_BACKEND = "STREAMFORGE_STATE_BACKEND";
  private static final String STATE_DIR = "STREAMFORGE_STATE_DIR";

  @Mixin private TopologyArguments arguments = new TopologyArguments();

  @Option(
      names = "--parallelism",
      paramLabel = "N",
      description = "Tasks of each stage; default: one a core.")
  private @Nullable Integer parallelism;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Threads that run tasks; default: one a core.")
  private @Nullable Integer workers;

  @Option(
      names = "--key-groups",
      paramLabel = "N",
      description = "Key groups of the job; default: 1024.")
  private @Nullable Integer keyGroups;

  @Option(
      names = "--batch-size",
      paramLabel = "N",
      description = "Records of a batch at most; default: 512.")
  private @Nullable Integer batchSize;

  @Option(
      names = "--max-batch-delay-millis",
      paramLabel = "MILLIS",
      description = "How long a record waits for its batch to fill at most; default: 5.")
  private @Nullable Integer maxBatchDelayMillis;

  @Option(
      names = "--close-timeout-seconds",
      paramLabel = "SECONDS",
      description = "How long to wait for user functions when stopping; default: 10.")
  private @Nullable Integer closeTimeoutSeconds;

  @Option(
      names = "--checkpoint-dir",
      paramLabel = "LOCATION",
      description =
          "Where the job's checkpoints are kept, and what it goes on from: a directory,"
              + " file:PATH, or s3://BUCKET/PREFIX; default: "
              + CHECKPOINT_DIR
              + " of the environment; without either there are none.")
  private @Nullable String checkpointDir;

  @Option(
      names = "--checkpoint-interval-millis",
      paramLabel = "MILLIS",
      description = "From one checkpoint to the next; default: 10000.")
  private @Nullable Integer checkpointIntervalMillis;

  @Option(
      names = "--checkpoint-mode",
      paramLabel = "MODE",
      description =
          "What checkpoints do where inputs are slow: aligned waits for them; unaligned takes what"
              + " is on its way as part of it; at-least-once reads on, and some records count twice"
              + " after a restart. Default: aligned.")
  private @Nullable String checkpointMode;

  @Option(
      names = "--checkpoint-unaligned-after-millis",
      paramLabel = "MILLIS",
      description = "How long a checkpoint waits before it becomes unaligned; default: 0.")
  private @Nullable Integer checkpointUnalignedAfterMillis;

  @Option(
      names = "--state-backend",
      paramLabel = "[NODE=]NAME",
      description =
          "Where keyed state lives while the job runs: memory or rocksdb; with NODE= that of one"
              + " node, may be repeated. Default: "
              + STATE_BACKEND
              + " of the environment, or memory.")
  private List<String> stateBackends = new ArrayList<>();

  @Option(
      names = "--state-dir",
      paramLabel = "PATH",
      description =
          "Directory where state backends keep files while the job runs, and local copies of"
              + " checkpoints are, on a local disk; default: "
              + STATE_DIR
              + " of the environment, or a directory in that for temporary files.")
  private @Nullable String stateDir;

  @Option(
      names = "--local-copies",
      negatable = true,
      description =
          "Keep the data of checkpoints in S3 in the state directory as well, so that a restart on"
              + " this machine reads it from there; default: yes, where --state-dir or "
              + STATE_DIR
              + " is set.")
  private @Nullable Boolean localCopies;

  @Option(
      names = "--state-native-memory-mib",
      paramLabel = "MIB",
      description = "Memory outside the heap that state backends use at most; default: 256.")
  private @Nullable Integer stateNativeMemoryMib;

  @Option(
      names = "--from",
      paramLabel = "LOCATION",
      description = "The savepoint to begin with while there is no checkpoint.")
  private @Nullable String from;

  @Option(
      names = "--drop-state",
      paramLabel = "NODE",
      description = "Go on without the state of this node; may be repeated.")
  private List<String> dropped = new ArrayList<>();

  @Option(
      names = "--restart",
      negatable = true,
      description =
          "Start a job that has failed again from its last checkpoint, after 1 second to 1 minute;"
              + " default: no.")
  private boolean restart;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Show progress once a second; default: at a terminal.")
  private @Nullable Boolean progress;

  @Option(
      names = "--why",
      paramLabel = "NODE",
      description =
          "Say on stderr every five seconds why the event time of this node stands where it does;"
              + " may be repeated.")
  private List<String> why = new ArrayList<>();

  @Option(names = "--quiet", description = "Show neither progress nor the closing summary.")
  private boolean quiet;

  @Option(names = "--json", description = "Write the closing summary to stdout as JSON.")
  private boolean json;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description = "error, warn, info, debug or trace; default: warn.",
      defaultValue = "warn")
  private String logLevel = "warn";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    setLogLevel();
    if (showsProgress()) {
      showRestores();
    }
    EngineConfig config = config();
    Topology topology = arguments.load();
    checkWhy(topology);
    PrintWriter err = spec.commandLine().getErr();
    CheckpointConfig checkpoints = config.checkpoints();
    Summary summary = new Summary(checkpoints == null ? null : checkpoints.location());
    AtomicBoolean signalled = new AtomicBoolean();
    CountDownLatch closed = new CountDownLatch(1);
    CompletableFuture<Engine> started = new CompletableFuture<>();
    // Before the job starts, so that a signal finds the hook as soon as there is output.
    Thread hook = new Thread(() -> stop(started, signalled, closed), "streamforge-signal");
    Runtime.getRuntime().addShutdownHook(hook);
    try (Engine engine = Engine.start(topology, config)) {
      started.complete(engine);
      try {
        await(engine, summary, err);
      } finally {
        summary.finish(engine.metrics());
      }
    } catch (StdoutClosedException e) {
      // Whoever read the output has seen enough.
      return 0;
    } catch (StreamForgeException e) {
      print(summary, err);
      if (e.code() == ErrorCode.JOB_STOPPED && signalled.get()) {
        // What was asked for; the JVM's exit code names the signal.
        return 0;
      }
      throw e;
    } finally {
      started.cancel(false);
      closed.countDown();
      removeHook(hook);
    }
    print(summary, err);
    return 0;
  }

  private void checkWhy(Topology topology) throws UsageException {
    List<String> nodes = topology.graph().nodes().stream().map(Node::name).toList();
    for (String node : why) {
      if (!nodes.contains(node)) {
        throw new UsageException(
            "--why is '" + node + "', expected one of " + String.join(", ", nodes));
      }
    }
  }

  private void sayWhy(Engine engine, PrintWriter err) throws InterruptedException {
    for (String node : why) {
      try {
        err.println(engine.why(node));
      } catch (StreamForgeException e) {
        err.println("'" + node + "': " + e.summary());
      }
    }
    err.flush();
  }

  private void setLogLevel() throws UsageException {
    Level level = Level.toLevel(logLevel, null);
    if (level == null) {
      throw new UsageException(
          "--log-level is '" + logLevel + "', expected error, warn, info, debug or trace");
    }
    ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(level);
  }

  private boolean showsProgress() {
    return !quiet && (progress != null ? progress : System.console() != null);
  }

  /**
   * Shows what the job goes on from, and how far that has been read, as progress whatever else is
   * logged: nothing else can be shown before the job has started.
   */
  private static void showRestores() {
    Logger logger = (Logger) LoggerFactory.getLogger(Recovery.class);
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(logger.getLoggerContext());
    encoder.setPattern("%msg%n");
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(logger.getLoggerContext());
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  private EngineConfig config() throws UsageException {
    EngineConfig.Builder builder = EngineConfig.builder();
    if (parallelism != null) {
      builder.parallelism(parallelism);
    }
    if (workers != null) {
      builder.workers(workers);
    }
    if (keyGroups != null) {
      builder.keyGroups(keyGroups);
    }
    if (batchSize != null) {
      builder.batchSize(batchSize);
    }
    if (maxBatchDelayMillis != null) {
      builder.maxBatchDelay(Duration.ofMillis(maxBatchDelayMillis));
    }
    if (closeTimeoutSeconds != null) {
      builder.closeTimeout(Duration.ofSeconds(closeTimeoutSeconds));
    }
    if (restart) {
      builder.restart(RestartStrategy.backoff());
    }
    return builder.state(state()).checkpoints(checkpoints()).build().validate();
  }

  private StateConfig state() throws UsageException {
    String ofAll = fromEnvironment(STATE_BACKEND);
    StateConfig state = StateConfig.of(ofAll == null ? StateConfig.MEMORY : ofAll);
    for (String choice : stateBackends) {
      int equals = choice.indexOf('=');
      if (choice.isBlank() || equals == 0 || equals == choice.length() - 1) {
        throw new UsageException("--state-backend is '" + choice + "', expected NAME or NODE=NAME");
      }
      state =
          equals < 0
              ? state.with(choice)
              : state.withNode(choice.substring(0, equals), choice.substring(equals + 1));
    }
    String directory = stateDir != null ? stateDir : fromEnvironment(STATE_DIR);
    if (directory != null) {
      try {
        state = state.inDirectory(Path.of(directory));
      } catch (InvalidPathException e) {
        throw new UsageException("--state-dir is '" + directory + "', which is not a path");
      }
    }
    if (localCopies != null && localCopies && directory == null) {
      throw new UsageException(
          "--local-copies needs a place for them: add --state-dir PATH, or set " + STATE_DIR);
    }
    if (localCopies != null && !localCopies) {
      state = state.withoutLocalCopies();
    }
    return stateNativeMemoryMib == null
        ? state
        : state.withNativeMemory(Math.multiplyExact((long) stateNativeMemoryMib, 1L << 20));
  }

  /** A variable that is set and says something. */
  private static @Nullable String fromEnvironment(String variable) {
    String value = System.getenv(variable);
    return value == null || value.isBlank() ? null : value;
  }

  private @Nullable CheckpointConfig checkpoints() throws UsageException {
    String location = checkpointDir != null ? checkpointDir : fromEnvironment(CHECKPOINT_DIR);
    if (location == null) {
      if (checkpointIntervalMillis != null
          || checkpointMode != null
          || checkpointUnalignedAfterMillis != null
          || from != null
          || !dropped.isEmpty()
          || restart) {
        throw new UsageException(
            "--checkpoint-interval-millis, --checkpoint-mode, --checkpoint-unaligned-after-millis,"
                + " --from, --drop-state and --restart need a place for checkpoints: add --checkpoint-dir LOCATION, or set "
                + CHECKPOINT_DIR);
      }
      return null;
    }
    CheckpointConfig checkpoints =
        aligned(CheckpointConfig.at(location)).dropping(dropped.toArray(new String[0]));
    if (checkpointIntervalMillis != null) {
      checkpoints = checkpoints.every(Duration.ofMillis(checkpointIntervalMillis));
    }
    return from == null ? checkpoints : checkpoints.startingFrom(from);
  }

  private CheckpointConfig aligned(CheckpointConfig checkpoints) throws UsageException {
    Integer afterMillis = checkpointUnalignedAfterMillis;
    String implied = afterMillis == null ? "aligned" : "unaligned";
    String mode = checkpointMode == null ? implied : checkpointMode;
    if (afterMillis != null && !mode.equals("unaligned")) {
      throw new UsageException(
          "--checkpoint-unaligned-after-millis needs --checkpoint-mode unaligned, not " + mode);
    }
    return switch (mode) {
      case "aligned" -> checkpoints.aligned();
      case "unaligned" ->
          checkpoints.unalignedAfter(Duration.ofMillis(afterMillis == null ? 0 : afterMillis));
      case "at-least-once" -> checkpoints.atLeastOnce();
      default ->
          throw new UsageException(
              "--checkpoint-mode is '" + mode + "', expected aligned, unaligned or at-least-once");
    };
  }

  private void await(Engine engine, Summary summary, PrintWriter err) throws Exception {
    boolean show = showsProgress();
    for (int seconds = 1; !engine.awaitCompletion(PROGRESS_PERIOD); seconds++) {
      if (show) {
        err.println(summary.progress(engine.metrics()));
        err.flush();
      }
      if (seconds % WHY_PERIODS == 1) {
        sayWhy(engine, err);
      }
    }
  }

  /**
   * On a signal: stops the job and waits until its output is complete. It is not drained: with
   * checkpoints it would have finished for good.
   */
  private static void stop(
      CompletableFuture<Engine> started, AtomicBoolean signalled, CountDownLatch closed) {
    try {
      Engine engine = started.get(1, TimeUnit.MINUTES);
      if (engine.status() == JobStatus.RUNNING || engine.status() == JobStatus.RESTARTING) {
        signalled.set(true);
        engine.cancel();
        closed.await(1, TimeUnit.MINUTES);
      }
    } catch (ExecutionException | CancellationException | TimeoutException e) {
      // The job has not started: there is nothing to stop.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is on its way down already.
    }
  }

  private void print(Summary summary, PrintWriter err) {
    if (json) {
      spec.commandLine().getOut().println(summary.json());
      spec.commandLine().getOut().flush();
    } else if (!quiet) {
      err.print(summary.table());
      err.flush();
    }
  }
}
