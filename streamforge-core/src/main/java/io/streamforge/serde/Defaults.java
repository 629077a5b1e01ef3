package io.streamforge.serde;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
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
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads the texts of {@link Default}. */
final class Defaults {
  private static final Map<String, Function<String, Object>> PARSERS =
      Map.ofEntries(
          Map.entry("boolean", Defaults::parseBoolean),
          Map.entry("byte", Byte::valueOf),
          Map.entry("short", Short::valueOf),
          Map.entry("int", Integer::valueOf),
          Map.entry("long", Long::valueOf),
          Map.entry("float", Float::valueOf),
          Map.entry("double", Double::valueOf),
          Map.entry("char", Defaults::parseChar),
          Map.entry("string", text -> text),
          Map.entry("BigInteger", BigInteger::new),
          Map.entry("BigDecimal", BigDecimal::new),
          Map.entry("UUID", UUID::fromString),
          Map.entry("Instant", Instant::parse),
          Map.entry("Duration", Duration::parse),
          Map.entry("Period", Period::parse),
          Map.entry("LocalDate", LocalDate::parse),
          Map.entry("LocalTime", LocalTime::parse),
          Map.entry("LocalDateTime", LocalDateTime::parse),
          Map.entry("Year", Year::parse),
          Map.entry("YearMonth", YearMonth::parse),
          Map.entry("MonthDay", MonthDay::parse),
          Map.entry("ZoneId", ZoneId::of),
          Map.entry("ZoneOffset", ZoneOffset::of),
          Map.entry("OffsetTime", OffsetTime::parse),
          Map.entry("OffsetDateTime", OffsetDateTime::parse),
          Map.entry("ZonedDateTime", ZonedDateTime::parse));

  private Defaults() {}

  /**
   * Makes the value that a text stands for; a new one each time where it can be changed.
   *
   * @throws IllegalArgumentException when it is not a value of the type, with a clause for people
   */
  static Supplier<Object> of(String text, Serde<?> serde) {
    if (serde instanceof EnumSerde<?> constants) {
      Object constant = constants.constant(text);
      if (constant == null) {
        throw notA(text, serde);
      }
      return () -> constant;
    }
    if (holdsAny(serde)) {
      if (!text.isEmpty()) {
        throw new IllegalArgumentException(
            "@Default(\"" + text + "\") is not empty, the only default of " + serde.name());
      }
      return () -> serde.read(new ByteReader(new byte[1]));
    }
    Function<String, Object> parser = PARSERS.get(serde.name());
    if (parser == null || !(serde instanceof Scalar<?>)) {
      throw new IllegalArgumentException("@Default is not possible for " + serde.name());
    }
    try {
      Object value = parser.apply(text);
      return () -> value;
    } catch (IllegalArgumentException | DateTimeException e) {
      throw notA(text, serde);
    }
  }

  /** Whether one byte that is 0 is an empty value. */
  private static boolean holdsAny(Serde<?> serde) {
    return serde instanceof CollectionSerde<?, ?>
        || serde instanceof MapSerde<?, ?, ?>
        || serde instanceof ArraySerde<?>
        || serde instanceof OptionalSerde<?>
        || (serde instanceof Scalar<?> && (serde.name().endsWith("[]") || serde == Scalars.BYTES));
  }

  private static IllegalArgumentException notA(String text, Serde<?> serde) {
    return new IllegalArgumentException(
        "@Default(\"" + text + "\") is not a value of " + serde.name());
  }

  private static Boolean parseBoolean(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("true");
  }

  private static Character parseChar(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException(text);
    }
    return text.charAt(0);
  }
}
