package io.streamforge.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.bench.workload.Standstills.Standstill;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StandstillsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Standstills standstills = new Standstills(nanos::get);

  private static void outputs(Standstills.Watch watch) {
    for (int i = 0; i < 64; i++) {
      watch.output();
    }
  }

  @Test
  void taskWithoutOutputsForAMillisecondHasStoodStill() {
    Standstills.Watch busy = standstills.watch();
    Standstills.Watch stopped = standstills.watch();

    for (int i = 1; i <= 10; i++) {
      nanos.set(i * 100_000);
      outputs(busy);
    }
    outputs(stopped);

    assertThat(standstills.all()).containsExactly(new Standstill(1, 0, 1_000_000));
    assertThat(standstills.tasks()).isEqualTo(2);
  }

  @Test
  void nextStandstillBeginsWithTheLastOutput() {
    Standstills.Watch watch = standstills.watch();
    nanos.set(1_000_000);
    outputs(watch);
    nanos.set(3_000_000);
    outputs(watch);

    assertThat(standstills.all())
        .containsExactly(new Standstill(0, 0, 1_000_000), new Standstill(0, 1_000_000, 3_000_000));
  }
}
