package io.streamforge.serde;

import java.math.BigDecimal;
import java.math.BigInteger;
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
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The serdes of types without parts. Their bytes are part of the stored format.
 *
 * <p>Whole numbers of two bytes and more have a width that follows their value, and bytes that do
 * not depend on their type, so that a field may later become wider.
 */
final class Scalars {
  static final Serde<Boolean> BOOLEAN =
      new Scalar<>("boolean", (v, out) -> out.writeBoolean(v), ByteReader::readBoolean);
  static final Serde<Byte> BYTE =
      new Scalar<>("byte", (v, out) -> out.writeByte(v), ByteReader::readByte);
  static final Serde<Short> SHORT =
      new Scalar<>("short", (v, out) -> out.writeSignedVarLong(v), Scalars::readShort);
  static final Serde<Integer> INT =
      new Scalar<>("int", (v, out) -> out.writeSignedVarLong(v), ByteReader::readSignedVarInt);
  static final Serde<Long> LONG =
      new Scalar<>("long", (v, out) -> out.writeSignedVarLong(v), ByteReader::readSignedVarLong);
  static final Serde<Float> FLOAT =
      new Scalar<>(
          "float",
          (v, out) -> out.writeInt(Float.floatToIntBits(v)),
          in -> Float.intBitsToFloat(in.readInt()));
  static final Serde<Double> DOUBLE =
      new Scalar<>(
          "double",
          (v, out) -> out.writeLong(Double.doubleToLongBits(v)),
          in -> Double.longBitsToDouble(in.readLong()));
  static final Serde<Character> CHAR =
      new Scalar<>("char", (v, out) -> out.writeShort(v), in -> (char) in.readShort());
  static final Serde<String> STRING =
      new Scalar<>("string", (v, out) -> out.writeString(v), ByteReader::readString);
  static final Serde<byte[]> BYTES =
      new Scalar<>("bytes", Scalars::writeBytes, in -> in.readBytes(in.readCount()));
  static final Serde<BigInteger> BIG_INTEGER =
      new Scalar<>(
          "BigInteger",
          (v, out) -> writeBytes(v.toByteArray(), out),
          in -> new BigInteger(in.readBytes(in.readCount())));
  static final Serde<BigDecimal> BIG_DECIMAL =
      new Scalar<>(
          "BigDecimal",
          (v, out) -> {
            out.writeSignedVarLong(v.scale());
            BIG_INTEGER.write(v.unscaledValue(), out);
          },
          in -> {
            int scale = in.readSignedVarInt();
            return new BigDecimal(BIG_INTEGER.read(in), scale);
          });
  static final Serde<UUID> UUIDS =
      new Scalar<>(
          "UUID",
          (v, out) -> {
            out.writeLong(v.getMostSignificantBits());
            out.writeLong(v.getLeastSignificantBits());
          },
          in -> new UUID(in.readLong(), in.readLong()));
  static final Serde<Instant> INSTANT =
      new Scalar<>(
          "Instant",
          (v, out) -> writeSeconds(v.getEpochSecond(), v.getNano(), out),
          in -> Instant.ofEpochSecond(in.readSignedVarLong(), in.readVarInt()));
  static final Serde<Duration> DURATION =
      new Scalar<>(
          "Duration",
          (v, out) -> writeSeconds(v.getSeconds(), v.getNano(), out),
          in -> Duration.ofSeconds(in.readSignedVarLong(), in.readVarInt()));
  static final Serde<Period> PERIOD =
      new Scalar<>(
          "Period",
          (v, out) -> {
            out.writeSignedVarLong(v.getYears());
            out.writeSignedVarLong(v.getMonths());
            out.writeSignedVarLong(v.getDays());
          },
          in -> Period.of(in.readSignedVarInt(), in.readSignedVarInt(), in.readSignedVarInt()));
  static final Serde<LocalDate> LOCAL_DATE =
      new Scalar<>(
          "LocalDate",
          (v, out) -> out.writeSignedVarLong(v.toEpochDay()),
          in -> LocalDate.ofEpochDay(in.readSignedVarLong()));
  static final Serde<LocalTime> LOCAL_TIME =
      new Scalar<>(
          "LocalTime",
          (v, out) -> out.writeVarLong(v.toNanoOfDay()),
          in -> LocalTime.ofNanoOfDay(in.readVarLong()));
  static final Serde<LocalDateTime> LOCAL_DATE_TIME =
      new Scalar<>(
          "LocalDateTime",
          (v, out) -> {
            LOCAL_DATE.write(v.toLocalDate(), out);
            LOCAL_TIME.write(v.toLocalTime(), out);
          },
          in -> LocalDateTime.of(LOCAL_DATE.read(in), LOCAL_TIME.read(in)));
  static final Serde<OptionalInt> OPTIONAL_INT =
      new Scalar<>(
          "OptionalInt",
          (v, out) -> {
            out.writeBoolean(v.isPresent());
            if (v.isPresent()) {
              INT.write(v.getAsInt(), out);
            }
          },
          in -> in.readBoolean() ? OptionalInt.of(INT.read(in)) : OptionalInt.empty());
  static final Serde<OptionalLong> OPTIONAL_LONG =
      new Scalar<>(
          "OptionalLong",
          (v, out) -> {
            out.writeBoolean(v.isPresent());
            if (v.isPresent()) {
              LONG.write(v.getAsLong(), out);
            }
          },
          in -> in.readBoolean() ? OptionalLong.of(LONG.read(in)) : OptionalLong.empty());
  static final Serde<OptionalDouble> OPTIONAL_DOUBLE =
      new Scalar<>(
          "OptionalDouble",
          (v, out) -> {
            out.writeBoolean(v.isPresent());
            if (v.isPresent()) {
              DOUBLE.write(v.getAsDouble(), out);
            }
          },
          in -> in.readBoolean() ? OptionalDouble.of(DOUBLE.read(in)) : OptionalDouble.empty());
  static final Serde<Year> YEAR =
      new Scalar<>(
          "Year",
          (v, out) -> out.writeSignedVarLong(v.getValue()),
          in -> Year.of(in.readSignedVarInt()));
  static final Serde<YearMonth> YEAR_MONTH =
      new Scalar<>(
          "YearMonth",
          (v, out) -> {
            out.writeSignedVarLong(v.getYear());
            out.writeByte(v.getMonthValue());
          },
          in -> YearMonth.of(in.readSignedVarInt(), in.readByte()));
  static final Serde<MonthDay> MONTH_DAY =
      new Scalar<>(
          "MonthDay",
          (v, out) -> {
            out.writeByte(v.getMonthValue());
            out.writeByte(v.getDayOfMonth());
          },
          in -> MonthDay.of(in.readByte(), in.readByte()));
  static final Serde<ZoneId> ZONE_ID =
      new Scalar<>(
          "ZoneId", (v, out) -> out.writeString(v.getId()), in -> ZoneId.of(in.readString()));
  static final Serde<ZoneOffset> ZONE_OFFSET =
      new Scalar<>(
          "ZoneOffset",
          (v, out) -> out.writeSignedVarLong(v.getTotalSeconds()),
          in -> ZoneOffset.ofTotalSeconds(in.readSignedVarInt()));
  static final Serde<OffsetTime> OFFSET_TIME =
      new Scalar<>(
          "OffsetTime",
          (v, out) -> {
            LOCAL_TIME.write(v.toLocalTime(), out);
            ZONE_OFFSET.write(v.getOffset(), out);
          },
          in -> OffsetTime.of(LOCAL_TIME.read(in), ZONE_OFFSET.read(in)));
  static final Serde<OffsetDateTime> OFFSET_DATE_TIME =
      new Scalar<>(
          "OffsetDateTime",
          (v, out) -> {
            LOCAL_DATE_TIME.write(v.toLocalDateTime(), out);
            ZONE_OFFSET.write(v.getOffset(), out);
          },
          in -> OffsetDateTime.of(LOCAL_DATE_TIME.read(in), ZONE_OFFSET.read(in)));
  static final Serde<ZonedDateTime> ZONED_DATE_TIME =
      new Scalar<>(
          "ZonedDateTime",
          (v, out) -> {
            LOCAL_DATE_TIME.write(v.toLocalDateTime(), out);
            ZONE_OFFSET.write(v.getOffset(), out);
            ZONE_ID.write(v.getZone(), out);
          },
          in ->
              ZonedDateTime.ofInstant(
                  LOCAL_DATE_TIME.read(in), ZONE_OFFSET.read(in), ZONE_ID.read(in)));

  private static final Map<Class<?>, Serde<?>> BY_CLASS = byClass();
  private static final Map<String, Serde<?>> BY_FORM = byForm();

  private Scalars() {}

  /** The serde of a class, which may be a primitive one; null if it has none here. */
  static @Nullable Serde<?> of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /** The serde of a form, arrays of primitives included; null if there is none. */
  static @Nullable Serde<?> ofForm(String form) {
    return BY_FORM.get(form);
  }

  private static Map<String, Serde<?>> byForm() {
    Map<String, Serde<?>> map = new HashMap<>();
    BY_CLASS.values().forEach(serde -> map.put(serde.name(), serde));
    PrimitiveArrays.all().forEach(serde -> map.put(serde.name(), serde));
    return map;
  }

  private static Map<Class<?>, Serde<?>> byClass() {
    Map<Class<?>, Serde<?>> map = new HashMap<>();
    put(map, boolean.class, Boolean.class, BOOLEAN);
    put(map, byte.class, Byte.class, BYTE);
    put(map, short.class, Short.class, SHORT);
    put(map, int.class, Integer.class, INT);
    put(map, long.class, Long.class, LONG);
    put(map, float.class, Float.class, FLOAT);
    put(map, double.class, Double.class, DOUBLE);
    put(map, char.class, Character.class, CHAR);
    map.put(String.class, STRING);
    map.put(byte[].class, BYTES);
    map.put(BigInteger.class, BIG_INTEGER);
    map.put(BigDecimal.class, BIG_DECIMAL);
    map.put(UUID.class, UUIDS);
    map.put(Instant.class, INSTANT);
    map.put(Duration.class, DURATION);
    map.put(Period.class, PERIOD);
    map.put(LocalDate.class, LOCAL_DATE);
    map.put(LocalTime.class, LOCAL_TIME);
    map.put(LocalDateTime.class, LOCAL_DATE_TIME);
    map.put(Year.class, YEAR);
    map.put(YearMonth.class, YEAR_MONTH);
    map.put(MonthDay.class, MONTH_DAY);
    map.put(OffsetTime.class, OFFSET_TIME);
    map.put(OptionalInt.class, OPTIONAL_INT);
    map.put(OptionalLong.class, OPTIONAL_LONG);
    map.put(OptionalDouble.class, OPTIONAL_DOUBLE);
    map.put(ZoneId.class, ZONE_ID);
    map.put(ZoneOffset.class, ZONE_OFFSET);
    map.put(OffsetDateTime.class, OFFSET_DATE_TIME);
    map.put(ZonedDateTime.class, ZONED_DATE_TIME);
    return map;
  }

  private static void put(
      Map<Class<?>, Serde<?>> map, Class<?> primitive, Class<?> boxed, Serde<?> serde) {
    map.put(primitive, serde);
    map.put(boxed, serde);
  }

  private static short readShort(ByteReader input) {
    int value = input.readSignedVarInt();
    if (value != (short) value) {
      throw ByteReader.malformed("the number " + value + " is too large for a short");
    }
    return (short) value;
  }

  private static void writeBytes(byte[] value, ByteWriter output) {
    output.writeVarInt(value.length);
    output.writeBytes(value, 0, value.length);
  }

  private static void writeSeconds(long seconds, int nanos, ByteWriter output) {
    output.writeSignedVarLong(seconds);
    output.writeVarInt(nanos);
  }
}
