package io.streamforge.connector.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.connector.SourceHarness;
import io.streamforge.connector.SourceHarness.Emitted;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.Split;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectionSourceTest {
  private enum Color {
    RED,
    BLUE {
      @Override
      public String toString() {
        return "azure";
      }
    }
  }

  private record Point(int x, int y) {}

  private record Box<T>(T content) {}

  @Test
  void recordsComeWithAllTheirParts() throws Exception {
    Headers headers = Headers.of("h", "1");
    CollectionSource<String, Integer> source =
        CollectionSource.of(List.of(Record.of("a", 1, 10), new Record<>("b", 2, -5L, headers)));

    assertThat(new SourceHarness<>(source).readAll().emitted())
        .containsExactly(
            new Emitted<>("0", "a", 1, 10, null, 1), new Emitted<>("0", "b", 2, -5, headers, 2));
    assertThat(source.hasTimestamps()).isTrue();
    assertThat(source.bounded()).isTrue();
  }

  @Test
  void valuesHaveNeitherKeysNorTimestamps() throws Exception {
    CollectionSource<Void, String> source = CollectionSource.ofValues("a", "b");

    assertThat(new SourceHarness<>(source).readAll().emitted())
        .containsExactly(
            new Emitted<>("0", null, "a", RecordOutput.NO_TIMESTAMP, null, 1),
            new Emitted<>("0", null, "b", RecordOutput.NO_TIMESTAMP, null, 2));
    assertThat(source.hasTimestamps()).isFalse();
    assertThat(source.keyType()).isEqualTo(Void.class);
  }

  @Test
  void listsThatAJobGoesOnWithAreNotFoundAgainAndAnotherNumberIsRefused() throws Exception {
    CollectionSource<Void, String> source = CollectionSource.ofValues("a", "b", "c").splits(2);
    List<Split> known = new SourceHarness<>(source).discover();

    assertThatThrownBy(() -> new SourceHarness<>(source.splits(3)).discoverBeside(known))
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STATE_INCOMPATIBLE);
              assertThat(e.summary())
                  .isEqualTo(
                      "the checkpoint has positions in 2 lists of this source, which has 3 now");
              assertThat(e.remedy())
                  .startsWith("Deal the records out as before, to 2 splits; or,")
                  .contains("name the old one in checkpoints.dropping");
            });
    assertThatThrownBy(
            () -> new SourceHarness<>(source).discoverBeside(List.of(new Split("a.txt", 3))))
        .hasMessageContaining("positions in 1 lists");
    assertThat(new SourceHarness<>(source).discoverBeside(known)).isEqualTo(known);
  }

  @Test
  void valuesMayBeNull() throws Exception {
    CollectionSource<Void, String> source = CollectionSource.ofValues(Arrays.asList("a", null));

    assertThat(new SourceHarness<>(source).readAll().values()).containsExactly("a", null);
  }

  @Test
  void recordsAreDealtOutInTurn() throws Exception {
    SourceHarness<Void, Integer> read =
        new SourceHarness<>(CollectionSource.ofValues(1, 2, 3, 4, 5).splits(2)).readAll();

    assertThat(read.values("0")).containsExactly(1, 3, 5);
    assertThat(read.values("1")).containsExactly(2, 4);
  }

  @Test
  void eachPartitionIsASplit() throws Exception {
    SourceHarness<String, Integer> read =
        new SourceHarness<>(
                CollectionSource.ofPartitions(
                    List.of(
                        List.of(Record.of("a", 1, 0L)),
                        List.<Record<String, Integer>>of(),
                        List.of(Record.of("b", 2, 0L)))))
            .readAll();

    assertThat(read.values("0")).containsExactly(1);
    assertThat(read.values("1")).isEmpty();
    assertThat(read.values("2")).containsExactly(2);
  }

  @Test
  void anEmptyCollectionEnds() throws Exception {
    assertThat(new SourceHarness<>(CollectionSource.ofValues(List.of())).readAll().emitted())
        .isEmpty();
  }

  @Test
  void restartFromAnyPositionGivesTheRest() throws Exception {
    SourceHarness.checkRestarts(CollectionSource.ofValues(1, 2, 3, 4, 5, 6, 7).splits(2));
  }

  @Test
  void moreRecordsThanOneTurnArriveInOrder() throws Exception {
    List<Integer> many = java.util.stream.IntStream.range(0, 5000).boxed().toList();

    assertThat(new SourceHarness<>(CollectionSource.ofValues(many)).room(5000).readAll().values())
        .isEqualTo(many);
  }

  @Test
  void changingTheListLaterChangesNothing() throws Exception {
    Integer[] values = {1, 2};
    CollectionSource<Void, Integer> source = CollectionSource.ofValues(values);
    values[0] = 9;

    assertThat(new SourceHarness<>(source).readAll().values()).containsExactly(1, 2);
  }

  @Test
  void typesAreThoseThatAllElementsHave() {
    assertThat(CollectionSource.ofValues("a", "b").valueType()).isEqualTo(String.class);
    assertThat(CollectionSource.ofValues(1L).valueType()).isEqualTo(Long.class);
    assertThat(CollectionSource.ofValues(new Point(1, 2)).valueType()).isEqualTo(Point.class);
    assertThat(CollectionSource.ofValues(Color.RED, Color.BLUE).valueType()).isEqualTo(Color.class);
    assertThat(CollectionSource.ofValues(Instant.EPOCH).valueType()).isEqualTo(Instant.class);
    assertThat(CollectionSource.ofValues(new byte[0], new byte[1]).valueType())
        .isEqualTo(byte[].class);
    assertThat(CollectionSource.of(List.of(Record.of("a", 1, 0L))).keyType())
        .isEqualTo(String.class);
  }

  @Test
  void typesThatTheElementsDoNotTellAreUnknown() {
    assertThat(CollectionSource.ofValues(1, "a").valueType()).isNull();
    assertThat(CollectionSource.ofValues(List.of()).valueType()).isNull();
    assertThat(CollectionSource.ofValues(List.of(List.of("a"))).valueType()).isNull();
    assertThat(CollectionSource.ofValues(new Box<>("a")).valueType()).isNull();
    assertThat(CollectionSource.ofValues(new StringBuilder(), "a").valueType()).isNull();
  }

  @Test
  void splitsBelowOneAreRefused() {
    assertThatThrownBy(() -> CollectionSource.ofValues(1).splits(0))
        .hasMessage("splits must be at least 1: 0");
  }

  @Test
  void collectingSinkKeepsWhatAllTasksWrite() throws Exception {
    CollectingSink<String, Integer> sink = new CollectingSink<>();
    SinkWriter<String, Integer> first =
        sink.writer(new SinkContext("job", "out", 0, 2, null, false));
    SinkWriter<String, Integer> second =
        sink.writer(new SinkContext("job", "out", 1, 2, null, false));

    first.write("a", 1, 10, null);
    second.write(null, 2, 20, null);

    assertThat(sink.records()).containsExactly(Record.of("a", 1, 10), Record.of(null, 2, 20));
    assertThat(sink.values()).containsExactly(1, 2);
    assertThat(sink.blocking()).isFalse();
  }
}
