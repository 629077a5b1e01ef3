package io.streamforge.config;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where and how often the state of a job is saved. Immutable; {@link EngineConfig#validate} checks
 * it with all else.
 *
 * @param location a place that is this job's own: a directory, {@code file:} and a directory, or
 *     what another kind of storage takes, such as {@code s3://bucket/job}
 * @param interval from the beginning of one checkpoint to that of the next, 1 ms to 1 day. Output
 *     of an exactly-once sink is held for about as long
 * @param timeout how long a checkpoint may take before it is given up, 1 ms to 1 day. The job goes
 *     on, and the next one is taken
 * @param minPause from the end of a checkpoint to the beginning of the next at least, 0 to 1 day
 * @param retained how many of the newest checkpoints are kept, 1 to 1,000; one more is kept for
 *     when the newest turns out to be damaged
 * @param from place of a savepoint to begin with when there is no checkpoint at {@code location};
 *     null: begin without state
 * @param dropping nodes whose state may be left out when the job goes on without them, by the name
 *     that they have or had
 * @param alignment whether inputs wait for each other
 * @param slowAfter from which duration on a checkpoint is slow, 1 ms to 1 day: then the log says
 *     what has taken longest of it; null: from the interval on, but not below a second
 */
public record CheckpointConfig(
    String location,
    Duration interval,
    Duration timeout,
    Duration minPause,
    int retained,
    @Nullable String from,
    Set<String> dropping,
    Alignment alignment,
    @Nullable Duration slowAfter) {

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** Not null. */
  public CheckpointConfig {
    Objects.requireNonNull(location);
    Objects.requireNonNull(interval);
    Objects.requireNonNull(timeout);
    Objects.requireNonNull(minPause);
    Objects.requireNonNull(alignment);
    dropping = Set.copyOf(dropping);
  }

  /** Every 10 seconds, given up after 10 minutes, without a pause, 3 of them kept, aligned. */
  public static CheckpointConfig at(String location) {
    return new CheckpointConfig(
        location,
        Duration.ofSeconds(10),
        Duration.ofMinutes(10),
        Duration.ZERO,
        3,
        null,
        Set.of(),
        new Alignment.Aligned(),
        null);
  }

  /** With another {@link #interval}. */
  public CheckpointConfig every(Duration newInterval) {
    return new CheckpointConfig(
        location, newInterval, timeout, minPause, retained, from, dropping, alignment, slowAfter);
  }

  /** With another {@link #timeout}. */
  public CheckpointConfig givenUpAfter(Duration newTimeout) {
    return new CheckpointConfig(
        location, interval, newTimeout, minPause, retained, from, dropping, alignment, slowAfter);
  }

  /** With another {@link #minPause}. */
  public CheckpointConfig withPause(Duration newMinPause) {
    return new CheckpointConfig(
        location, interval, timeout, newMinPause, retained, from, dropping, alignment, slowAfter);
  }

  /** With another number of checkpoints {@link #retained}. */
  public CheckpointConfig retain(int newRetained) {
    return new CheckpointConfig(
        location, interval, timeout, minPause, newRetained, from, dropping, alignment, slowAfter);
  }

  /** Beginning with a savepoint when there is no checkpoint yet, see {@link #from}. */
  public CheckpointConfig startingFrom(String savepoint) {
    return new CheckpointConfig(
        location, interval, timeout, minPause, retained, savepoint, dropping, alignment, slowAfter);
  }

  /** Leaving out the state of these nodes, see {@link #dropping}. */
  public CheckpointConfig dropping(String... nodes) {
    return new CheckpointConfig(
        location, interval, timeout, minPause, retained, from, Set.of(nodes), alignment, slowAfter);
  }

  /** Slow from another duration on, see {@link #slowAfter}. */
  public CheckpointConfig slowAfter(Duration newSlowAfter) {
    return new CheckpointConfig(
        location, interval, timeout, minPause, retained, from, dropping, alignment, newSlowAfter);
  }

  /** From which duration on a checkpoint is slow, whether that was set or not. */
  public Duration slow() {
    Duration set = slowAfter;
    return set != null ? set : interval.compareTo(SECOND) < 0 ? SECOND : interval;
  }

  /** As {@link Alignment.Aligned}, the default. */
  public CheckpointConfig aligned() {
    return with(new Alignment.Aligned());
  }

  /** As {@link Alignment.UnalignedAfter}; {@link Duration#ZERO}: at once. */
  public CheckpointConfig unalignedAfter(Duration delay) {
    return with(new Alignment.UnalignedAfter(delay));
  }

  /** As {@link Alignment.AtLeastOnce}. */
  public CheckpointConfig atLeastOnce() {
    return with(new Alignment.AtLeastOnce());
  }

  private CheckpointConfig with(Alignment newAlignment) {
    return new CheckpointConfig(
        location, interval, timeout, minPause, retained, from, dropping, newAlignment, slowAfter);
  }

  void validate(List<String> problems) {
    if (location.isBlank()) {
      problems.add("checkpoints.location is empty, expected a directory or s3://bucket/job");
    }
    EngineConfig.duration(problems, "checkpoints.interval", interval, LEAST, DAY);
    EngineConfig.duration(problems, "checkpoints.timeout", timeout, LEAST, DAY);
    EngineConfig.duration(problems, "checkpoints.minPause", minPause, Duration.ZERO, DAY);
    Duration set = slowAfter;
    if (set != null) {
      EngineConfig.duration(problems, "checkpoints.slowAfter", set, LEAST, DAY);
    }
    EngineConfig.range(problems, "checkpoints.retained", retained, 1, 1_000);
    if (alignment instanceof Alignment.UnalignedAfter unaligned) {
      EngineConfig.duration(
          problems, "checkpoints.unalignedAfter", unaligned.delay(), Duration.ZERO, DAY);
    }
  }
}
