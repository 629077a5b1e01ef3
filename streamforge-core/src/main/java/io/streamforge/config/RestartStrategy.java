package io.streamforge.config;

import java.time.Duration;
import java.util.List;

/**
 * Whether and when a job that has failed is started again from its last checkpoint. A job is never
 * started again when another process has taken it over, or when it cannot go on from what is
 * stored.
 */
public sealed interface RestartStrategy {
  /** Not at all. */
  record None() implements RestartStrategy {}

  /**
   * So many times at most, after the same pause each.
   *
   * @param attempts 1 to 1,000,000
   * @param delay 0 to 1 day
   */
  record Fixed(int attempts, Duration delay) implements RestartStrategy {}

  /**
   * For ever, after a pause that grows with each failure.
   *
   * @param initial the first pause, 1 ms to 1 day
   * @param most the longest pause, {@code initial} to 1 day
   * @param factor what a pause is longer than the one before, 1 to 10
   * @param resetAfter when the job has run for so long, the next pause is the first again; 1 ms to
   *     30 days
   */
  record Backoff(Duration initial, Duration most, double factor, Duration resetAfter)
      implements RestartStrategy {}

  /** A failure ends the job. */
  static RestartStrategy none() {
    return new None();
  }

  /** As {@link Fixed}. */
  static RestartStrategy fixed(int attempts, Duration delay) {
    return new Fixed(attempts, delay);
  }

  /** As {@link Backoff}, each pause twice as long, reset after ten minutes without a failure. */
  static RestartStrategy backoff(Duration initial, Duration most) {
    return new Backoff(initial, most, 2, Duration.ofMinutes(10));
  }

  /** From one second to one minute, as {@link #backoff(Duration, Duration)}. */
  static RestartStrategy backoff() {
    return backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));
  }

  /** Adds a line for each setting that is out of range. */
  static void validate(RestartStrategy strategy, boolean checkpointed, List<String> problems) {
    if (!(strategy instanceof None) && !checkpointed) {
      problems.add(
          "restart is set, but checkpoints are not: each restart would read all input anew; expected"
              + " both or neither");
    }
    Duration day = Duration.ofDays(1);
    Duration least = Duration.ofMillis(1);
    if (strategy instanceof Fixed fixed) {
      EngineConfig.range(problems, "restart.attempts", fixed.attempts, 1, 1_000_000);
      EngineConfig.duration(problems, "restart.delay", fixed.delay, Duration.ZERO, day);
    } else if (strategy instanceof Backoff backoff) {
      EngineConfig.duration(problems, "restart.initial", backoff.initial, least, day);
      EngineConfig.duration(problems, "restart.most", backoff.most, backoff.initial, day);
      EngineConfig.duration(
          problems, "restart.resetAfter", backoff.resetAfter, least, Duration.ofDays(30));
      if (!(backoff.factor >= 1 && backoff.factor <= 10)) {
        problems.add("restart.factor is " + backoff.factor + ", expected 1 to 10");
      }
    }
  }
}
