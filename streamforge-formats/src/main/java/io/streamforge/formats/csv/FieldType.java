package io.streamforge.formats.csv;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a field is read as.
 *
 * @param description with its article, for people
 * @param needed whether an empty field is malformed
 * @param absent what an empty field is read as
 */
record FieldType(String description, Parser parser, boolean needed, @Nullable Object absent) {
  /** Reads a field that is not empty; throws when it cannot be read. */
  interface Parser {
    Object parse(String field);
  }

  private static final Map<Class<?>, FieldType> SIMPLE =
      Map.ofEntries(
          Map.entry(String.class, new FieldType("a text", field -> field, false, "")),
          primitive(int.class, "an int", Integer::valueOf),
          primitive(long.class, "a long", Long::valueOf),
          primitive(short.class, "a short", Short::valueOf),
          primitive(byte.class, "a byte", Byte::valueOf),
          primitive(double.class, "a double", Double::valueOf),
          primitive(float.class, "a float", Float::valueOf),
          primitive(boolean.class, "true or false", FieldType::parseBoolean),
          primitive(char.class, "a single character", FieldType::parseChar),
          object(Integer.class, "an int", Integer::valueOf),
          object(Long.class, "a long", Long::valueOf),
          object(Short.class, "a short", Short::valueOf),
          object(Byte.class, "a byte", Byte::valueOf),
          object(Double.class, "a double", Double::valueOf),
          object(Float.class, "a float", Float::valueOf),
          object(Boolean.class, "true or false", FieldType::parseBoolean),
          object(Character.class, "a single character", FieldType::parseChar),
          object(BigDecimal.class, "a decimal number", BigDecimal::new),
          object(BigInteger.class, "a whole number", BigInteger::new),
          object(UUID.class, "a UUID", UUID::fromString),
          object(Instant.class, "a time such as 2026-01-31T12:00:00Z", Instant::parse),
          object(LocalDate.class, "a date such as 2026-01-31", LocalDate::parse),
          object(LocalTime.class, "a time such as 12:00:00", LocalTime::parse),
          object(LocalDateTime.class, "a time such as 2026-01-31T12:00:00", LocalDateTime::parse),
          object(
              OffsetDateTime.class,
              "a time such as 2026-01-31T12:00:00+01:00",
              OffsetDateTime::parse),
          object(
              ZonedDateTime.class,
              "a time such as 2026-01-31T12:00:00+01:00[Europe/Paris]",
              ZonedDateTime::parse),
          object(Duration.class, "a duration such as PT15M", Duration::parse));

  private static Map.Entry<Class<?>, FieldType> primitive(
      Class<?> type, String description, Parser parser) {
    return Map.entry(type, new FieldType(description, parser, true, null));
  }

  private static Map.Entry<Class<?>, FieldType> object(
      Class<?> type, String description, Parser parser) {
    return Map.entry(type, new FieldType(description, parser, false, null));
  }

  /** Of a component; throws when a field cannot hold it. */
  static FieldType of(Class<?> owner, RecordComponent component) {
    FieldType known = find(component.getGenericType());
    if (known == null) {
      throw new IllegalArgumentException(
          "component '"
              + component.getName()
              + "' of "
              + owner.getName()
              + " cannot be a field of a CSV file: "
              + component.getGenericType().getTypeName());
    }
    return known;
  }

  private static @Nullable FieldType find(Type type) {
    if (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class) {
      FieldType inner = find(generic.getActualTypeArguments()[0]);
      return inner == null
          ? null
          : new FieldType(
              inner.description,
              field -> Optional.of(inner.parser.parse(field)),
              false,
              Optional.empty());
    }
    if (type instanceof Class<?> plain && plain.isEnum()) {
      return ofEnum(plain);
    }
    return type instanceof Class<?> plain ? SIMPLE.get(plain) : null;
  }

  private static FieldType ofEnum(Class<?> type) {
    Map<String, Object> constants =
        Arrays.stream(type.getEnumConstants())
            .collect(Collectors.toMap(constant -> ((Enum<?>) constant).name(), c -> c));
    return new FieldType(
        "one of " + String.join(", ", constants.keySet().stream().sorted().toList()),
        field -> {
          Object constant = constants.get(field);
          if (constant == null) {
            throw new IllegalArgumentException(field);
          }
          return constant;
        },
        false,
        null);
  }

  private static Object parseBoolean(String field) {
    if (field.equalsIgnoreCase("true")) {
      return true;
    }
    if (field.equalsIgnoreCase("false")) {
      return false;
    }
    throw new IllegalArgumentException(field);
  }

  private static Object parseChar(String field) {
    if (field.length() != 1) {
      throw new IllegalArgumentException(field);
    }
    return field.charAt(0);
  }

  /** The field of a value; the inverse of parsing. */
  static String print(@Nullable Object value, String missing) {
    if (value instanceof Optional<?> optional) {
      return print(optional.orElse(null), missing);
    }
    if (value == null) {
      return missing;
    }
    return value instanceof Enum<?> constant ? constant.name() : value.toString();
  }
}
