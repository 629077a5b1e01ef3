package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.connector.Sources;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.connector.generator.GeneratorSource;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.source.Source;
import io.streamforge.testkit.sink.MarkedSink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sources whose splits would be others at another parallelism, or with another setting. */
class RescaledSourceTest {
  private static final int KEYS = 7;
  private static final int RECORDS = 300;

  private final SteppedJobs jobs = new SteppedJobs();
  private final MarkedSink<String, Long> sink = new MarkedSink<>();

  private static GeneratorSource<String, Long> generated() {
    return Sources.<String, Long>recordGenerator(
            (index, random) -> Record.of("k" + index % KEYS, index, index))
        .count(RECORDS);
  }

  private Topology counting(Source<String, Long> source) {
    return Topology.builder("counting")
        .source("in", source)
        .typed(String.class, Long.class)
        .groupByKey("keys")
        .count("count")
        .sink("out", sink)
        .build();
  }

  private List<String> shown() {
    return sink.records().stream().map(r -> r.key() + "=" + r.value()).toList();
  }

  private static List<String> counts() {
    List<String> counts = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      counts.add("k" + i % KEYS + "=" + (i / KEYS + 1));
    }
    return counts;
  }

  /** Dies when some of the records are shown, and not all. */
  private void runAndKill(Topology topology, int parallelism) {
    SteppedJobs.Running running = jobs.start(topology, parallelism, CheckpointConfig::aligned);
    int before = sink.records().size();
    jobs.run(running, () -> sink.records().size() > before);
    assertThat(sink.records()).hasSizeBetween(before + 1, RECORDS - 1);
    running.connection.kill();
  }

  private void finish(Topology topology, int parallelism) {
    SteppedJobs.Running running = jobs.start(topology, parallelism, CheckpointConfig::aligned);
    assertThat(running.job.restoredFrom()).isPositive();
    jobs.finish(running);
  }

  @ParameterizedTest
  @CsvSource({"1, 3", "3, 1", "2, 3", "3, 3"})
  void generatorGoesOnWithTheSplitsThatItBeganWith(int before, int after) {
    runAndKill(counting(generated()), before);
    finish(counting(generated()), after);

    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void generatorGoesOnAtOneParallelismAfterTheOther() {
    runAndKill(counting(generated()), 1);
    runAndKill(counting(generated()), 3);
    runAndKill(counting(generated()), 2);
    finish(counting(generated()), 1);

    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void generatorKeepsItsSplitsWhereAnotherNumberIsSet() {
    runAndKill(counting(generated().splits(2)), 2);
    finish(counting(generated().splits(5)), 3);

    assertThat(shown()).containsExactlyInAnyOrderElementsOf(counts());
  }

  @Test
  void generatorInPlaceOfAnotherSourceIsRefusedByTheNameOfItsNode() {
    runAndKill(counting(generated()), 2);
    List<Record<String, Long>> records = new ArrayList<>();
    for (long i = 0; i < RECORDS; i++) {
      records.add(Record.of("k" + i % KEYS, i, i));
    }

    assertThatThrownBy(
            () -> jobs.start(counting(CollectionSource.of(records)), 2, CheckpointConfig::aligned))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STATE_INCOMPATIBLE);
              assertThat(e.context().node()).isEqualTo("in");
            })
        .hasMessageContaining(
            "the checkpoint has positions in 2 lists of this source, which has 1");
  }
}
