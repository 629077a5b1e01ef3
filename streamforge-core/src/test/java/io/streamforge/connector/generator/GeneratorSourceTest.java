package io.streamforge.connector.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.streamforge.connector.SourceHarness;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import java.util.HashSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class GeneratorSourceTest {
  private static GeneratorSource<Void, Long> indexes() {
    return GeneratorSource.values((index, random) -> index);
  }

  private static GeneratorSource<Void, Long> randoms() {
    return GeneratorSource.values((index, random) -> random.nextLong() ^ random.nextInt());
  }

  @Test
  void countEndsTheSource() throws Exception {
    assertThat(new SourceHarness<>(indexes().count(5)).readAll().values())
        .containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(new SourceHarness<>(indexes().count(0)).readAll().values()).isEmpty();
    assertThat(indexes().count(5).bounded()).isTrue();
    assertThat(indexes().bounded()).isFalse();
  }

  @Test
  void eachSplitHasItsShare() throws Exception {
    SourceHarness<Void, Long> read =
        new SourceHarness<>(indexes().count(7)).parallelism(3).readAll();

    assertThat(read.values("0/3")).containsExactly(0L, 3L, 6L);
    assertThat(read.values("1/3")).containsExactly(1L, 4L);
    assertThat(read.values("2/3")).containsExactly(2L, 5L);
  }

  @Test
  void elementsDependOnTheSeedAndNotOnTheParallelism() throws Exception {
    List<Long> one = new SourceHarness<>(randoms().seed(7).count(50)).readAll().values();
    List<Long> four =
        new SourceHarness<>(randoms().seed(7).count(50)).parallelism(4).readAll().values();
    List<Long> otherSeed = new SourceHarness<>(randoms().seed(8).count(50)).readAll().values();

    assertThat(four).containsExactlyInAnyOrderElementsOf(one);
    assertThat(otherSeed).doesNotContainAnyElementsOf(one);
    assertThat(new HashSet<>(one)).hasSize(50);
  }

  @Test
  void restartFromAnyPositionGivesTheRest() throws Exception {
    SourceHarness.checkRestarts(randoms().count(20).splits(3));
  }

  @Test
  void splitsThatAJobGoesOnWithAreAllThereAreAtAnyParallelism() throws Exception {
    List<Split> three = new SourceHarness<>(indexes()).parallelism(3).discover();

    for (int parallelism : List.of(1, 3, 4)) {
      assertThat(new SourceHarness<>(indexes()).parallelism(parallelism).discoverBeside(three))
          .as("parallelism %d", parallelism)
          .isEmpty();
    }
    assertThat(new SourceHarness<>(indexes().splits(5)).discoverBeside(three)).isEmpty();
    assertThat(new SourceHarness<>(indexes()).discoverBeside(List.of(new Split("0/1", 7))))
        .isEmpty();
  }

  @Test
  void splitsThatAreNotAllOfOneGeneratorAreRefused() {
    for (List<String> ids :
        List.of(
            List.of("0/3", "1/3"),
            List.of("0/1", "0/2", "1/2"),
            List.of("3/3", "0/3", "1/3"),
            List.of("data/orders.csv"),
            List.of("0"))) {
      List<Split> known = ids.stream().map(id -> new Split(id, 0)).toList();
      assertThatThrownBy(() -> new SourceHarness<>(indexes()).discoverBeside(known))
          .asInstanceOf(type(StreamForgeException.class))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_INCOMPATIBLE))
          .extracting(StreamForgeException::summary)
          .asString()
          .endsWith("are not those of one generator: '" + String.join("', '", ids) + "'");
    }
  }

  @Test
  void recordsHaveTheirOwnTimestampsUnlessTheyAreSet() throws Exception {
    GeneratorSource<String, Long> records =
        GeneratorSource.<String, Long>records((i, random) -> Record.of("k" + i, i, 100 + i))
            .count(1);

    assertThat(new SourceHarness<>(records).readAll().emitted())
        .containsExactly(new SourceHarness.Emitted<>("0/1", "k0", 0L, 100, null, 1));
    assertThat(
            new SourceHarness<>(records.timestamps(i -> i - 1))
                .readAll()
                .emitted()
                .get(0)
                .timestampMillis())
        .isEqualTo(-1);
    assertThat(records.hasTimestamps()).isTrue();
  }

  @Test
  void valuesHaveNoTimestampsUnlessTheyAreSet() throws Exception {
    assertThat(indexes().hasTimestamps()).isFalse();
    assertThat(new SourceHarness<>(indexes().count(1)).readAll().emitted().get(0).timestampMillis())
        .isEqualTo(RecordOutput.NO_TIMESTAMP);
    assertThat(indexes().timestamps(i -> i * 10).hasTimestamps()).isTrue();
  }

  @Test
  void rateFollowsTheClockOfTheJob() throws Exception {
    SourceHarness<Void, Long> job = new SourceHarness<>(indexes().ratePerSecond(10));
    SourceReader<Void, Long> reader = job.open(job.discover());

    assertThat(job.drain(reader)).isEqualTo(ReadStatus.WAITING);
    assertThat(job.values()).containsExactly(0L);

    job.clock().advanceMillis(99);
    assertThat(job.drain(reader)).isEqualTo(ReadStatus.WAITING);
    assertThat(job.values()).containsExactly(0L);

    job.clock().advanceMillis(1);
    job.drain(reader);
    assertThat(job.values()).containsExactly(0L, 1L);

    job.clock().advanceMillis(1000);
    job.drain(reader);
    assertThat(job.values()).isEqualTo(LongStream.range(0, 12).boxed().toList());
  }

  @Test
  void rateIsThatOfAllSplitsTogether() throws Exception {
    SourceHarness<Void, Long> job = new SourceHarness<>(indexes().ratePerSecond(10).splits(4));
    SourceReader<Void, Long> reader = job.open(job.discover());

    job.drain(reader);
    job.clock().advanceMillis(1000);
    job.drain(reader);

    assertThat(job.values())
        .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 11).boxed().toList());
  }

  @Test
  void failureOfTheFunctionNamesTheElement() {
    GeneratorSource<Void, Long> source =
        GeneratorSource.<Long>values(
                (index, random) -> {
                  if (index == 2) {
                    throw new IllegalStateException("two");
                  }
                  return index;
                })
            .count(5);

    assertThatThrownBy(() -> new SourceHarness<>(source).readAll())
        .hasMessageContaining("two")
        .hasMessageContaining("element 2")
        .asInstanceOf(type(StreamForgeException.class))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FUNCTION_FAILED));
  }

  @Test
  void typesAreThoseOfTheFunction() {
    assertThat(indexes().valueType()).isEqualTo(Long.class);
    assertThat(indexes().keyType()).isEqualTo(Void.class);
    assertThat(
            GeneratorSource.values(
                    new ValueGenerator<List<String>>() {
                      @Override
                      public List<String> at(long index, java.util.random.RandomGenerator random) {
                        return List.of();
                      }
                    })
                .valueType())
        .hasToString("java.util.List<java.lang.String>");
    assertThat(GeneratorSource.values((index, random) -> List.of("a")).valueType()).isNull();
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> indexes().count(-1)).hasMessageContaining("count");
    assertThatThrownBy(() -> indexes().ratePerSecond(0)).hasMessageContaining("ratePerSecond");
    assertThatThrownBy(() -> indexes().ratePerSecond(Double.NaN))
        .hasMessageContaining("ratePerSecond");
    assertThatThrownBy(() -> indexes().splits(0)).hasMessageContaining("splits");
  }
}
