package io.streamforge.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlowSinkTest {
  private static long[] used(long first, long each) {
    long[] used = new long[40];
    for (int i = 0; i < used.length; i++) {
      used[i] = first + i * each;
    }
    return used;
  }

  @Test
  void memoryThatStaysIsFlat() {
    assertThat(SlowSink.judge(used(50_000_000, 10_000))).isEmpty();
  }

  @Test
  void memoryThatIsLostSlowlyIsNoticed() {
    assertThat(SlowSink.judge(used(50_000_000, 500_000)))
        .containsExactly("memory grows: 57,500,000 bytes used early, 67,500,000 late");
  }
}
