package io.streamforge.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.function.FunctionTypes.Known;
import io.streamforge.function.FunctionTypes.Unknown;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.TypeRef;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FunctionTypesTest {
  private static final String HERE = FunctionTypesTest.class.getName();

  private final String prefix = "p";

  private String member(Long value) {
    return prefix + value;
  }

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }

  private static Map<String, Long> count(String key, List<String> words) {
    return Map.of(key, (long) words.size());
  }

  private static <T> List<T> only(T value) {
    return List.of(value);
  }

  private static class Length implements ValueMapper<String, Integer> {
    @Override
    public Integer apply(String value) {
      return value.length();
    }
  }

  private static final class LongerLength extends Length {}

  private abstract static class Base<A, B> implements KeyValueMapper<A, List<B>, Map<A, B[]>> {}

  private static final class Derived<X> extends Base<String, X> {
    @Override
    public Map<String, X[]> apply(String key, List<X> value) {
      return Map.of();
    }
  }

  private static final class Concrete extends Base<String, Long> {
    @Override
    public Map<String, Long[]> apply(String key, List<Long> value) {
      return Map.of();
    }
  }

  private interface Parser<T> extends ValueMapper<String, T> {
    T parse(String text);

    @Override
    default T apply(String value) {
      return parse(value);
    }
  }

  private interface LongParser extends Parser<Long> {}

  private interface Renamed<T> extends ValueMapper<T, List<T>> {}

  @Test
  void lambdaNamesItsErasedTypes() {
    ValueMapper<String, Long> function = value -> (long) value.length();
    Known known = known(function, ValueMapper.class);
    assertThat(known.parameters()).containsExactly(String.class);
    assertThat(known.result()).isEqualTo(Long.class);
    assertThat(known.implementation()).startsWith(HERE + ".lambda$lambdaNamesItsErasedTypes$");
  }

  @Test
  void lambdaWithCapturesNamesOnlyItsOwnParameters() {
    int captured = prefix.length();
    double other = captured / 2.0;
    KeyValueMapper<String, Long, KeyValue<Long, String>> function =
        (key, value) -> KeyValue.of(value + captured, key + prefix + other);
    Known known = known(function, KeyValueMapper.class);
    assertThat(known.parameters()).containsExactly(String.class, Long.class);
    assertThat(known.result()).isEqualTo(KeyValue.class);
  }

  @Test
  void primitiveResultsArePrimitive() {
    ToLong<String> toLong = String::length;
    ToDouble<Long> toDouble = value -> value;
    Predicate<String, Long> predicate = (key, value) -> true;
    assertThat(known(toLong, ToLong.class).result()).isEqualTo(long.class);
    assertThat(known(toDouble, ToDouble.class).result()).isEqualTo(double.class);
    assertThat(known(predicate, Predicate.class).result()).isEqualTo(boolean.class);
    assertThat(known(predicate, Predicate.class).parameters())
        .containsExactly(String.class, Long.class);
  }

  @Test
  void methodReferenceNamesTheGenericTypesThatItsMethodDeclares() {
    ValueMapper<String, List<String>> words = FunctionTypesTest::words;
    assertThat(known(words, ValueMapper.class))
        .isEqualTo(
            new Known(
                List.of(String.class), new TypeRef<List<String>>() {}.type(), HERE + "::words"));
    KeyValueMapper<String, List<String>, Map<String, Long>> count = FunctionTypesTest::count;
    assertThat(known(count, KeyValueMapper.class))
        .isEqualTo(
            new Known(
                List.of(String.class, new TypeRef<List<String>>() {}.type()),
                new TypeRef<Map<String, Long>>() {}.type(),
                HERE + "::count"));
  }

  @Test
  void methodReferenceOfEveryKindIsRead() {
    ValueMapper<Long, String> bound = this::member;
    KeyValueMapper<FunctionTypesTest, Long, String> unbound = FunctionTypesTest::member;
    ValueMapper<String, List<String>> generic = FunctionTypesTest::only;
    ValueMapper<String, StringBuilder> constructor = StringBuilder::new;
    ValueMapper<String, Integer> inherited = LongerLength.class.getName()::compareTo;
    assertThat(known(bound, ValueMapper.class))
        .isEqualTo(new Known(List.of(Long.class), String.class, HERE + "::member"));
    assertThat(known(unbound, KeyValueMapper.class))
        .isEqualTo(
            new Known(
                List.of(FunctionTypesTest.class, Long.class), String.class, HERE + "::member"));
    assertThat(known(generic, ValueMapper.class))
        .isEqualTo(new Known(List.of(String.class), List.class, HERE + "::only"));
    assertThat(known(constructor, ValueMapper.class))
        .isEqualTo(
            new Known(List.of(String.class), StringBuilder.class, "java.lang.StringBuilder::new"));
    assertThat(known(inherited, ValueMapper.class))
        .isEqualTo(new Known(List.of(String.class), Integer.class, "java.lang.String::compareTo"));
  }

  @Test
  void typesThatSayLittleAreReturnedAsTheyAre() {
    ValueMapper<Object, Comparable<String>> function = Object::toString;
    assertThat(known(function, ValueMapper.class).parameters()).containsExactly(Object.class);
    assertThat(known(function, ValueMapper.class).result()).isEqualTo(Comparable.class);
    assertThat(generic().parameters()).containsExactly(Object.class);
  }

  private static <T> Known generic() {
    ValueMapper<T, T> function = value -> value;
    return known(function, ValueMapper.class);
  }

  @Test
  void classNamesItsFullTypesInSpiteOfBridges() {
    assertThat(Length.class.getDeclaredMethods()).hasSizeGreaterThan(1); // one is a bridge
    Known length =
        new Known(List.of(String.class), Integer.class, Length.class.getName() + ".apply");
    assertThat(known(new Length(), ValueMapper.class)).isEqualTo(length);
    assertThat(known(new LongerLength(), ValueMapper.class).parameters())
        .isEqualTo(length.parameters());
    ValueMapper<List<Long>, Map<String, List<Long>>> anonymous =
        new ValueMapper<>() {
          @Override
          public Map<String, List<Long>> apply(List<Long> value) {
            return Map.of();
          }
        };
    assertThat(known(anonymous, ValueMapper.class).parameters())
        .containsExactly(new TypeRef<List<Long>>() {}.type());
    assertThat(known(anonymous, ValueMapper.class).result())
        .isEqualTo(new TypeRef<Map<String, List<Long>>>() {}.type());
  }

  @Test
  void typeVariablesAreFollowedThroughTheHierarchy() {
    Known concrete = known(new Concrete(), KeyValueMapper.class);
    assertThat(concrete.parameters())
        .containsExactly(String.class, new TypeRef<List<Long>>() {}.type());
    assertThat(concrete.result()).isEqualTo(new TypeRef<Map<String, Long[]>>() {}.type());
    Type left = known(new Derived<Long>(), KeyValueMapper.class).parameters().get(1);
    TypeVariable<?> variable = Derived.class.getTypeParameters()[0];
    assertThat(left.getTypeName()).isEqualTo("java.util.List<" + variable.getName() + ">");
  }

  @Test
  void lambdaOfAnInterfaceOfTheUsersOwnIsRead() {
    LongParser parser = Long::parseLong;
    Renamed<Integer> renamed = value -> List.of(value);
    assertThat(known(parser, ValueMapper.class))
        .isEqualTo(new Known(List.of(String.class), Long.class, "java.lang.Long::parseLong"));
    assertThat(known(renamed, ValueMapper.class).parameters()).containsExactly(Integer.class);
  }

  @Test
  void lambdaThatCannotSayItsTypesIsUnknown() {
    java.util.function.Function<String, String> plain = value -> value;
    assertThat(FunctionTypes.of(plain, java.util.function.Function.class))
        .isInstanceOfSatisfying(
            Unknown.class, unknown -> assertThat(unknown.reason()).endsWith("; use typed(...)"));
  }

  @Test
  void whatIsNoFunctionIsRefused() {
    assertThatThrownBy(() -> FunctionTypes.of("text", ValueMapper.class))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FunctionTypes.of("text", CharSequence.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("more than one abstract method");
    assertThatThrownBy(() -> FunctionTypes.of("text", java.io.Serializable.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no abstract method");
  }

  private static Known known(Object function, Class<?> functionalInterface) {
    return (Known) FunctionTypes.of(function, functionalInterface);
  }
}
