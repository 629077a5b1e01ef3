package io.streamforge.serde;

import io.streamforge.record.KeyValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A value or two of every built-in form. */
final class Samples {
  private Samples() {}

  /**
   * A value.
   *
   * @param serde its serde
   * @param value the value
   */
  record Sample<T>(Serde<T> serde, T value) {
    byte[] bytes() {
      ByteWriter output = new ByteWriter();
      serde.write(value, output);
      return output.toByteArray();
    }
  }

  enum Colour {
    RED,
    GREEN
  }

  record Nothing() {}

  record Order(long id, Integer amount, String note, Colour colour) {}

  record Nine(
      String a, String b, String c, String d, String e, String f, String g, String h, String i) {}

  record Pair<A, B>(A first, B second) {}

  record Tree(int value, List<Tree> children) {}

  static final class Account {
    private String owner = "";
    private int balance;
    private transient int cached;

    private Account() {}

    static Account of(String owner, int balance) {
      Account account = new Account();
      account.owner = owner;
      account.balance = balance;
      account.cached = 1;
      return account;
    }

    @Override
    public String toString() {
      return owner + ":" + balance + ":" + cached;
    }
  }

  sealed interface Shape permits Circle, Polygon, Unit {}

  record Circle(int radius) implements Shape {}

  sealed interface Polygon extends Shape permits Square {}

  record Square(int side) implements Polygon {}

  enum Unit implements Shape {
    UNIT
  }

  record Point(int x, int y) {}

  /** A serde of a user's own. */
  static final class PointSerde implements Serde<Point> {
    @Override
    public void write(Point value, ByteWriter output) {
      output.writeInt(value.x());
      output.writeInt(value.y());
    }

    @Override
    public Point read(ByteReader input) {
      return new Point(input.readInt(), input.readInt());
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "point";
    }
  }

  static List<Sample<?>> all() {
    List<Sample<?>> samples = new ArrayList<>();
    LocalDateTime local = LocalDateTime.of(2026, 3, 29, 12, 30, 15, 1);
    add(samples, Serdes.booleans(), true, false);
    add(samples, Serdes.singleBytes(), (byte) 7, (byte) -1);
    add(samples, Serdes.shorts(), (short) 300, (short) -1);
    add(samples, Serdes.ints(), 0, -1, 63, 64, Integer.MIN_VALUE);
    add(samples, Serdes.longs(), 1L, -300L, Long.MAX_VALUE);
    add(samples, Serdes.floats(), 1f, -0f, Float.NaN);
    add(samples, Serdes.doubles(), 1.5, Double.NEGATIVE_INFINITY);
    add(samples, Serdes.chars(), 'a', '€');
    add(samples, Serdes.string(), "", "a€😀", "\uD800");
    add(samples, Serdes.bytes(), new byte[0], new byte[] {1, -1});
    add(samples, Serdes.bigIntegers(), BigInteger.ZERO, BigInteger.ONE.shiftLeft(70).negate());
    add(samples, Serdes.bigDecimals(), new BigDecimal("1.00"), new BigDecimal("-1E+9"));
    add(samples, Serdes.uuids(), new UUID(1, -2));
    add(samples, Serdes.instants(), Instant.EPOCH, Instant.ofEpochSecond(-1, 5), Instant.MAX);
    add(samples, Serdes.durations(), Duration.ofMillis(1500), Duration.ofNanos(-1));
    add(samples, Serdes.periods(), Period.of(1, -2, 30));
    add(samples, Serdes.localDates(), LocalDate.EPOCH, LocalDate.of(2026, 12, 2), LocalDate.MIN);
    add(samples, Serdes.localTimes(), LocalTime.MIDNIGHT, LocalTime.MAX);
    add(samples, Serdes.localDateTimes(), local);
    add(samples, Serdes.offsetTimes(), OffsetTime.of(LocalTime.NOON, ZoneOffset.ofHours(-3)));
    add(samples, Serdes.offsetDateTimes(), OffsetDateTime.of(local, ZoneOffset.UTC));
    add(samples, Serdes.zonedDateTimes(), ZonedDateTime.of(local, ZoneId.of("Europe/Berlin")));
    add(samples, Serdes.years(), Year.of(2026), Year.of(-44));
    add(samples, Serdes.yearMonths(), YearMonth.of(2026, 12));
    add(samples, Serdes.monthDays(), MonthDay.of(2, 29));
    add(samples, Serdes.zoneIds(), ZoneId.of("Asia/Tokyo"), ZoneOffset.UTC);
    add(samples, Serdes.zoneOffsets(), ZoneOffset.ofHoursMinutes(5, 30));
    add(samples, Serdes.of(DayOfWeek.class), DayOfWeek.MONDAY);
    add(samples, Serdes.of(OptionalInt.class), OptionalInt.empty(), OptionalInt.of(-1));
    add(samples, Serdes.of(OptionalLong.class), OptionalLong.of(300));
    add(samples, Serdes.of(OptionalDouble.class), OptionalDouble.of(0.5));
    add(samples, Serdes.booleanArrays(), new boolean[] {true, false});
    add(samples, Serdes.shortArrays(), new short[] {1, -1});
    add(samples, Serdes.charArrays(), new char[] {'a'});
    add(samples, Serdes.intArrays(), new int[] {1, -1});
    add(samples, Serdes.longArrays(), new long[] {-1});
    add(samples, Serdes.floatArrays(), new float[] {1f});
    add(samples, Serdes.doubleArrays(), new double[] {1.5});
    add(samples, Serdes.of(String[].class), new String[] {"a", null});
    add(samples, Serdes.of(Colour.class), Colour.GREEN);
    containers(samples);
    structures(samples);
    return samples;
  }

  private static void containers(List<Sample<?>> samples) {
    add(samples, Serdes.list(Serdes.ints()), List.of(), List.of(1, 2), Arrays.asList(1, null));
    add(samples, Serdes.of(new TypeRef<LinkedList<Integer>>() {}), new LinkedList<>(List.of(1)));
    add(samples, Serdes.of(new TypeRef<Collection<Integer>>() {}), new ArrayList<>(List.of(1)));
    add(samples, Serdes.of(new TypeRef<Deque<Integer>>() {}), new ArrayDeque<>(List.of(1)));
    add(samples, Serdes.set(Serdes.ints()), Set.of(1));
    SortedSet<Integer> sorted = new TreeSet<>(List.of(2, 1));
    add(samples, Serdes.sortedSet(Serdes.ints()), sorted);
    add(samples, Serdes.enumSet(Colour.class), EnumSet.allOf(Colour.class));
    Map<String, Integer> map = new LinkedHashMap<>();
    map.put("b", 2);
    map.put("a", null);
    add(samples, Serdes.map(Serdes.string(), Serdes.ints()), Map.of("a", 1), map);
    SortedMap<String, Integer> sortedMap = new TreeMap<>(Map.of("b", 2, "a", 1));
    add(samples, Serdes.sortedMap(Serdes.string(), Serdes.ints()), sortedMap);
    EnumMap<Colour, Integer> enumMap = new EnumMap<>(Map.of(Colour.RED, 1, Colour.GREEN, 2));
    add(samples, Serdes.enumMap(Colour.class, Serdes.ints()), enumMap);
    add(samples, Serdes.optional(Serdes.ints()), Optional.empty(), Optional.of(1));
    add(samples, Serdes.optional(Serdes.optional(Serdes.ints())), Optional.of(Optional.empty()));
  }

  private static void structures(List<Sample<?>> samples) {
    add(samples, Serdes.of(Nothing.class), new Nothing());
    add(
        samples,
        Serdes.of(Order.class),
        new Order(1, -1, "x", Colour.RED),
        new Order(1, null, null, null));
    add(samples, Serdes.of(Nine.class), new Nine("a", null, "c", "d", "e", "f", "g", null, null));
    add(
        samples,
        Serdes.of(new TypeRef<Pair<String, List<Pair<Long, List<Integer>>>>>() {}),
        new Pair<>("a", List.of(new Pair<>(1L, List.of(1)))));
    add(samples, Serdes.keyValue(Serdes.string(), Serdes.longs()), KeyValue.of("k", 1L));
    Tree leaf = new Tree(2, List.of());
    add(samples, Serdes.of(Tree.class), new Tree(1, Arrays.asList(leaf, null)));
    add(samples, Serdes.of(Account.class), Account.of("me", 5));
    add(samples, Serdes.of(Shape.class), new Circle(1), new Square(2), Unit.UNIT);
    add(samples, new PointSerde(), new Point(1, 2));
    add(samples, Serdes.list(new PointSerde()), Arrays.asList(new Point(1, 2), null));
    add(
        samples,
        Serdes.mapped("millis", Serdes.longs(), Instant::toEpochMilli, Instant::ofEpochMilli),
        Instant.EPOCH);
  }

  @SafeVarargs
  private static <T> void add(List<Sample<?>> samples, Serde<T> serde, T... values) {
    for (T value : values) {
      samples.add(new Sample<>(serde, value));
    }
  }
}
