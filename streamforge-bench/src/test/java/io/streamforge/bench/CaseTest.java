package io.streamforge.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.bench.workload.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class CaseTest {
  private static List<String> selected(String only) {
    return Case.selected(only).stream().map(Workload::id).toList();
  }

  @Test
  void workloadStandsForItsVariantsToo() {
    assertThat(selected("W2")).containsExactly("W2", "W2-1M");
  }

  @Test
  void variantStandsForItself() {
    assertThat(selected("W3, W2-1M")).containsExactly("W3", "W2-1M");
  }

  @Test
  void nothingStandsForAllThatNeedNotBeNamed() {
    assertThat(selected("")).contains("W1", "M2", "R1").doesNotContain("M2-zipf", "M2-uniform");
    assertThat(selected("M2")).containsExactly("M2-zipf", "M2-uniform", "M2");
  }

  @Test
  void unknownWorkloadIsNamedTogetherWithTheKnownOnes() {
    assertThatThrownBy(() -> Case.of("W2-2M"))
        .hasMessageContaining("'W2-2M', expected some of W1,");
  }
}
