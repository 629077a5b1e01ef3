package io.streamforge.node.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was stored is shown without the classes it was of. */
class JsonValuesTest {
  enum Level {
    LOW,
    HIGH
  }

  sealed interface Shape {}

  record Circle(double radius) implements Shape {}

  record Group(List<Shape> parts) implements Shape {}

  record Tree(String name, @Nullable Tree left, List<Tree> others) {}

  record Point(int x, int y) {}

  record Times(Instant at, Duration took, LocalDate day, UUID id, BigDecimal cost, char sign) {}

  record Maps(Map<Level, Integer> levels, Map<Long, Point> byNumber, Map<Point, String> byPoint) {}

  record Rest(byte[] bytes, int[] ints, Optional<String> some, OptionalInt none, Set<String> set) {}

  /** A serde of the user's own. */
  private static final Serde<Point> OWN =
      new Serde<>() {
        @Override
        public void write(Point value, ByteWriter output) {
          output.writeByte(value.x);
          output.writeByte(value.y);
        }

        @Override
        public Point read(ByteReader input) {
          return new Point(input.readByte(), input.readByte());
        }

        @Override
        public boolean deterministic() {
          return true;
        }

        @Override
        public String name() {
          return "point";
        }

        @Override
        public Schema schema() {
          return Schema.opaque("point", 3);
        }
      };

  private static <T> String shown(Serde<T> serde, T value) {
    ByteWriter bytes = new ByteWriter();
    serde.write(value, bytes);
    Schema schema = serde.schema();
    Object read = schema.reader().read(new ByteReader(bytes.toByteArray()));
    return JsonValues.of(read, schema).toString();
  }

  @Test
  void alternativesOfASealedTypeSayWhichTheyAre() {
    Shape shape = new Group(List.of(new Circle(1.5), new Group(List.of())));
    assertThat(shown(Serdes.of(Shape.class), shape))
        .isEqualTo(
            "{\"@type\":\"Group\",\"parts\":[{\"@type\":\"Circle\",\"radius\":1.5},"
                + "{\"@type\":\"Group\",\"parts\":[]}]}");
  }

  @Test
  void typesThatContainThemselves() {
    Tree tree =
        new Tree("a", new Tree("b", null, List.of()), List.of(new Tree("c", null, List.of())));
    assertThat(shown(Serdes.of(Tree.class), tree))
        .isEqualTo(
            "{\"name\":\"a\",\"left\":{\"name\":\"b\",\"left\":null,\"others\":[]},"
                + "\"others\":[{\"name\":\"c\",\"left\":null,\"others\":[]}]}");
  }

  @Test
  void timesAndTheLikeAreTextAndNumbersStayNumbers() {
    Times times =
        new Times(
            Instant.EPOCH,
            Duration.ofSeconds(90),
            LocalDate.of(2024, 2, 29),
            new UUID(0, 1),
            new BigDecimal("1.50"),
            'x');
    assertThat(shown(Serdes.of(Times.class), times))
        .isEqualTo(
            "{\"at\":\"1970-01-01T00:00:00Z\",\"took\":\"PT1M30S\",\"day\":\"2024-02-29\","
                + "\"id\":\"00000000-0000-0000-0000-000000000001\",\"cost\":1.50,\"sign\":\"x\"}");
    assertThat(shown(Serdes.doubles(), Double.NaN)).isEqualTo("\"NaN\"");
  }

  @Test
  void mapsAreObjectsWhereTheirKeysAreSimple() {
    Map<Point, String> byPoint = new LinkedHashMap<>();
    byPoint.put(new Point(2, 1), "b");
    byPoint.put(new Point(1, 2), "a");
    assertThat(
            shown(
                Serdes.of(Maps.class),
                new Maps(Map.of(Level.HIGH, 1), Map.of(7L, new Point(1, 2)), byPoint)))
        .isEqualTo(
            "{\"levels\":{\"HIGH\":1},\"byNumber\":{\"7\":{\"x\":1,\"y\":2}},\"byPoint\":"
                + "[{\"key\":{\"x\":1,\"y\":2},\"value\":\"a\"},"
                + "{\"key\":{\"x\":2,\"y\":1},\"value\":\"b\"}]}");
  }

  @Test
  void bytesArraysOptionalsAndSets() {
    Rest rest =
        new Rest(
            new byte[] {1, 2},
            new int[] {3, 4},
            Optional.of("s"),
            OptionalInt.empty(),
            new LinkedHashSet<>(Arrays.asList("b", "a")));
    assertThat(shown(Serdes.of(Rest.class), rest))
        .isEqualTo(
            "{\"bytes\":\"AQI=\",\"ints\":[3,4],\"some\":\"s\",\"none\":null,\"set\":[\"a\",\"b\"]}");
  }

  @Test
  void whatOnlyASerdeOfTheUsersOwnUnderstandsIsItsBytes() {
    String point = "{\"form\":\"point\",\"version\":3,\"bytes\":\"AQI=\"}";
    assertThat(shown(OWN, new Point(1, 2))).isEqualTo(point);
    assertThat(shown(Serdes.list(OWN), List.of(new Point(1, 2)))).isEqualTo("[" + point + "]");
  }

  @Test
  void keysAreFoundAsTheyAreShownAndTextWithoutQuotes() {
    Schema strings = Serdes.string().schema();
    assertThat(new KeyMatcher("17").matches(JsonValues.of("17", strings))).isTrue();
    assertThat(new KeyMatcher("\"17\"").matches(JsonValues.of("17", strings))).isTrue();
    assertThat(new KeyMatcher("17").matches(JsonValues.of(17L, Serdes.longs().schema()))).isTrue();
    assertThat(new KeyMatcher("a b").matches(JsonValues.of("a b", strings))).isTrue();
    assertThat(new KeyMatcher("").matches(JsonValues.of("", strings))).isTrue();
    assertThat(new KeyMatcher("b").matches(JsonValues.of("a", strings))).isFalse();
    Schema points = Serdes.of(Point.class).schema();
    Object point = new Schema.StoredStructure(Point.class.getName(), Map.of("x", 1, "y", 2));
    assertThat(new KeyMatcher("{ \"x\": 1, \"y\": 2 }").matches(JsonValues.of(point, points)))
        .isTrue();
  }
}
