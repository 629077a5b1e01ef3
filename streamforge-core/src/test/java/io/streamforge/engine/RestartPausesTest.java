package io.streamforge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.config.RestartStrategy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartPausesTest {
  private static final long SHORT = Duration.ofMillis(1).toNanos();

  @Test
  void noneNeverStartsAgain() {
    assertThat(new RestartPauses(RestartStrategy.none()).next(SHORT)).isNull();
  }

  @Test
  void fixedGivesUpAfterItsAttempts() {
    RestartPauses pauses = new RestartPauses(RestartStrategy.fixed(2, Duration.ofSeconds(3)));

    assertThat(pauses.next(SHORT)).isEqualTo(Duration.ofSeconds(3));
    assertThat(pauses.next(SHORT)).isEqualTo(Duration.ofSeconds(3));
    assertThat(pauses.next(SHORT)).isNull();
  }

  @Test
  void backoffGrowsToItsBoundAndBeginsAnewWhenTheJobHasRunLongEnough() {
    RestartPauses pauses =
        new RestartPauses(
            new RestartStrategy.Backoff(
                Duration.ofMillis(100), Duration.ofMillis(350), 2, Duration.ofSeconds(10)));

    assertThat(pauses.next(SHORT)).isEqualTo(Duration.ofMillis(100));
    assertThat(pauses.next(SHORT)).isEqualTo(Duration.ofMillis(200));
    assertThat(pauses.next(SHORT)).isEqualTo(Duration.ofMillis(350));
    assertThat(pauses.next(Duration.ofSeconds(10).toNanos() - 1)).isEqualTo(Duration.ofMillis(350));
    assertThat(pauses.next(Duration.ofSeconds(10).toNanos())).isEqualTo(Duration.ofMillis(100));
    assertThat(pauses.next(SHORT)).isEqualTo(Duration.ofMillis(200));
  }
}
