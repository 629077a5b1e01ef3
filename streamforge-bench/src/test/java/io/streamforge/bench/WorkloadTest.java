package io.streamforge.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.bench.forge.ForgeJob;
import io.streamforge.bench.hand.HandJob;
import io.streamforge.bench.measure.Checksums;
import io.streamforge.bench.workload.Measure;
import io.streamforge.bench.workload.Shape;
import io.streamforge.bench.workload.Workload;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadTest {
  private static final long RECORDS = 120_000;

  static Stream<Arguments> workloadsAndParallelisms() {
    return Workload.ALL.stream()
        .filter(workload -> workload.measure() != Measure.BACKPRESSURE)
        .filter(workload -> !(workload.shape() instanceof Shape.LatestText))
        .flatMap(workload -> List.of(1, 2, 3).stream().map(tasks -> Arguments.of(workload, tasks)));
  }

  @ParameterizedTest
  @MethodSource("workloadsAndParallelisms")
  void topologyAndLoopHaveTheSameOutputs(Workload workload, int parallelism) throws Exception {
    String expected = Checksums.of(new HandJob(), workload, 1, RECORDS);

    assertThat(expected).doesNotEndWith(" of 0");
    assertThat(Checksums.of(new HandJob(), workload, parallelism, RECORDS)).isEqualTo(expected);
    assertThat(Checksums.of(new ForgeJob(), workload, parallelism, RECORDS)).isEqualTo(expected);
  }

  @Test
  void topologiesWithoutALoopRunToo() throws Exception {
    assertThat(Checksums.of(new ForgeJob(), Workload.of("restore-100b"), 2, RECORDS))
        .endsWith(" of " + RECORDS);
    assertThat(Checksums.of(new ForgeJob(), Workload.EXCHANGE, 2, RECORDS))
        .endsWith(" of " + RECORDS);
    assertThat(Checksums.of(new ForgeJob(), Workload.CACHED, 2, RECORDS)).doesNotEndWith(" of 0");
  }
}
