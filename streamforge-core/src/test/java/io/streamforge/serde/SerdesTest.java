package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.Inferred.Found;
import io.streamforge.serde.Inferred.Missing;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SerdesTest {
  private static final int CASES = 500;
  private final Random random = new Random(42);

  enum Colour {
    RED,
    GREEN,
    BLUE {
      @Override
      public String toString() {
        return "azure";
      }
    }
  }

  private record Point(int x, long y) {}

  private record Empty() {}

  private record Pair<A, B>(A first, B second) {}

  private record Wide(
      String a,
      Integer b,
      Long c,
      Double d,
      Colour e,
      Point f,
      byte g,
      char h,
      List<Point> i,
      Optional<String> j,
      UUID k,
      boolean l,
      float m,
      short n) {}

  private record Tree(String name, List<Tree> children) {}

  private record Growing<T>(T value, Growing<List<T>> next) {}

  private record Wrapping(Object anything) {}

  private record Nested(Wrapping wrapping) {}

  private record Positive(int value) {
    Positive {
      if (value < 0) {
        throw new IllegalArgumentException("negative: " + value);
      }
    }
  }

  private static final class Pojo {}

  @Test
  void scalarsComeBack() {
    roundTrips(Serdes.booleans(), Random::nextBoolean);
    roundTrips(Serdes.singleBytes(), r -> (byte) r.nextInt());
    roundTrips(Serdes.shorts(), r -> (short) r.nextInt());
    roundTrips(Serdes.chars(), r -> (char) r.nextInt());
    roundTrips(Serdes.ints(), r -> (int) number(r));
    roundTrips(Serdes.longs(), SerdesTest::number);
    roundTrips(Serdes.floats(), r -> Float.intBitsToFloat(r.nextInt()));
    roundTrips(Serdes.doubles(), r -> Double.longBitsToDouble(r.nextLong()));
    roundTrips(Serdes.string(), SerdesTest::text);
    roundTrips(Serdes.uuids(), r -> new UUID(r.nextLong(), r.nextLong()));
    roundTrips(Serdes.bigIntegers(), SerdesTest::bigInteger);
    roundTrips(
        Serdes.bigDecimals(), r -> new BigDecimal(bigInteger(r), r.nextInt() >> r.nextInt(32)));
    roundTrips(Serdes.bytes(), r -> text(r).getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  @Test
  void timesComeBack() {
    List<ZoneId> zones =
        ZoneId.getAvailableZoneIds().stream().sorted().limit(300).map(ZoneId::of).toList();
    Function<Random, Instant> instant =
        r -> Instant.ofEpochSecond(r.nextLong() >> 30, r.nextInt(1_000_000_000));
    Function<Random, LocalDateTime> local =
        r -> LocalDateTime.ofInstant(instant.apply(r), ZoneOffset.UTC);
    Function<Random, ZoneOffset> offset =
        r -> ZoneOffset.ofTotalSeconds(r.nextInt(36 * 3600) - 18 * 3600);
    Function<Random, ZoneId> zone =
        r -> r.nextBoolean() ? offset.apply(r) : zones.get(r.nextInt(zones.size()));
    roundTrips(Serdes.instants(), instant);
    roundTrips(Serdes.durations(), r -> Duration.ofSeconds(r.nextLong(), r.nextInt(1_000_000)));
    roundTrips(Serdes.periods(), r -> Period.of(r.nextInt(), r.nextInt(100) - 50, r.nextInt()));
    roundTrips(Serdes.localDateTimes(), local);
    roundTrips(Serdes.localDates(), r -> local.apply(r).toLocalDate());
    roundTrips(Serdes.localTimes(), r -> local.apply(r).toLocalTime());
    roundTrips(Serdes.years(), r -> Year.of(r.nextInt(2_000_000) - 999_999));
    roundTrips(Serdes.yearMonths(), r -> YearMonth.of(r.nextInt(9999), 1 + r.nextInt(12)));
    roundTrips(Serdes.zoneIds(), zone);
    roundTrips(Serdes.zoneOffsets(), offset);
    roundTrips(Serdes.offsetDateTimes(), r -> OffsetDateTime.of(local.apply(r), offset.apply(r)));
    roundTrips(Serdes.zonedDateTimes(), r -> ZonedDateTime.of(local.apply(r), zone.apply(r)));
    for (Instant extreme : List.of(Instant.MIN, Instant.MAX, Instant.EPOCH)) {
      roundTrips(Serdes.instants(), r -> extreme);
    }
    roundTrips(Serdes.localDates(), r -> LocalDate.MIN);
    roundTrips(Serdes.localTimes(), r -> LocalTime.MAX);
    roundTrips(Serdes.durations(), r -> Duration.ofSeconds(Long.MIN_VALUE, 0));
  }

  @Test
  void theHourThatOccursTwiceComesBackAsItWas() {
    ZonedDateTime first =
        ZonedDateTime.of(LocalDateTime.of(2026, 10, 25, 2, 30), ZoneId.of("Europe/Berlin"));
    roundTrips(Serdes.zonedDateTimes(), r -> first.withEarlierOffsetAtOverlap());
    roundTrips(Serdes.zonedDateTimes(), r -> first.withLaterOffsetAtOverlap());
  }

  @Test
  void collectionsMapsAndOptionalsComeBackWithTheirNulls() {
    roundTrips(new TypeRef<List<String>>() {}, r -> texts(r, true));
    roundTrips(new TypeRef<ArrayList<String>>() {}, r -> new ArrayList<>(texts(r, true)));
    roundTrips(new TypeRef<LinkedList<String>>() {}, r -> new LinkedList<>(texts(r, true)));
    roundTrips(new TypeRef<Set<String>>() {}, r -> Set.copyOf(texts(r, false)));
    roundTrips(new TypeRef<SortedSet<String>>() {}, r -> new TreeSet<>(texts(r, false)));
    roundTrips(
        new TypeRef<Map<String, Long>>() {},
        r -> {
          Map<String, Long> map = new LinkedHashMap<>();
          texts(r, true).forEach(text -> map.put(text, r.nextInt(5) == 0 ? null : r.nextLong()));
          return map;
        });
    roundTrips(
        new TypeRef<SortedMap<Long, List<Point>>>() {},
        r -> new TreeMap<>(Map.of(r.nextLong(), List.of(point(r), point(r)))));
    roundTrips(new TypeRef<EnumSet<Colour>>() {}, r -> EnumSet.of(colour(r), colour(r)));
    roundTrips(
        new TypeRef<EnumMap<Colour, Point>>() {}, r -> new EnumMap<>(Map.of(colour(r), point(r))));
    roundTrips(new TypeRef<Optional<Point>>() {}, r -> Optional.of(point(r)));
    roundTrips(new TypeRef<Optional<Point>>() {}, r -> Optional.empty());
    Deque<String> deque =
        trip(Serdes.of(new TypeRef<Deque<String>>() {}), new ArrayDeque<>(List.of("a", "b")));
    assertThat(deque).containsExactly("a", "b");
  }

  @Test
  void arraysComeBack() {
    arrayRoundTrips(boolean[].class, new boolean[] {true, false});
    arrayRoundTrips(byte[].class, new byte[] {1, -1});
    arrayRoundTrips(short[].class, new short[] {Short.MIN_VALUE, 7});
    arrayRoundTrips(char[].class, new char[] {'a', '\uD800'});
    arrayRoundTrips(int[].class, new int[] {Integer.MIN_VALUE, 0});
    arrayRoundTrips(long[].class, new long[] {Long.MIN_VALUE, 0, -1});
    arrayRoundTrips(float[].class, new float[] {-0f, Float.NaN});
    arrayRoundTrips(double[].class, new double[] {-0d, Double.MIN_VALUE});
    arrayRoundTrips(long[].class, new long[0]);
    arrayRoundTrips(String[].class, new String[] {"a", null});
    arrayRoundTrips(Long[].class, new Long[0]);
    arrayRoundTrips(int[][].class, new int[][] {{1, 2}, null, {}});
    arrayRoundTrips(Point[][].class, new Point[][] {{new Point(1, 2), null}});
    List<Optional<String>[]> generic = new ArrayList<>();
    generic.add(genericArray(Optional.of("x")));
    assertThat(trip(Serdes.of(new TypeRef<List<Optional<String>[]>>() {}), generic).get(0))
        .containsExactly(Optional.of("x"));
  }

  @SafeVarargs
  private static <T> T[] genericArray(T... elements) {
    return elements;
  }

  @Test
  void privateRecordsComeBackWithTheirNulls() {
    roundTrips(Serdes.of(Point.class), SerdesTest::point);
    roundTrips(Serdes.of(Empty.class), r -> new Empty());
    roundTrips(
        Serdes.of(Wide.class),
        r ->
            new Wide(
                orNull(r, text(r)),
                orNull(r, r.nextInt()),
                orNull(r, r.nextLong()),
                orNull(r, r.nextDouble()),
                orNull(r, colour(r)),
                orNull(r, point(r)),
                (byte) r.nextInt(),
                (char) r.nextInt(),
                orNull(r, Arrays.asList(point(r), null)),
                orNull(r, Optional.of(text(r))),
                orNull(r, new UUID(r.nextLong(), r.nextLong())),
                r.nextBoolean(),
                r.nextFloat(),
                (short) r.nextInt()));
    roundTrips(
        new TypeRef<Pair<String, Pair<Long, List<Point>>>>() {},
        r -> new Pair<>(orNull(r, text(r)), new Pair<>(r.nextLong(), List.of(point(r)))));
    roundTrips(
        new TypeRef<KeyValue<String, KeyValue<Long, Colour>>>() {},
        r -> KeyValue.of(text(r), KeyValue.of(r.nextLong(), orNull(r, colour(r)))));
  }

  @Test
  void bytesOfRecordsNeverChange() {
    Serde<Wide> serde = Serdes.of(Wide.class);
    Wide wide =
        new Wide(
            "a",
            null,
            -3L,
            1.5,
            Colour.BLUE,
            new Point(1, 2),
            (byte) 7,
            'h',
            List.of(),
            Optional.empty(),
            null,
            true,
            1f,
            (short) 300);
    assertThat(hex(serde, wide))
        .isEqualTo(
            "0201"
                + "0161"
                + "05"
                + "3ff8000000000000"
                + "04424c5545"
                + "0204"
                + "07"
                + "0068"
                + "00"
                + "00"
                + "01"
                + "3f800000"
                + "d804");
  }

  @Test
  void wideningAWholeNumberLeavesItsBytesAsTheyAre() {
    for (int value : new int[] {0, 1, -1, 63, -64, 1000, Short.MIN_VALUE, Short.MAX_VALUE}) {
      assertThat(hex(Serdes.shorts(), (short) value))
          .isEqualTo(hex(Serdes.ints(), value))
          .isEqualTo(hex(Serdes.longs(), (long) value));
    }
  }

  @Test
  void allNansAreOneAndTheZerosAreTwo() {
    assertThat(hex(Serdes.doubles(), Double.longBitsToDouble(0x7FF8_0000_0000_0001L)))
        .isEqualTo(hex(Serdes.doubles(), Double.NaN))
        .isEqualTo("7ff8000000000000");
    assertThat(hex(Serdes.floats(), Float.intBitsToFloat(0xFFC0_0001)))
        .isEqualTo(hex(Serdes.floats(), Float.NaN));
    assertThat(hex(Serdes.doubles(), -0.0)).isNotEqualTo(hex(Serdes.doubles(), 0.0));
    assertThat(hex(Serdes.floats(), -0f)).isNotEqualTo(hex(Serdes.floats(), 0f));
  }

  @Test
  void onlyTypesOfFixedOrderAreDeterministic() {
    assertThat(Serdes.of(new TypeRef<List<Map<String, Long>>>() {}).deterministic()).isFalse();
    assertThat(Serdes.of(new TypeRef<Pair<Set<String>, Long>>() {}).deterministic()).isFalse();
    assertThat(Serdes.of(new TypeRef<SortedSet<Colour>>() {}).deterministic()).isFalse();
    assertThat(Serdes.of(new TypeRef<Optional<Set<String>>>() {}).deterministic()).isFalse();
    assertThat(Serdes.of(new TypeRef<List<SortedMap<String, Long>>>() {}).deterministic()).isTrue();
    assertThat(Serdes.of(new TypeRef<SortedSet<String>>() {}).deterministic()).isTrue();
    assertThat(Serdes.of(new TypeRef<EnumMap<Colour, int[]>>() {}).deterministic()).isTrue();
    assertThat(Serdes.of(Wide.class).deterministic()).isTrue();
    assertThat(Serdes.of(String[][].class).deterministic()).isTrue();
  }

  @Test
  void enumSetsAreWrittenInTheOrderOfNames() {
    assertThat(hex(Serdes.enumSet(Colour.class), EnumSet.allOf(Colour.class)))
        .isEqualTo("06" + "04424c5545" + "05475245454e" + "03524544");
  }

  @Test
  void mapsKeepTheOrderInWhichTheyWereWritten() {
    Map<String, Long> map = new LinkedHashMap<>();
    for (int i = 100; i > 0; i--) {
      map.put("k" + i, (long) i);
    }
    assertThat(trip(Serdes.of(new TypeRef<Map<String, Long>>() {}), map).keySet())
        .containsExactlyElementsOf(map.keySet());
  }

  @Test
  void aConstantThatNoLongerExistsIsNamed() {
    ByteWriter writer = new ByteWriter();
    writer.writeString("MAUVE");
    assertFails(
        () -> Serdes.enumOf(Colour.class).read(new ByteReader(writer.toByteArray())),
        "has no constant 'MAUVE'");
  }

  @Test
  void whatTheConstructorOfARecordRefusesIsAClearError() {
    ByteWriter writer = new ByteWriter();
    writer.writeSignedVarLong(-5);
    assertFails(
        () -> Serdes.of(Positive.class).read(new ByteReader(writer.toByteArray())),
        "refuses what was stored");
  }

  @Test
  void aComparatorThatWouldBeLostIsRefused() {
    SortedSet<String> reversed = new TreeSet<>(Comparator.reverseOrder());
    Serde<SortedSet<String>> serde = Serdes.sortedSet(Serdes.string());
    assertFails(() -> serde.write(reversed, new ByteWriter()), "comparator");
    SortedSet<String> natural = new TreeSet<>(Comparator.naturalOrder());
    natural.add("a");
    assertThat(trip(serde, natural)).containsExactly("a");
  }

  @Test
  void damagedBytesAreAClearErrorForEveryBuiltInType() {
    List<Serde<?>> serdes = new ArrayList<>();
    for (Type type :
        List.of(
            String.class,
            byte[].class,
            long[].class,
            BigInteger.class,
            BigDecimal.class,
            ZonedDateTime.class,
            LocalDate.class,
            LocalTime.class,
            YearMonth.class,
            Year.class,
            Instant.class,
            Duration.class,
            ZoneId.class,
            ZoneOffset.class,
            Wide.class,
            Colour.class,
            new TypeRef<List<Optional<Short>>>() {}.type(),
            Point[].class)) {
      serdes.add(((Found) Serdes.infer(type)).serde());
    }
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && bytes[0] < 0) {
        bytes[0] &= 0x3F;
      }
      Serde<?> serde = serdes.get(i % serdes.size());
      try {
        serde.read(new ByteReader(bytes));
      } catch (StreamForgeException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED);
      }
    }
  }

  @Test
  void aTypeWithoutSerdeSaysWhy() {
    assertMissing(Object.class, "java.lang.Object says too little");
    assertMissing(Number.class, "java.lang.Number says too little");
    assertMissing(List.class, "List without element type");
    assertMissing(Map.class, "Map without key and value type");
    assertMissing(Optional.class, "Optional without value type");
    assertMissing(KeyValue.class, "KeyValue without type arguments");
    assertMissing(
        Pojo.class, "class " + Pojo.class.getName() + " has no fields that could be stored");
    assertMissing(
        Runnable.class,
        "interface java.lang.Runnable is neither sealed nor one of the built-in types");
    assertMissing(new TypeRef<List<Object>>() {}.type(), "java.lang.Object says too little");
    assertMissing(new TypeRef<List<?>>() {}.type(), "java.lang.Object says too little");
    assertMissing(
        new TypeRef<SortedSet<Point>>() {}.type(),
        Point.class.getName() + " has no natural order, which SortedSet needs");
    assertMissing(
        new TypeRef<Function<String, String>>() {}.type(),
        "interface java.util.function.Function is neither sealed nor one of the built-in types");
    assertMissing(List.class.getTypeParameters()[0], "the type parameter E is not known");
    assertMissing(
        Nested.class,
        "java.lang.Object says too little (component 'anything' of record "
            + Wrapping.class.getName()
            + ")");
  }

  @Test
  void aTypeThatContainsItselfWithOtherTypeArgumentsHasNone() {
    assertThat(Serdes.infer(new TypeRef<Growing<String>>() {}.type()))
        .isInstanceOfSatisfying(
            Missing.class,
            missing ->
                assertThat(missing.reason())
                    .contains("contains itself with ever other type arguments"));
  }

  @Test
  void askingForASerdeThatDoesNotExistIsAnErrorWithTheReason() {
    assertFails(() -> Serdes.of(Pojo.class), "there is no serde for " + Pojo.class.getName());
    assertFails(
        () -> Serdes.of(new TypeRef<List<Pojo>>() {}), "has no fields that could be stored");
  }

  @Test
  void namesDescribeTheForm() {
    assertThat(Serdes.of(new TypeRef<Map<String, List<Long>>>() {}).name())
        .isEqualTo("map<string, list<long>>");
    assertThat(Serdes.of(Point[].class).name())
        .isEqualTo(Point.class.getName() + "(x: int, y: long)[]");
    assertThat(Serdes.of(DayOfWeek.class).name()).isEqualTo("java.time.DayOfWeek");
    assertThat(Serdes.of(int[].class).toString()).isEqualTo("int[]");
  }

  private static void assertMissing(Type type, String reason) {
    assertThat(Serdes.infer(type)).isEqualTo(new Missing(reason));
  }

  private <T> void roundTrips(TypeRef<T> type, Function<Random, T> values) {
    roundTrips(Serdes.of(type), values);
  }

  private <T> void roundTrips(Serde<T> serde, Function<Random, T> values) {
    for (int i = 0; i < CASES; i++) {
      T value = values.apply(random);
      T back = trip(serde, value);
      assertThat(back).as(serde.name()).isEqualTo(value);
      if (serde.deterministic()) {
        assertThat(hex(serde, back)).isEqualTo(hex(serde, value));
      }
    }
  }

  private static <T> void arrayRoundTrips(Class<T> type, T value) {
    Serde<T> serde = Serdes.of(type);
    T back = trip(serde, value);
    assertThat(back).isInstanceOf(type);
    assertThat(Arrays.deepEquals(new Object[] {back}, new Object[] {value})).isTrue();
  }

  private static <T> T trip(Serde<T> serde, T value) {
    ByteWriter writer = new ByteWriter();
    serde.write(value, writer);
    ByteReader reader = new ByteReader(writer.buffer(), 0, writer.size());
    T back = serde.read(reader);
    assertThat(reader.remaining()).isZero();
    return back;
  }

  private static <T> String hex(Serde<T> serde, T value) {
    ByteWriter writer = new ByteWriter();
    serde.write(value, writer);
    return HexFormat.of().formatHex(writer.toByteArray());
  }

  private static void assertFails(Runnable action, String message) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED))
        .hasMessageContaining(message);
  }

  private static <T> T orNull(Random random, T value) {
    return random.nextInt(3) == 0 ? null : value;
  }

  private static long number(Random random) {
    return random.nextLong() >> random.nextInt(64);
  }

  private static Point point(Random random) {
    return new Point((int) number(random), number(random));
  }

  private static Colour colour(Random random) {
    return Colour.values()[random.nextInt(3)];
  }

  private static BigInteger bigInteger(Random random) {
    BigInteger positive = new BigInteger(random.nextInt(200), random);
    return random.nextBoolean() ? positive : positive.negate();
  }

  private static String text(Random random) {
    return random
        .ints(random.nextInt(20), 0, random.nextBoolean() ? 0x80 : 0x10000)
        .collect(StringBuilder::new, (b, c) -> b.append((char) c), StringBuilder::append)
        .toString();
  }

  private static List<String> texts(Random random, boolean nulls) {
    List<String> texts = new ArrayList<>();
    for (int i = random.nextInt(10); i > 0; i--) {
      texts.add(nulls && random.nextInt(10) == 0 ? null : text(random));
    }
    return nulls && random.nextInt(5) == 0 ? Collections.unmodifiableList(texts) : texts;
  }
}
