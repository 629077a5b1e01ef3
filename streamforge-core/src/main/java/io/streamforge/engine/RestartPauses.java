package io.streamforge.engine;

import io.streamforge.config.RestartStrategy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long to wait before each restart of one job. Not thread-safe. */
final class RestartPauses {
  private static final double NANOS_PER_SECOND = 1e9;

  private final RestartStrategy strategy;
  private int restarts;
  private double pauseNanos;

  RestartPauses(RestartStrategy strategy) {
    this.strategy = strategy;
  }

  /**
   * The job has failed again.
   *
   * @param ranNanos how long it has run since it was started last
   * @return how long to wait; null: it is not started again
   */
  @Nullable Duration next(long ranNanos) {
    if (strategy instanceof RestartStrategy.Fixed fixed) {
      return restarts++ < fixed.attempts() ? fixed.delay() : null;
    }
    if (strategy instanceof RestartStrategy.Backoff backoff) {
      boolean first = pauseNanos == 0 || ranNanos >= nanos(backoff.resetAfter());
      pauseNanos =
          first
              ? nanos(backoff.initial())
              : Math.min(nanos(backoff.most()), pauseNanos * backoff.factor());
      return Duration.ofNanos((long) pauseNanos);
    }
    return null;
  }

  private static double nanos(Duration duration) {
    return duration.getSeconds() * NANOS_PER_SECOND + duration.getNano();
  }
}
