package io.streamforge.config;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an engine. Immutable; made by {@link #builder} or {@link #defaults}. {@link
 * #validate} reports everything that is wrong at once.
 *
 * @param parallelism tasks of each stage, 1 to {@code keyGroups}
 * @param workers threads that run tasks, at least 1
 * @param keyGroups number of key groups of the job, 1 to 32,768
 * @param batchSize records of a batch between tasks at most, 1 to 65,536; smaller where parallelism
 *     is high
 * @param creditsPerChannel batches that a channel between two tasks may hold at most, 1 to 1,024;
 *     how many it does hold follows {@code targetDelay}
 * @param targetDelay how long a record should wait in a channel at most, 1 ms to 1 minute: a sender
 *     may be ahead of its receiver by as many records as that one takes within this time
 * @param maxBatchDelay how long a record may wait for its batch to fill while input goes on
 * @param stepBudget records or results that a task handles before other tasks have their turn, 1 to
 *     1,048,576
 * @param maxHeldRecords output of one record that is held in memory when it finds no room; more is
 *     spilled to {@code temporaryDirectory}
 * @param temporaryDirectory where output is spilled; must exist
 * @param specialise whether each node gets its own copy of the classes on the way of its records,
 *     which is several times faster; off for debugging. The default is on, or what the system
 *     property {@code streamforge.specialise} says
 * @param closeTimeout how long {@code close} waits for threads that are in a user's function
 * @param state where keyed state lives while the job runs
 * @param checkpoints where and how often state is saved; null: not at all, a restart begins anew
 * @param restart whether a job that has failed is started again; needs checkpoints
 */
public record EngineConfig(
    int parallelism,
    int workers,
    int keyGroups,
    int batchSize,
    int creditsPerChannel,
    Duration targetDelay,
    Duration maxBatchDelay,
    int stepBudget,
    int maxHeldRecords,
    Path temporaryDirectory,
    boolean specialise,
    Duration closeTimeout,
    StateConfig state,
    @Nullable CheckpointConfig checkpoints,
    RestartStrategy restart) {

  /** Number of key groups unless the settings say else. */
  public static final int DEFAULT_KEY_GROUPS = 1024;

  /** One task and one worker a core. */
  public static EngineConfig defaults() {
    return builder().build();
  }

  /** Starts from the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts from these settings. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.parallelism = parallelism;
    builder.workers = workers;
    builder.keyGroups = keyGroups;
    builder.batchSize = batchSize;
    builder.creditsPerChannel = creditsPerChannel;
    builder.targetDelay = targetDelay;
    builder.maxBatchDelay = maxBatchDelay;
    builder.stepBudget = stepBudget;
    builder.maxHeldRecords = maxHeldRecords;
    builder.temporaryDirectory = temporaryDirectory;
    builder.specialise = specialise;
    builder.closeTimeout = closeTimeout;
    builder.state = state;
    builder.checkpoints = checkpoints;
    builder.restart = restart;
    return builder;
  }

  /**
   * Checks all settings.
   *
   * @return these settings
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} with a line for each problem
   */
  public EngineConfig validate() {
    List<String> problems = new ArrayList<>();
    range(problems, "keyGroups", keyGroups, 1, 32_768);
    range(problems, "parallelism", parallelism, 1, Math.max(1, keyGroups));
    range(problems, "workers", workers, 1, 1_024);
    range(problems, "batchSize", batchSize, 1, 65_536);
    range(problems, "creditsPerChannel", creditsPerChannel, 1, 1_024);
    range(problems, "stepBudget", stepBudget, 1, 1_048_576);
    range(problems, "maxHeldRecords", maxHeldRecords, 1, Integer.MAX_VALUE);
    Duration least = Duration.ofMillis(1);
    duration(problems, "targetDelay", targetDelay, least, Duration.ofMinutes(1));
    duration(problems, "maxBatchDelay", maxBatchDelay, Duration.ZERO, Duration.ofMinutes(1));
    duration(problems, "closeTimeout", closeTimeout, Duration.ZERO, Duration.ofDays(1));
    state.validate(problems);
    RestartStrategy.validate(restart, checkpoints != null, problems);
    if (checkpoints != null) {
      checkpoints.validate(problems);
    }
    if (!Files.isDirectory(temporaryDirectory)) {
      problems.add("temporaryDirectory is '" + temporaryDirectory + "', which is not a directory");
    }
    if (!problems.isEmpty()) {
      throw new StreamForgeException(
          ErrorCode.CONFIG_INVALID,
          ErrorContext.NONE,
          "the engine's settings are invalid:\n    " + String.join("\n    ", problems));
    }
    return this;
  }

  static void range(List<String> problems, String name, int value, int min, int max) {
    if (value < min || value > max) {
      problems.add(name + " is " + value + ", expected " + min + " to " + max);
    }
  }

  static void duration(
      List<String> problems, String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      problems.add(name + " is " + value + ", expected " + min + " to " + max);
    }
  }

  /** Sets what differs from the defaults. */
  public static final class Builder {
    private int parallelism = Runtime.getRuntime().availableProcessors();
    private int workers = Runtime.getRuntime().availableProcessors();
    private int keyGroups = DEFAULT_KEY_GROUPS;
    private int batchSize = 512;
    private int creditsPerChannel = 16;
    private Duration targetDelay = Duration.ofMillis(50);
    private Duration maxBatchDelay = Duration.ofMillis(5);
    private int stepBudget = 1_024;
    private int maxHeldRecords = 100_000;
    private Path temporaryDirectory = Path.of(System.getProperty("java.io.tmpdir", "."));
    private boolean specialise =
        Boolean.parseBoolean(System.getProperty("streamforge.specialise", "true"));
    private Duration closeTimeout = Duration.ofSeconds(10);
    private StateConfig state = StateConfig.memory();
    private @Nullable CheckpointConfig checkpoints;
    private RestartStrategy restart = RestartStrategy.none();

    private Builder() {}

    /** See {@link EngineConfig#parallelism}. */
    public Builder parallelism(int parallelism) {
      this.parallelism = parallelism;
      return this;
    }

    /** See {@link EngineConfig#workers}. */
    public Builder workers(int workers) {
      this.workers = workers;
      return this;
    }

    /** See {@link EngineConfig#keyGroups}. */
    public Builder keyGroups(int keyGroups) {
      this.keyGroups = keyGroups;
      return this;
    }

    /** See {@link EngineConfig#batchSize}. */
    public Builder batchSize(int batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    /** See {@link EngineConfig#creditsPerChannel}. */
    public Builder creditsPerChannel(int creditsPerChannel) {
      this.creditsPerChannel = creditsPerChannel;
      return this;
    }

    /** See {@link EngineConfig#targetDelay}. */
    public Builder targetDelay(Duration targetDelay) {
      this.targetDelay = targetDelay;
      return this;
    }

    /** See {@link EngineConfig#maxBatchDelay}. */
    public Builder maxBatchDelay(Duration maxBatchDelay) {
      this.maxBatchDelay = maxBatchDelay;
      return this;
    }

    /** See {@link EngineConfig#stepBudget}. */
    public Builder stepBudget(int stepBudget) {
      this.stepBudget = stepBudget;
      return this;
    }

    /** See {@link EngineConfig#maxHeldRecords}. */
    public Builder maxHeldRecords(int maxHeldRecords) {
      this.maxHeldRecords = maxHeldRecords;
      return this;
    }

    /** See {@link EngineConfig#temporaryDirectory}. */
    public Builder temporaryDirectory(Path temporaryDirectory) {
      this.temporaryDirectory = temporaryDirectory;
      return this;
    }

    /** See {@link EngineConfig#specialise}. */
    public Builder specialise(boolean specialise) {
      this.specialise = specialise;
      return this;
    }

    /** See {@link EngineConfig#closeTimeout}. */
    public Builder closeTimeout(Duration closeTimeout) {
      this.closeTimeout = closeTimeout;
      return this;
    }

    /** See {@link EngineConfig#state}. */
    public Builder state(StateConfig state) {
      this.state = state;
      return this;
    }

    /** See {@link EngineConfig#checkpoints}. */
    public Builder checkpoints(@Nullable CheckpointConfig checkpoints) {
      this.checkpoints = checkpoints;
      return this;
    }

    /** See {@link EngineConfig#restart}. */
    public Builder restart(RestartStrategy restart) {
      this.restart = restart;
      return this;
    }

    /** The settings, not yet validated. */
    public EngineConfig build() {
      return new EngineConfig(
          parallelism,
          workers,
          keyGroups,
          batchSize,
          creditsPerChannel,
          targetDelay,
          maxBatchDelay,
          stepBudget,
          maxHeldRecords,
          temporaryDirectory,
          specialise,
          closeTimeout,
          state,
          checkpoints,
          restart);
    }
  }
}
