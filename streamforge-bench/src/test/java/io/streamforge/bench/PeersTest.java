package io.streamforge.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.streamforge.bench.forge.ForgeJob;
import io.streamforge.bench.hand.HandJob;
import io.streamforge.bench.measure.Checksums;
import io.streamforge.bench.workload.Job;
import io.streamforge.bench.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs each peer in a JVM of its own, with the libraries that the build has copied for it. */
class PeersTest {
  private static final Path TARGET = Path.of("target");
  private static final long RECORDS = 20_000;

  @ParameterizedTest
  @EnumSource(names = {"FLINK", "JET"})
  void peerHasTheSameOutputsAsTheLoop(BenchEngine peer) throws Exception {
    hasTheSameOutputs(
        peer, new HandJob(), Workload.ALL.stream().filter(Workload::onPeers).toList());
  }

  @Test
  void flinkHasTheSameOutputsAsTheTopologyWithCheckpointsAndStateOnDisk() throws Exception {
    hasTheSameOutputs(
        BenchEngine.FLINK,
        new ForgeJob(),
        List.of(Workload.of("W7"), Workload.of("W7-rocksdb"), Workload.of("R1"), Workload.TEXTS));
  }

  private static void hasTheSameOutputs(BenchEngine peer, Job other, List<Workload> workloads)
      throws Exception {
    assumeTrue(
        Files.isDirectory(peer.libraries(TARGET)),
        () -> peer.libraries(TARGET) + " is missing: mvn process-classes copies it");
    List<String> expected = new ArrayList<>();
    List<String> arguments = new ArrayList<>(List.of("2", Long.toString(RECORDS)));
    for (Workload workload : workloads) {
      expected.add(workload.id() + " " + Checksums.of(other, workload, 1, RECORDS));
      arguments.add(workload.id());
    }

    String output = new Fork(TARGET).run(peer, List.of("-Xmx512m"), Checksums.class, arguments);

    assertThat(output.lines().toList()).isEqualTo(expected);
  }
}
