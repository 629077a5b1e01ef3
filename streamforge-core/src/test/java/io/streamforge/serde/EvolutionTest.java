package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was stored with the classes of one release, read with those of the next. */
class EvolutionTest {
  private static final String STATE = "state 'totals' of node 'per-user'";

  /** The classes as they were. */
  interface Old {
    record Order(long id, int amount, String note) {}

    record Basket(String owner, List<Order> orders, Map<Colour, Order> byColour) {}

    record Maybe(Integer number, Optional<String> text, Optional<Integer> count) {}

    record Blank() {}

    record Tree(int value, List<Tree> children) {}

    record Even(int value, Odd next) {}

    record Odd(int value, Even next) {}

    enum Colour {
      RED,
      GREEN
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Held(Circle shape) {}

    final class Account {
      String owner = "";
      int balance;

      Account() {}
    }
  }

  /** The classes as they are. */
  interface New {
    record Basket(
        List<Wider.Order> orders, Map<Colour, Wider.Order> byColour, @Default("7") int rank) {}

    record Maybe(
        @Default("-1") int number, @Default("none") String text, @Nullable Integer count) {}

    record Blank(@Default("x") String text) {}

    record Tree(long value, List<Tree> children) {}

    record Even(int value, Odd next) {}

    record Odd(int value, Even next, @Nullable String added) {}

    enum Colour {
      BLUE,
      GREEN,
      @Previously("RED")
      SCARLET
    }

    sealed interface Shape permits Triangle, Circle, Rectangle {}

    record Triangle(int a, int b, int c) implements Shape {}

    record Circle(int radius) implements Shape {}

    @Previously("Square")
    record Rectangle(@Previously("side") int width, @Default("1") int height) implements Shape {}

    record Held(Shape shape) {}

    final class Account {
      String currency = "EUR";
      long balance;

      @Previously("owner")
      String holder = "";

      transient int cached = 5;

      Account() {}
    }
  }

  /** Only wider numbers, at the same places. */
  interface Wider {
    record Order(long id, long amount, String note) {}

    record Tree(long value, List<Tree> children) {}

    enum Colour {
      BLUE,
      RED,
      GREEN
    }

    sealed interface Shape permits Circle, Square, Dot {}

    record Circle(long radius) implements Shape {}

    record Square(int side) implements Shape {}

    enum Dot implements Shape {
      DOT
    }
  }

  /** What does not fit. */
  interface Wrong {
    record Order(long id, String amount, String note) {}

    enum Colour {
      GREEN
    }

    sealed interface Shape permits Circle {}

    record Circle(int radius) implements Shape {}

    record Tree(String value, List<Tree> children, int added) {}
  }

  private record Purchase(long id, int amount, String note) {}

  @Previously("Order")
  private record Sale(long id, int amount, String note) {}

  /** A serde of a user's own, of which there are two versions. */
  private record Place(int x, int y) {}

  private static final class PlaceSerde implements Serde<Place> {
    private final int version;

    PlaceSerde(int version) {
      this.version = version;
    }

    @Override
    public void write(Place value, ByteWriter output) {
      output.writeInt(value.x);
      if (version > 1) {
        output.writeInt(value.y);
      }
    }

    @Override
    public Place read(ByteReader input) {
      return new Place(input.readInt(), input.readInt());
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "place";
    }

    @Override
    public Schema schema() {
      return Schema.opaque("place", version);
    }

    @Override
    public Reading<Place> reading(Schema stored) {
      return version == 2 && stored.equals(Schema.opaque("place", 1))
          ? Reading.converted(input -> new Place(input.readInt(), 0))
          : Serde.super.reading(stored);
    }
  }

  private final Random random = new Random(11);

  // What is read as it lies there.

  @Test
  void theSameSchemaIsReadByTheSerdeItself() {
    Serde<Old.Basket> serde = Serdes.of(Old.Basket.class);
    assertThat(serde.reading(serde.schema())).isEqualTo(Reading.asStored(serde));
    assertThat(asStored(serde, Serdes.of(Old.Basket.class))).isTrue();
  }

  @Test
  void widerWholeNumbersAreReadAsTheyLieThere() {
    assertThat(asStored(Serdes.shorts(), Serdes.ints())).isTrue();
    assertThat(asStored(Serdes.shorts(), Serdes.longs())).isTrue();
    assertThat(asStored(Serdes.ints(), Serdes.longs())).isTrue();
    assertThat(asStored(Serdes.of(Old.Order.class), Serdes.of(Wider.Order.class))).isTrue();
    assertThat(evolve(Serdes.of(Old.Order.class), new Old.Order(1, -2, "n"), Wider.Order.class))
        .isEqualTo(new Wider.Order(1, -2, "n"));
  }

  @Test
  void aTypeThatContainsItselfIsReadAsItLiesThereWhenAllOfItIs() {
    assertThat(asStored(Serdes.of(Old.Tree.class), Serdes.of(Wider.Tree.class))).isTrue();
    Old.Tree tree = new Old.Tree(1, List.of(new Old.Tree(2, List.of()), new Old.Tree(3, null)));
    assertThat(evolve(Serdes.of(Old.Tree.class), tree, Wider.Tree.class))
        .isEqualTo(
            new Wider.Tree(1, List.of(new Wider.Tree(2, List.of()), new Wider.Tree(3, null))));
  }

  @Test
  void constantsAndSubtypesMayBeAddedAndMoved() {
    assertThat(asStored(Serdes.of(Old.Colour.class), Serdes.of(Wider.Colour.class))).isTrue();
    assertThat(evolve(Serdes.of(Old.Colour.class), Old.Colour.GREEN, Wider.Colour.class))
        .isEqualTo(Wider.Colour.GREEN);
    assertThat(asStored(Serdes.of(Old.Shape.class), Serdes.of(Wider.Shape.class))).isTrue();
    assertThat(evolve(Serdes.of(Old.Shape.class), new Old.Circle(3), Wider.Shape.class))
        .isEqualTo(new Wider.Circle(3));
  }

  @Test
  void aConstantIsReadAsTheTextOfItsName() {
    assertThat(asStored(Serdes.of(Old.Colour.class), Serdes.string())).isTrue();
    assertThat(evolve(Serdes.of(Old.Colour.class), Old.Colour.RED, Serdes.string()))
        .isEqualTo("RED");
  }

  @Test
  void collectionsAreReadAsOthersThatHoldNoLess() {
    assertThat(
            evolve(
                Serdes.sortedSet(Serdes.ints()),
                new TreeSet<>(List.of(2, 1)),
                Serdes.of(new TypeRef<List<Long>>() {})))
        .containsExactly(1L, 2L);
    assertThat(
            evolve(
                Serdes.array(String.class, Serdes.string()),
                new String[] {"b", "a"},
                Serdes.of(new TypeRef<Deque<String>>() {})))
        .containsExactly("b", "a");
    assertThat(
            evolve(
                Serdes.set(Serdes.string()),
                Set.of("b", "a", "c"),
                Serdes.of(new TypeRef<SortedSet<String>>() {})))
        .containsExactly("a", "b", "c");
    assertThat(
            evolve(
                Serdes.map(Serdes.string(), Serdes.floats()),
                new HashMap<>(Map.of("b", 1f, "a", 2f)),
                Serdes.of(new TypeRef<SortedMap<String, Double>>() {})))
        .isEqualTo(new TreeMap<>(Map.of("a", 2d, "b", 1d)));
    assertThat(
            evolve(
                Serdes.of(new TypeRef<Deque<Integer>>() {}),
                new ArrayDeque<>(List.of(1)),
                Long[].class))
        .containsExactly(1L);
    assertThat(
            evolve(
                Serdes.of(new TypeRef<Map<Old.Colour, String>>() {}),
                Map.of(Old.Colour.RED, "r"),
                Serdes.of(new TypeRef<EnumMap<Wider.Colour, String>>() {})))
        .containsExactly(Map.entry(Wider.Colour.RED, "r"));
  }

  // What is converted.

  @Test
  void numbersAreReadAsTypesThatHoldThemAll() {
    for (int i = 0; i < 300; i++) {
      byte number = (byte) random.nextInt();
      Serde<Byte> bytes = Serdes.singleBytes();
      assertThat(evolve(bytes, number, Short.class)).isEqualTo(number);
      assertThat(evolve(bytes, number, Integer.class)).isEqualTo(number);
      assertThat(evolve(bytes, number, Long.class)).isEqualTo(number);
      assertThat(evolve(bytes, number, Float.class)).isEqualTo(number);
      assertThat(evolve(bytes, number, Double.class)).isEqualTo(number);
      assertThat(evolve(bytes, number, BigInteger.class)).isEqualTo(number);
      assertThat(evolve(bytes, number, BigDecimal.class)).isEqualTo(BigDecimal.valueOf(number));
      short s = (short) random.nextInt();
      assertThat(evolve(Serdes.shorts(), s, Float.class)).isEqualTo(s);
      assertThat(evolve(Serdes.shorts(), s, Double.class)).isEqualTo(s);
      assertThat(evolve(Serdes.shorts(), s, BigInteger.class)).isEqualTo(s);
      assertThat(evolve(Serdes.shorts(), s, BigDecimal.class)).isEqualTo(BigDecimal.valueOf(s));
      int n = random.nextInt();
      assertThat(evolve(Serdes.ints(), n, Double.class)).isEqualTo(n);
      assertThat(evolve(Serdes.ints(), n, BigInteger.class)).isEqualTo(n);
      assertThat(evolve(Serdes.ints(), n, BigDecimal.class)).isEqualTo(BigDecimal.valueOf(n));
      long l = random.nextLong();
      assertThat(evolve(Serdes.longs(), l, BigInteger.class)).isEqualTo(l);
      assertThat(evolve(Serdes.longs(), l, BigDecimal.class)).isEqualTo(BigDecimal.valueOf(l));
      assertThat(evolve(Serdes.bigIntegers(), BigInteger.valueOf(l), BigDecimal.class))
          .isEqualTo(BigDecimal.valueOf(l));
      float f = random.nextFloat();
      assertThat(evolve(Serdes.floats(), f, Double.class)).isEqualTo(f);
    }
  }

  @Test
  void arraysOfNumbersBecomeWider() {
    assertThat(evolve(Serdes.shortArrays(), new short[] {-1, 2}, int[].class))
        .containsExactly(-1, 2);
    assertThat(evolve(Serdes.shortArrays(), new short[] {-1, 2}, long[].class))
        .containsExactly(-1, 2);
    assertThat(evolve(Serdes.intArrays(), new int[] {-1, 2}, long[].class)).containsExactly(-1, 2);
    assertThat(evolve(Serdes.floatArrays(), new float[] {0.5f}, double[].class))
        .containsExactly(0.5);
  }

  @Test
  void fieldsAreAddedRemovedMovedAndWidenedAtEveryDepth() {
    Old.Basket stored =
        new Old.Basket(
            "me",
            Arrays.asList(new Old.Order(1, 2, "a"), null),
            Map.of(Old.Colour.RED, new Old.Order(3, 4, null)));
    assertThat(evolve(Serdes.of(Old.Basket.class), stored, New.Basket.class))
        .isEqualTo(
            new New.Basket(
                Arrays.asList(new Wider.Order(1, 2, "a"), null),
                Map.of(New.Colour.SCARLET, new Wider.Order(3, 4, null)),
                7));
  }

  @Test
  void whatIsNullOrEmptyBecomesTheDefault() {
    assertThat(
            evolve(
                Serdes.of(Old.Maybe.class),
                new Old.Maybe(null, Optional.empty(), Optional.empty()),
                New.Maybe.class))
        .isEqualTo(new New.Maybe(-1, "none", null));
    assertThat(
            evolve(
                Serdes.of(Old.Maybe.class),
                new Old.Maybe(3, Optional.of("t"), Optional.of(4)),
                New.Maybe.class))
        .isEqualTo(new New.Maybe(3, "t", 4));
    assertThat(evolve(Serdes.of(Old.Blank.class), new Old.Blank(), New.Blank.class))
        .isEqualTo(new New.Blank("x"));
  }

  @Test
  void aValueBecomesAnOptionalAndAlsoWidens() {
    assertThat(evolve(Serdes.ints(), 5, Serdes.of(new TypeRef<Optional<Long>>() {})))
        .isEqualTo(Optional.of(5L));
    assertThat(
            evolve(
                Serdes.list(Serdes.ints()),
                Arrays.asList(5, null),
                Serdes.of(new TypeRef<List<Optional<Long>>>() {})))
        .containsExactly(Optional.of(5L), Optional.empty());
    assertThat(
            evolve(
                Serdes.optional(Serdes.floats()),
                Optional.of(1f),
                Serdes.of(new TypeRef<Optional<Double>>() {})))
        .isEqualTo(Optional.of(1d));
  }

  @Test
  void typesThatContainThemselvesAreConvertedAtEveryLevel() {
    Old.Even even = new Old.Even(1, new Old.Odd(2, new Old.Even(3, new Old.Odd(4, null))));
    assertThat(evolve(Serdes.of(Old.Even.class), even, New.Even.class))
        .isEqualTo(
            new New.Even(1, new New.Odd(2, new New.Even(3, new New.Odd(4, null, null)), null)));
    // Asked for from the other side, the stored schema refers to other levels.
    Serde<Old.Odd> odd = Serdes.of(Old.Odd.class);
    assertThat(evolve(odd, new Old.Odd(2, even), New.Odd.class))
        .isEqualTo(new New.Odd(2, evolve(Serdes.of(Old.Even.class), even, New.Even.class), null));
  }

  @Test
  void constantsAndSubtypesAreRenamedWhereThatIsDeclared() {
    assertThat(evolve(Serdes.of(Old.Colour.class), Old.Colour.RED, New.Colour.class))
        .isEqualTo(New.Colour.SCARLET);
    assertThat(evolve(Serdes.of(Old.Shape.class), new Old.Square(4), New.Shape.class))
        .isEqualTo(new New.Rectangle(4, 1));
    assertThat(evolve(Serdes.of(Old.Shape.class), new Old.Circle(4), New.Shape.class))
        .isEqualTo(new New.Circle(4));
    assertThat(evolve(Serdes.of(Old.Order.class), new Old.Order(1, 2, "x"), Sale.class))
        .isEqualTo(new Sale(1, 2, "x"));
  }

  @Test
  void aTypeBecomesTheSealedTypeThatItIsASubtypeOf() {
    assertThat(evolve(Serdes.of(Old.Held.class), new Old.Held(new Old.Circle(4)), New.Held.class))
        .isEqualTo(new New.Held(new New.Circle(4)));
  }

  @Test
  void aPlainClassKeepsWhatItsConstructorSetsWhereNothingWasStored() {
    Old.Account account = new Old.Account();
    account.owner = "me";
    account.balance = 12;
    New.Account read = evolve(Serdes.of(Old.Account.class), account, New.Account.class);
    assertThat(read.holder).isEqualTo("me");
    assertThat(read.balance).isEqualTo(12);
    assertThat(read.currency).isEqualTo("EUR");
    assertThat(read.cached).isEqualTo(5);
  }

  @Test
  void aSerdeOfOnesOwnReadsItsEarlierVersions() {
    Serde<Place> one = new PlaceSerde(1);
    Serde<Place> two = new PlaceSerde(2);
    assertThat(evolve(one, new Place(1, 9), two)).isEqualTo(new Place(1, 0));
    assertThat(
            evolve(
                Serdes.list(one),
                Arrays.asList(new Place(1, 9), null, new Place(2, 9)),
                Serdes.list(two)))
        .containsExactly(new Place(1, 0), null, new Place(2, 0));
    Serde<Optional<Map<String, Place>>> deep = Serdes.optional(Serdes.map(Serdes.string(), one));
    assertThat(
            evolve(
                deep,
                Optional.of(Map.of("p", new Place(7, 7))),
                Serdes.optional(Serdes.map(Serdes.string(), two))))
        .isEqualTo(Optional.of(Map.of("p", new Place(7, 0))));
  }

  /** The same class with and without a field that only a serde of one's own understands. */
  interface WithPlace {
    record Visit(String who, @SerializedBy(PlaceSerdeTwo.class) Place place, long time) {}
  }

  interface WithoutPlace {
    record Visit(String who, long time) {}
  }

  private static final class PlaceSerdeTwo implements Serde<Place> {
    private final Serde<Place> inner = new PlaceSerde(2);

    private PlaceSerdeTwo() {}

    @Override
    public void write(Place value, ByteWriter output) {
      inner.write(value, output);
    }

    @Override
    public Place read(ByteReader input) {
      return inner.read(input);
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "place";
    }
  }

  @Test
  void aRemovedFieldIsSkippedAlsoWhenOnlyItsSerdeUnderstandsIt() {
    assertThat(
            evolve(
                Serdes.of(WithPlace.Visit.class),
                new WithPlace.Visit("w", new Place(1, 2), 5),
                WithoutPlace.Visit.class))
        .isEqualTo(new WithoutPlace.Visit("w", 5));
  }

  @Test
  void aMappedTypeEvolvesAsWhatIsWritten() {
    Serde<Instant> millis =
        Serdes.mapped("millis", Serdes.longs(), Instant::toEpochMilli, Instant::ofEpochMilli);
    assertThat(asStored(Serdes.ints(), millis)).isTrue();
    assertThat(evolve(Serdes.ints(), 1000, millis)).isEqualTo(Instant.ofEpochSecond(1));
    assertThat(evolve(millis, Instant.ofEpochSecond(1), BigInteger.class)).isEqualTo(1000);
    Serde<Instant> big =
        Serdes.mapped(
            "big",
            Serdes.bigIntegers(),
            instant -> BigInteger.valueOf(instant.toEpochMilli()),
            number -> Instant.ofEpochMilli(number.longValueExact()));
    assertThat(evolve(Serdes.list(millis), List.of(Instant.ofEpochSecond(1)), Serdes.list(big)))
        .containsExactly(Instant.ofEpochSecond(1));
  }

  @Test
  void randomValuesOfAWideRecordSurviveEveryChangeAtOnce() {
    Serde<Old.Basket> old = Serdes.of(Old.Basket.class);
    for (int i = 0; i < 500; i++) {
      Map<Old.Colour, Old.Order> byColour = new LinkedHashMap<>();
      for (Old.Colour colour : Old.Colour.values()) {
        byColour.put(colour, random.nextInt(3) == 0 ? null : order());
      }
      List<Old.Order> orders =
          random.ints(random.nextInt(5)).mapToObj(n -> n % 4 == 0 ? null : order()).toList();
      Old.Basket stored = new Old.Basket("o" + i, i % 7 == 0 ? null : orders, byColour);
      New.Basket read = evolve(old, stored, New.Basket.class);
      assertThat(read.rank()).isEqualTo(7);
      assertThat(Objects.toString(read.orders())).isEqualTo(Objects.toString(stored.orders()));
      assertThat(Objects.toString(read.byColour().get(New.Colour.SCARLET)))
          .isEqualTo(Objects.toString(byColour.get(Old.Colour.RED)));
    }
  }

  private Old.Order order() {
    return new Old.Order(random.nextLong(), random.nextInt(), random.nextBoolean() ? null : "note");
  }

  // What is refused.

  @Test
  void anotherTypeIsRefusedNamingStateFieldAndBothTypes() {
    assertThat(refusal(Serdes.of(Old.Order.class), Serdes.of(Wrong.Order.class)))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored Order{id: long, amount:"
                + " int, note: string?}, expected Order{id: long, amount: string?, note: string?}:"
                + " field 'amount': an int cannot be read as a string\n  Remedy: Keep the old type"
                + " under its name, and add what has the new type under another name, with a"
                + " default.");
  }

  @Test
  void aValueThatIsNoStructureIsRefusedToo() {
    assertThat(refusal(Serdes.ints(), Serdes.string()))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored int, expected string: an"
                + " int cannot be read as a string\n  Remedy: Keep the old type, or store the new one"
                + " under another name.");
    assertThat(reason(Serdes.of(Old.Order.class), Serdes.longs()))
        .isEqualTo(
            "stored Order{id: long, amount: int, note: string?}, expected long: an Order cannot be"
                + " read as a long");
    assertThat(reason(Serdes.longs(), Serdes.of(Old.Order.class)))
        .isEqualTo(
            "stored long, expected Order{id: long, amount: int, note: string?}: a long cannot be"
                + " read as an Order");
    assertThat(reason(Serdes.longs(), Serdes.of(Old.Colour.class)))
        .isEqualTo("stored long, expected Colour[RED, GREEN]: a long cannot be read as a Colour");
    assertThat(reason(Serdes.longs(), Serdes.of(Old.Shape.class)))
        .isEqualTo(
            "stored long, expected Shape(Circle | Square): a long cannot be read as a Shape");
    assertThat(reason(Serdes.longs(), Serdes.list(Serdes.longs())))
        .isEqualTo("stored long, expected list<long>: a long cannot be read as a list");
    assertThat(reason(Serdes.list(Serdes.longs()), Serdes.longs()))
        .isEqualTo("stored list<long>, expected long: a list cannot be read as a long");
    assertThat(reason(Serdes.list(Serdes.longs()), Serdes.map(Serdes.longs(), Serdes.longs())))
        .isEqualTo("stored list<long>, expected map<long, long>: a list cannot be read as a map");
    assertThat(reason(Serdes.string(), Serdes.of(Old.Colour.class)))
        .isEqualTo(
            "stored string, expected Colour[RED, GREEN]: a string cannot be read as a Colour");
  }

  @Test
  void whatWouldLoseValuesIsRefused() {
    assertThat(reason(Serdes.longs(), Serdes.ints()))
        .isEqualTo(
            "stored long, expected int: a long cannot be read as an int without losing some"
                + " values");
    assertThat(reason(Serdes.doubles(), Serdes.floats()))
        .isEqualTo(
            "stored double, expected float: a double cannot be read as a float without losing some"
                + " values");
    assertThat(reason(Serdes.longs(), Serdes.doubles()))
        .isEqualTo("stored long, expected double: a long cannot be read as a double exactly");
    assertThat(reason(Serdes.ints(), Serdes.floats()))
        .isEqualTo("stored int, expected float: an int cannot be read as a float exactly");
    assertThat(refusal(Serdes.list(Serdes.ints()), Serdes.set(Serdes.ints())))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored list<int>, expected"
                + " set<int>: a list may have equal elements, of which a set has one\n  Remedy: Keep a"
                + " list, and make the set of it where it is used.");
  }

  /** As {@link Old.Order} with a field more. */
  interface Longer {
    record Order(long id, int amount, String note, boolean paid) {}
  }

  @Test
  void anAddedFieldWithoutDefaultIsRefused() {
    assertThat(refusal(Serdes.of(Old.Order.class), Serdes.of(Longer.Order.class)))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored Order{id: long, amount:"
                + " int, note: string?}, expected Order{id: long, amount: int, note: string?, paid:"
                + " boolean}: field 'paid': it was not stored and has no default\n  Remedy: Annotate"
                + " it with @Default(\"...\"), or @Nullable, make it an Optional, or name the field"
                + " that it was with @Previously(\"...\").");
  }

  interface Strict {
    record Maybe(int number, String text, Optional<Integer> count) {}
  }

  @Test
  void whatMayBeNullOrEmptyIsRefusedWhereItMayNot() {
    assertThat(refusal(Serdes.of(Old.Maybe.class), Serdes.of(Strict.Maybe.class)))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored Maybe{number: int?, text:"
                + " optional<string>?, count: optional<int>?}, expected Maybe{number: int, text:"
                + " string?, count: optional<int>?}: field 'number': it may be null, which an int may"
                + " not; and stored Maybe{number: int?, text: optional<string>?, count:"
                + " optional<int>?}, expected Maybe{number: int, text: string?, count: optional<int>?}:"
                + " field 'text': an optional may be empty, which a string may not\n  Remedy: Annotate"
                + " it with the @Default(\"...\") that stands for null. Keep it an optional; a field"
                + " may also have a @Default or be @Nullable.");
  }

  @Test
  void whatIsGoneIsRefused() {
    assertThat(refusal(Serdes.of(Old.Colour.class), Serdes.of(Wrong.Colour.class)))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored Colour[RED, GREEN],"
                + " expected Colour[GREEN]: the constant RED is gone\n  Remedy: Put back what is gone,"
                + " or annotate the constant that takes its place with @Previously(\"RED\").");
    assertThat(refusal(Serdes.of(Old.Shape.class), Serdes.of(Wrong.Shape.class)))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored Shape(Circle | Square),"
                + " expected Shape(Circle): the subtype Square is gone\n  Remedy: Put it back, or"
                + " annotate the subtype that takes its place with @Previously(\"Square\").");
  }

  @Test
  void anotherNameIsRefusedUnlessItIsDeclared() {
    assertThat(refusal(Serdes.of(Old.Order.class), Serdes.of(Purchase.class)))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored Order{id: long, amount:"
                + " int, note: string?}, expected Purchase{id: long, amount: int, note: string?}: an"
                + " Order is not a Purchase\n  Remedy: If it is the same under another name, annotate"
                + " Purchase with @Previously(\"Order\").");
  }

  @Test
  void deepMismatchesNameTheWayAndTheInnermostType() {
    Serde<Map<String, List<Old.Tree>>> old =
        Serdes.of(new TypeRef<Map<String, List<Old.Tree>>>() {});
    Serde<Map<String, List<Wrong.Tree>>> current =
        Serdes.of(new TypeRef<Map<String, List<Wrong.Tree>>>() {});
    assertThat(reason(old, current))
        .isEqualTo(
            "stored Tree{value: int, children: list<^1>?}, expected Tree{value: string?, children:"
                + " list<^1>?, added: int}: value > element > field 'value': an int cannot be read as"
                + " a string; and stored Tree{value: int, children: list<^1>?}, expected Tree{value:"
                + " string?, children: list<^1>?, added: int}: value > element > field 'added': it was"
                + " not stored and has no default");
  }

  @Test
  void aSerdeOfOnesOwnRefusesWhatItDoesNotKnow() {
    assertThat(refusal(new PlaceSerde(2), new PlaceSerde(1)))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored place version 2, expected"
                + " place version 1: the serde 'place' reads its own schema only\n  Remedy: Override"
                + " reading(Schema) of this serde so that it also reads what was stored.");
    assertThat(reason(Serdes.list(new PlaceSerde(2)), Serdes.list(new PlaceSerde(1))))
        .isEqualTo(
            "stored place version 2, expected place version 1: element: the serde 'place' reads its"
                + " own schema only");
    assertThat(refusal(new PlaceSerde(2), Serdes.ints()))
        .isEqualTo(
            "STATE_INCOMPATIBLE: state 'totals' of node 'per-user': stored place version 2, expected"
                + " int: only the serde 'place' can read it\n  Remedy: Pass that serde with typed(...)"
                + " or @SerializedBy.");
  }

  @Test
  void aFormOfANewerReleaseIsRefused() {
    assertThat(
            ((Reading.Refused<?>) Serdes.string().reading(new Schema.Basic("Quaternion"))).reason())
        .isEqualTo(
            "stored Quaternion, expected string: the form 'Quaternion' is not known to this release");
    Schema withUnknownField =
        new Schema.Structure(
            "Blank", List.of(new Schema.Field("q", false, new Schema.Basic("Quaternion"))));
    assertThat(((Reading.Refused<?>) Serdes.of(Old.Blank.class).reading(withUnknownField)).reason())
        .isEqualTo(
            "stored Blank{q: Quaternion}, expected Blank{}: field 'q': it is gone and cannot be"
                + " skipped: the stored form 'Quaternion' is not known");
  }

  // Keys.

  @Test
  void keysMayChangeOnlyWhereTheirBytesAndHashesDoNot() {
    assertThat(keys(Serdes.ints(), Serdes.longs())).isNull();
    assertThat(keys(Serdes.of(Old.Colour.class), Serdes.of(Wider.Colour.class))).isNull();
    assertThat(keys(Serdes.of(Old.Order.class), Serdes.of(Wider.Order.class))).isNull();
    assertThat(keys(Serdes.of(Old.Shape.class), Serdes.of(Wider.Shape.class))).isNull();
    String other = ": a key is what its bytes are, so keys of another form are other keys";
    // Same bytes, another hash function.
    assertThat(keys(Serdes.shorts(), Serdes.ints()))
        .isEqualTo("stored short, expected int" + other);
    assertThat(keys(Serdes.of(Old.Colour.class), Serdes.string()))
        .isEqualTo("stored Colour[RED, GREEN], expected string" + other);
    // Other bytes.
    assertThat(keys(Serdes.of(Old.Colour.class), Serdes.of(New.Colour.class)))
        .isEqualTo("stored Colour[RED, GREEN], expected Colour[BLUE, GREEN, SCARLET]" + other);
    assertThat(keys(Serdes.singleBytes(), Serdes.longs()))
        .isEqualTo("stored byte, expected long" + other);
    assertThat(keys(Serdes.longs(), Serdes.ints()))
        .isEqualTo(
            "stored long, expected int: a long cannot be read as an int without losing some values");
  }

  @Test
  void theSameKeyHasTheSameHashWhereItsTypeMayChange() {
    for (int i = 0; i < 200; i++) {
      int number = random.nextInt();
      assertThat(KeyKinds.of(Serdes.longs()).hash((long) number))
          .isEqualTo(KeyKinds.of(Serdes.ints()).hash(number));
      assertThat(KeyKinds.of(Serdes.of(Wider.Order.class)).hash(new Wider.Order(i, number, "n")))
          .isEqualTo(KeyKinds.of(Serdes.of(Old.Order.class)).hash(new Old.Order(i, number, "n")));
      Serde<Instant> mapped =
          Serdes.mapped("millis", Serdes.longs(), Instant::toEpochMilli, Instant::ofEpochMilli);
      assertThat(KeyKinds.of(mapped).hash(Instant.ofEpochMilli(number)))
          .isEqualTo(KeyKinds.of(Serdes.longs()).hash((long) number));
    }
  }

  // Damage.

  @Test
  void damagedBytesAreAClearErrorForConvertingReadersToo() {
    Old.Basket stored =
        new Old.Basket(
            "me",
            Arrays.asList(new Old.Order(1, 2, "a"), null),
            new LinkedHashMap<>(Map.of(Old.Colour.RED, new Old.Order(3, 4, null))));
    Serde<Old.Basket> old = Serdes.of(Old.Basket.class);
    byte[] bytes = bytes(old, stored);
    ValueReader<New.Basket> reader =
        Serdes.of(New.Basket.class)
            .reading(old.schema())
            .orThrow(STATE, ErrorContext.NONE)
            .reader();
    for (int length = 0; length < bytes.length; length++) {
      ByteReader input = new ByteReader(bytes, 0, length);
      assertThatThrownBy(() -> reader.read(input))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.SERDE_FAILED));
    }
    Damage.flip(bytes, random, 5_000, reader::read);
  }

  @Test
  void keysThatBecomeOneAreNotedAndNotLost() {
    Serde<Map<Old.Colour, String>> old = Serdes.of(new TypeRef<Map<Old.Colour, String>>() {});
    Map<Old.Colour, String> map = new LinkedHashMap<>();
    map.put(Old.Colour.RED, "r");
    map.put(Old.Colour.GREEN, "g");
    assertThatThrownBy(
            () -> evolve(old, map, Serdes.of(new TypeRef<Map<Merged.Colour, String>>() {})))
        .hasMessageContaining("two keys of a map that was stored are one key now");
  }

  interface Merged {
    enum Colour {
      @Previously({"RED", "GREEN"})
      BLACK
    }
  }

  private static @Nullable String keys(Serde<?> old, Serde<?> current) {
    return KeyKinds.reading(current, old.schema()) instanceof Reading.Refused<?> refused
        ? refused.reason()
        : null;
  }

  private static boolean asStored(Serde<?> old, Serde<?> current) {
    return current.reading(stored(old)).orThrow(STATE, ErrorContext.NONE).asStored();
  }

  private static String reason(Serde<?> old, Serde<?> current) {
    return ((Reading.Refused<?>) current.reading(stored(old))).reason();
  }

  private static String refusal(Serde<?> old, Serde<?> current) {
    return catchThrowableOfType(
            StreamForgeException.class,
            () -> current.reading(stored(old)).orThrow(STATE, ErrorContext.NONE))
        .getMessage();
  }

  private static <A, B> B evolve(Serde<A> old, A value, Class<B> current) {
    return evolve(old, value, Serdes.of(current));
  }

  private static <A, B> B evolve(Serde<A> old, A value, Serde<B> current) {
    Reading.Readable<B> reading = current.reading(stored(old)).orThrow(STATE, ErrorContext.NONE);
    byte[] bytes = bytes(old, value);
    ByteReader input = new ByteReader(bytes);
    B read = reading.reader().read(input);
    assertThat(input.remaining()).isZero();
    if (reading.asStored() && old.deterministic()) {
      assertThat(bytes(current, read)).isEqualTo(bytes);
    }
    return read;
  }

  /** The schema after it has been stored. */
  private static Schema stored(Serde<?> serde) {
    Schema schema = serde.schema();
    Schema read = Schema.read(new ByteReader(schema.toBytes()));
    assertThat(read).isEqualTo(schema);
    assertThat(read.fingerprint()).isEqualTo(schema.fingerprint());
    return read;
  }

  private static <T> byte[] bytes(Serde<T> serde, T value) {
    ByteWriter output = new ByteWriter();
    serde.write(value, output);
    return output.toByteArray();
  }
}
