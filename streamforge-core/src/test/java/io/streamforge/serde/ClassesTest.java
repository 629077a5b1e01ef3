package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Inferred.Missing;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Plain classes, sealed types and types that contain themselves. */
class ClassesTest {
  private final Random random = new Random(3);

  // Plain classes.

  static class Base<T> {
    private T content;
    private int count;
  }

  static final class Derived extends Base<List<String>> {
    private String name;
    private boolean flag;
    private static int made;

    private Derived() {
      made++;
    }
  }

  static class Open {
    int a;
  }

  static final class Opened extends Open {
    int b;
  }

  static final class Failing {
    int a;

    Failing() {
      throw new IllegalStateException("not today");
    }
  }

  @Test
  void plainClassesComeBackWithInheritedAndGenericFields() {
    Serde<Derived> serde = Serdes.of(Derived.class);
    assertThat(serde.schema())
        .hasToString("Derived{content: list<string>?, count: int, flag: boolean, name: string?}");
    for (int i = 0; i < 100; i++) {
      Derived derived = new Derived();
      ((Base<List<String>>) derived).content = random.nextBoolean() ? null : List.of("a", "" + i);
      ((Base<List<String>>) derived).count = random.nextInt();
      derived.name = random.nextBoolean() ? null : "n";
      derived.flag = random.nextBoolean();
      Derived back = trip(serde, derived);
      assertThat(back).usingRecursiveComparison().isEqualTo(derived);
    }
    assertThat(Derived.made).isEqualTo(200);
    assertThat(serde.deterministic()).isTrue();
  }

  @Test
  void anObjectOfASubclassIsRefusedInsteadOfLosingAPart() {
    Serde<Open> serde = Serdes.of(Open.class);
    assertThatThrownBy(() -> serde.write(new Opened(), new ByteWriter()))
        .hasMessage(
            "SERDE_FAILED: an object of "
                + Opened.class.getName()
                + " is written as a "
                + Open.class.getName()
                + ", which would lose what it has more\n  Remedy: Seal the type with all its subtypes,"
                + " or pass a serde of your own with typed(...).");
  }

  @Test
  void aConstructorThatFailsIsAClearError() {
    assertThatThrownBy(() -> Serdes.of(Failing.class).read(new ByteReader(new byte[] {2})))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("the constructor of class " + Failing.class.getName());
  }

  static final class Final {
    private final int a;

    Final() {
      a = 1;
    }
  }

  static final class NoConstructor {
    int a;

    NoConstructor(int a) {
      this.a = a;
    }
  }

  abstract static class Abstract {
    int a;
  }

  final class Inner {
    int a;
  }

  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    int a;
  }

  static final class Hiding extends Open {
    String a;
  }

  static final class Holding {
    Thread thread;
  }

  static final class OnlyTransient {
    transient int a;
  }

  @Test
  void aPlainClassWhoseObjectsWouldNotComeBackHasNone() {
    class Local {
      int a;
    }
    missing(Final.class, "has the final field 'a', which only a record can be given");
    missing(NoConstructor.class, "has no constructor without parameters; a record needs none");
    missing(Abstract.class, "is abstract and not sealed");
    missing(Inner.class, "is an inner class, which belongs to an object of the class around it");
    missing(Local.class, "is a local class");
    missing(Failure.class, "extends java.lang.RuntimeException, whose fields are not known");
    missing(Hiding.class, "has two fields 'a', one of them inherited");
    missing(OnlyTransient.class, "has no fields that could be stored");
    assertThat(Serdes.infer(Holding.class))
        .isEqualTo(
            new Missing(
                "class java.lang.Thread is not one of the built-in types (field 'thread' of class "
                    + Holding.class.getName()
                    + ")"));
  }

  private static void missing(Class<?> type, String fault) {
    assertThat(Serdes.infer(type)).isEqualTo(new Missing("class " + type.getName() + " " + fault));
  }

  // Sealed types.

  sealed interface Result<T> permits Success, Failed {}

  record Success<T>(T value) implements Result<T> {}

  sealed interface Failed<T> extends Result<T> permits Rejected, TimedOut {}

  record Rejected<E>(String reason, List<E> seen) implements Failed<E> {}

  static final class TimedOut<T> implements Failed<T> {
    private long after;
    private T last;

    private TimedOut() {}
  }

  abstract static sealed class Animal permits Dog, Cat {
    String name;
  }

  static sealed class Dog extends Animal permits Puppy {
    int age;

    Dog() {}
  }

  static final class Puppy extends Dog {
    boolean asleep;
  }

  static final class Cat extends Animal {
    boolean outside;
  }

  @Test
  void aSealedClassMayHaveObjectsOfItsOwn() {
    Serde<Animal> serde = Serdes.of(Animal.class);
    assertThat(serde.schema()).hasToString("Animal(Dog | Puppy | Cat)");
    Dog dog = new Dog();
    dog.name = "Rex";
    dog.age = 3;
    assertThat(trip(serde, dog)).usingRecursiveComparison().isEqualTo(dog);
    Puppy puppy = new Puppy();
    puppy.age = 1;
    puppy.asleep = true;
    assertThat(trip(serde, puppy)).usingRecursiveComparison().isEqualTo(puppy);
    Cat cat = new Cat();
    cat.outside = true;
    assertThat(trip(serde, cat)).usingRecursiveComparison().isEqualTo(cat);
  }

  @Test
  void sealedTypesComeBackAlsoNestedAndGeneric() {
    Serde<Result<Long>> serde = Serdes.of(new TypeRef<Result<Long>>() {});
    assertThat(serde.schema()).hasToString("Result(Success | Rejected | TimedOut)");
    assertThat(trip(serde, new Success<>(5L))).isEqualTo(new Success<>(5L));
    assertThat(trip(serde, new Rejected<>("why", List.of(1L, 2L))))
        .isEqualTo(new Rejected<>("why", List.of(1L, 2L)));
    TimedOut<Long> timedOut = new TimedOut<>();
    timedOut.after = 7;
    timedOut.last = 8L;
    assertThat(trip(serde, timedOut)).usingRecursiveComparison().isEqualTo(timedOut);
    assertThat(serde.deterministic()).isTrue();
    assertThat(KeyKinds.of(serde).same(new Success<>(1L), new Success<>(1L))).isTrue();
  }

  // Types that contain themselves.

  sealed interface Expression permits Number, Sum, Negation, Call {}

  record Number(int value) implements Expression {}

  record Sum(Expression left, Expression right) implements Expression {}

  record Negation(Optional<Expression> of) implements Expression {}

  record Call(String name, Map<String, Argument> arguments) implements Expression {}

  record Argument(Expression value, Argument next) {}

  record Node<T>(T value, Node<T> next) {}

  @Test
  void typesThatContainThemselvesComeBack() {
    Serde<Expression> serde = Serdes.of(Expression.class);
    Serde<Sum> sums = Serdes.of(Sum.class);
    Serde<Node<String>> nodes = Serdes.of(new TypeRef<Node<String>>() {});
    assertThat(serde.schema().reader()).isNotNull();
    for (int i = 0; i < 300; i++) {
      Expression expression = expression(5);
      assertThat(trip(serde, expression)).isEqualTo(expression);
      Sum sum = new Sum(expression, expression(3));
      assertThat(trip(sums, sum)).isEqualTo(sum);
      Node<String> node = null;
      for (int n = random.nextInt(6); n >= 0; n--) {
        node = new Node<>("" + n, node);
      }
      assertThat(trip(nodes, node)).isEqualTo(node);
    }
    assertThat(sums.schema().toString()).isEqualTo("Sum{left: Expression?, right: Expression?}");
    assertThat(serde.deterministic()).isFalse();
    assertThat(sums.deterministic()).isFalse();
    assertThat(nodes.deterministic()).isTrue();
  }

  private Expression expression(int depth) {
    if (depth == 0) {
      return new Number(random.nextInt());
    }
    return switch (random.nextInt(4)) {
      case 0 -> new Number(random.nextInt());
      case 1 -> new Sum(expression(depth - 1), expression(depth - 1));
      case 2 ->
          new Negation(
              random.nextBoolean() ? Optional.empty() : Optional.of(expression(depth - 1)));
      default ->
          new Call("f", Map.of("x", new Argument(expression(depth - 1), new Argument(null, null))));
    };
  }

  // What annotations say.

  record Priced(@Default("1.50") java.math.BigDecimal price, @Default("") List<String> tags) {}

  record Wrong(@Default("many") int count) {}

  record Impossible(@Default("x") Priced priced) {}

  record Full(@Default("a,b") List<String> tags) {}

  @SerializedBy(MoneySerde.class)
  static final class Money {
    private final long cents;

    Money(long cents) {
      this.cents = cents;
    }
  }

  static final class MoneySerde implements Serde<Money> {
    private MoneySerde() {}

    @Override
    public void write(Money value, ByteWriter output) {
      output.writeLong(value.cents);
    }

    @Override
    public Money read(ByteReader input) {
      return new Money(input.readLong());
    }

    @Override
    public boolean deterministic() {
      return true;
    }

    @Override
    public String name() {
      return "money";
    }
  }

  @SerializedBy(Unmakeable.class)
  record Marked(int a) {}

  abstract static class Unmakeable implements Serde<Marked> {}

  @Test
  void aTypeMayNameItsSerde() {
    Serde<List<Money>> serde = Serdes.of(new TypeRef<List<Money>>() {});
    assertThat(trip(serde, List.of(new Money(5))).get(0).cents).isEqualTo(5);
    assertThat(serde.schema()).hasToString("list<money version 1>");
    assertMissing(
        Marked.class,
        "its serde " + Unmakeable.class.getName() + " cannot be made without parameters");
  }

  @Test
  void aDefaultThatIsNoneIsNoticedAtOnce() {
    assertThat(Serdes.infer(Priced.class)).isInstanceOf(Inferred.Found.class);
    assertMissing(
        Wrong.class,
        "@Default(\"many\") is not a value of int (component 'count' of record "
            + Wrong.class.getName()
            + ")");
    assertMissing(
        Full.class,
        "@Default(\"a,b\") is not empty, the only default of list<string> (component 'tags' of"
            + " record "
            + Full.class.getName()
            + ")");
    assertThat(Serdes.infer(Impossible.class))
        .isInstanceOfSatisfying(
            Missing.class,
            missing -> assertThat(missing.reason()).startsWith("@Default is not possible for"));
  }

  @Test
  void everyDefaultIsReadFromItsText() {
    for (String[] pair :
        new String[][] {
          {"boolean", "true"},
          {"byte", "-1"},
          {"short", "300"},
          {"int", "5"},
          {"long", "5"},
          {"float", "1.5"},
          {"double", "1.5"},
          {"char", "x"},
          {"string", ""},
          {"BigInteger", "12"},
          {"BigDecimal", "1.20"},
          {"UUID", "00000000-0000-0001-0000-000000000002"},
          {"Instant", "2026-01-01T00:00:00Z"},
          {"Duration", "PT1M"},
          {"Period", "P1D"},
          {"LocalDate", "2026-01-01"},
          {"LocalTime", "12:00"},
          {"LocalDateTime", "2026-01-01T12:00"},
          {"Year", "2026"},
          {"YearMonth", "2026-01"},
          {"MonthDay", "--02-29"},
          {"ZoneId", "Europe/Berlin"},
          {"ZoneOffset", "+01:00"},
          {"OffsetTime", "12:00+01:00"},
          {"OffsetDateTime", "2026-01-01T12:00+01:00"},
          {"ZonedDateTime", "2026-01-01T12:00+01:00[Europe/Berlin]"}
        }) {
      Serde<?> serde = java.util.Objects.requireNonNull(Scalars.ofForm(pair[0]));
      assertThat(Defaults.of(pair[1], serde).get().toString()).isEqualTo(pair[1]);
    }
    for (Serde<?> serde :
        List.of(
            Serdes.bytes(),
            Serdes.intArrays(),
            Serdes.list(Serdes.ints()),
            Serdes.map(Serdes.ints(), Serdes.ints()),
            Serdes.of(String[].class))) {
      assertThat(Defaults.of("", serde).get()).isNotSameAs(Defaults.of("", serde).get());
    }
  }

  // Sealed types that have none.

  sealed interface Leaky permits Unsealed {}

  static non-sealed class Unsealed implements Leaky {
    int a;
  }

  sealed interface Twice permits First.Same, Second.Same {}

  interface First {
    record Same(int a) implements Twice {}
  }

  interface Second {
    record Same(int a) implements Twice {}
  }

  @Test
  void aSealedTypeWhoseSubtypesAreNotKnownHasNone() {
    assertMissing(
        Leaky.class,
        Unsealed.class.getName()
            + ", a subtype of "
            + Leaky.class.getName()
            + ", is not sealed or final, so its subtypes are not known");
    assertMissing(Twice.class, "two subtypes of " + Twice.class.getName() + " are named Same");
  }

  private static void assertMissing(Type type, String reason) {
    assertThat(Serdes.infer(type)).isEqualTo(new Missing(reason));
  }

  private static <T> T trip(Serde<T> serde, T value) {
    ByteWriter writer = new ByteWriter();
    serde.write(value, writer);
    ByteReader reader = new ByteReader(writer.toByteArray());
    T back = serde.read(reader);
    assertThat(reader.remaining()).isZero();
    ByteReader generic = new ByteReader(writer.toByteArray());
    serde.schema().reader().read(generic);
    assertThat(generic.remaining()).isZero();
    return back;
  }
}
