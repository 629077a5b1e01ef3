package io.streamforge.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimesTest {
  @Test
  void noRecordIsMoreOutOfOrderThanPromised() {
    Times times = new Times(500);
    long latest = 0;
    for (long index = 0; index < 500_000; index++) {
      long millis = times.of(index);
      assertThat(millis).isBetween(Math.max(0, latest - 500), latest + 501);
      latest = Math.max(latest, millis);
    }
  }

  @Test
  void firstRecordThatReachesATimeIsFoundAsIfByLookingAtAll() {
    Times times = new Times(500);
    for (int task = 0; task < 3; task++) {
      long index = task;
      while (times.of(index) < 2_500) {
        index += 3;
      }
      assertThat(times.firstAtLeast(2_500, task, 3)).isEqualTo(index);
    }
  }
}
