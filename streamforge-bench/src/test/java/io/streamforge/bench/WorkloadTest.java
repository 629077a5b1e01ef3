package io.streamforge.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadTest {
  private static final long RECORDS = 250_000;

  static Stream<Arguments> workloadsAndParallelisms() {
    return Workload.ALL.stream()
        .flatMap(workload -> List.of(1, 2, 3).stream().map(tasks -> Arguments.of(workload, tasks)));
  }

  @ParameterizedTest
  @MethodSource("workloadsAndParallelisms")
  void topologyAndLoopHaveTheSameOutputs(Workload workload, int parallelism)
      throws InterruptedException {
    long expected = workload.byHand(RECORDS, 1);

    assertThat(BenchEngine.HAND.run(workload, RECORDS, parallelism)).isEqualTo(expected);
    assertThat(BenchEngine.STREAMFORGE.run(workload, RECORDS, parallelism)).isEqualTo(expected);
  }
}
