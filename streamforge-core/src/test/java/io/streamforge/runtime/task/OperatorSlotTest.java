package io.streamforge.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.Manifest.GroupRange;
import io.streamforge.checkpoint.Manifest.GroupTime;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.GroupTimes;
import org.junit.jupiter.api.Test;

class OperatorSlotTest {
  private final OperatorSlot slot = new OperatorSlot("node", new NodeCounters(), false);

  @Test
  void groupsThatAreAheadOfTheTaskAreSavedAsSuchUntilItHasCaughtUp() {
    GroupRange groups = new GroupRange(2, 7);
    slot.watermark = 10;
    assertThat(slot.times(groups)).containsExactly(new GroupTime(groups, 10));

    slot.before = new GroupTimes(2, 8, new long[] {10, 20, 20, 30, 10});
    assertThat(slot.times(groups))
        .containsExactly(
            new GroupTime(new GroupRange(2, 3), 10),
            new GroupTime(new GroupRange(3, 5), 20),
            new GroupTime(new GroupRange(5, 6), 30),
            new GroupTime(new GroupRange(6, 7), 10));

    slot.watermark = 25;
    assertThat(slot.times(groups))
        .containsExactly(
            new GroupTime(new GroupRange(2, 5), 25),
            new GroupTime(new GroupRange(5, 6), 30),
            new GroupTime(new GroupRange(6, 7), 25));

    slot.watermark = 30;
    assertThat(slot.times(groups)).containsExactly(new GroupTime(groups, 30));
  }
}
