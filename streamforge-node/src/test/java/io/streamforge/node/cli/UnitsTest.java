package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnitsTest {
  @Test
  void sizesHaveTheUnitThatFits() {
    assertThat(Units.size(0)).isEqualTo("0 B");
    assertThat(Units.size(1023)).isEqualTo("1023 B");
    assertThat(Units.size(1024)).isEqualTo("1.0 KiB");
    assertThat(Units.size((1 << 20) - 1)).isEqualTo("1.0 MiB");
    assertThat(Units.size(1_300_000)).isEqualTo("1.2 MiB");
    assertThat(Units.size(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
  }

  @Test
  void agesHaveTheirTwoLargestUnits() {
    assertThat(Units.age(Duration.ofMillis(999))).isEqualTo("0 s");
    assertThat(Units.age(Duration.ofSeconds(59))).isEqualTo("59 s");
    assertThat(Units.age(Duration.ofSeconds(60))).isEqualTo("1 min 0 s");
    assertThat(Units.age(Duration.ofSeconds(3 * 3600 + 1799))).isEqualTo("3 h 29 min");
    assertThat(Units.age(Duration.ofHours(53))).isEqualTo("2 d 5 h");
  }
}
