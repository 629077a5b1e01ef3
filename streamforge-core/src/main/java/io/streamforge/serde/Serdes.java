package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Change;
import io.streamforge.record.KeyValue;
import java.lang.reflect.Type;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;

/**
 * The built-in serdes, and the one that fits a type: {@link #of(Class)}, {@link #of(TypeRef)} and
 * {@link #infer}. What they write is part of the stored format.
 *
 * <p>Records, plain classes, sealed types, enums, collections, maps, optionals, arrays and {@link
 * KeyValue} are built from the serdes of their parts; a type may contain itself, up to 200 levels
 * deep. Collections and maps come back as new mutable ones that keep the order in which they were
 * written; fields, elements and entries may be null. {@link Default}, {@link Previously} and {@link
 * SerializedBy} say what a type alone does not.
 */
public final class Serdes {
  private Serdes() {}

  /**
   * The serde of a type: of a class, of generic types of any depth, and of arrays of these. Classes
   * need not be public; in a named module their package has to be opened to {@code
   * io.streamforge.core}.
   *
   * <p>A plain class has a serde when nothing can get lost: it is not abstract, an inner or a local
   * class, its constructor may be called without parameters, it and its superclasses are not of the
   * JDK, and its fields, which are stored unless they are {@code transient}, are not {@code final}.
   * A sealed type has one when all its subtypes have one, none is {@code non-sealed}, and their
   * simple names differ.
   */
  public static Inferred infer(Type type) {
    return new Inference().infer(type);
  }

  /**
   * The serde of a class without type parameters.
   *
   * @throws StreamForgeException with {@link ErrorCode#SERDE_FAILED} when there is none
   */
  public static <T> Serde<T> of(Class<T> type) {
    return found(type);
  }

  /**
   * The serde of a type: {@code Serdes.of(new TypeRef<List<String>>() {})}.
   *
   * @throws StreamForgeException with {@link ErrorCode#SERDE_FAILED} when there is none
   */
  public static <T> Serde<T> of(TypeRef<T> type) {
    return found(type.type());
  }

  @SuppressWarnings("unchecked")
  private static <T> Serde<T> found(Type type) {
    Inferred inferred = infer(type);
    if (inferred instanceof Inferred.Found found) {
      return (Serde<T>) found.serde();
    }
    throw new StreamForgeException(
        ErrorCode.SERDE_FAILED,
        ErrorContext.NONE,
        "there is no serde for "
            + type.getTypeName()
            + ": "
            + ((Inferred.Missing) inferred).reason(),
        "Make it a record of types that have one, say its type arguments with new TypeRef<...>() {},"
            + " or write a Serde for it.",
        null);
  }

  /** Strings; every Java string comes back as it was, see {@link ByteWriter}. */
  public static Serde<String> string() {
    return Scalars.STRING;
  }

  /** Byte arrays. */
  public static Serde<byte[]> bytes() {
    return Scalars.BYTES;
  }

  /** Booleans. */
  public static Serde<Boolean> booleans() {
    return Scalars.BOOLEAN;
  }

  /** Single bytes. */
  public static Serde<Byte> singleBytes() {
    return Scalars.BYTE;
  }

  /** Numbers of 16 bits. */
  public static Serde<Short> shorts() {
    return Scalars.SHORT;
  }

  /** Numbers of 32 bits; one to five bytes, fewer for those close to zero. */
  public static Serde<Integer> ints() {
    return Scalars.INT;
  }

  /** Numbers of 64 bits; one to ten bytes, fewer for those close to zero. */
  public static Serde<Long> longs() {
    return Scalars.LONG;
  }

  /** Floats. All NaN are the same; −0.0 and 0.0 are two values, and so two keys. */
  public static Serde<Float> floats() {
    return Scalars.FLOAT;
  }

  /** Doubles. All NaN are the same; −0.0 and 0.0 are two values, and so two keys. */
  public static Serde<Double> doubles() {
    return Scalars.DOUBLE;
  }

  /** Characters, which are UTF-16 units. */
  public static Serde<Character> chars() {
    return Scalars.CHAR;
  }

  /** Whole numbers of any size. */
  public static Serde<BigInteger> bigIntegers() {
    return Scalars.BIG_INTEGER;
  }

  /** Decimal numbers with their scale: 1.0 and 1.00 are two values, and so two keys. */
  public static Serde<BigDecimal> bigDecimals() {
    return Scalars.BIG_DECIMAL;
  }

  /** UUIDs. */
  public static Serde<UUID> uuids() {
    return Scalars.UUIDS;
  }

  /** Instants. */
  public static Serde<Instant> instants() {
    return Scalars.INSTANT;
  }

  /** Durations. */
  public static Serde<Duration> durations() {
    return Scalars.DURATION;
  }

  /** Periods. */
  public static Serde<Period> periods() {
    return Scalars.PERIOD;
  }

  /** Dates. */
  public static Serde<LocalDate> localDates() {
    return Scalars.LOCAL_DATE;
  }

  /** Times of day. */
  public static Serde<LocalTime> localTimes() {
    return Scalars.LOCAL_TIME;
  }

  /** Dates with time of day. */
  public static Serde<LocalDateTime> localDateTimes() {
    return Scalars.LOCAL_DATE_TIME;
  }

  /** Times of day with an offset. */
  public static Serde<OffsetTime> offsetTimes() {
    return Scalars.OFFSET_TIME;
  }

  /** Years. */
  public static Serde<Year> years() {
    return Scalars.YEAR;
  }

  /** Months of a year. */
  public static Serde<YearMonth> yearMonths() {
    return Scalars.YEAR_MONTH;
  }

  /** Days of a year. */
  public static Serde<MonthDay> monthDays() {
    return Scalars.MONTH_DAY;
  }

  /** Time zones, by their id. */
  public static Serde<ZoneId> zoneIds() {
    return Scalars.ZONE_ID;
  }

  /** Offsets from UTC. */
  public static Serde<ZoneOffset> zoneOffsets() {
    return Scalars.ZONE_OFFSET;
  }

  /** Dates and times with an offset; the same instant at another offset is another value. */
  public static Serde<OffsetDateTime> offsetDateTimes() {
    return Scalars.OFFSET_DATE_TIME;
  }

  /** Dates and times in a zone; the same instant in another zone is another value. */
  public static Serde<ZonedDateTime> zonedDateTimes() {
    return Scalars.ZONED_DATE_TIME;
  }

  /** Arrays of boolean. */
  public static Serde<boolean[]> booleanArrays() {
    return PrimitiveArrays.BOOLEANS;
  }

  /** Arrays of short. */
  public static Serde<short[]> shortArrays() {
    return PrimitiveArrays.SHORTS;
  }

  /** Arrays of char. */
  public static Serde<char[]> charArrays() {
    return PrimitiveArrays.CHARS;
  }

  /** Arrays of int. */
  public static Serde<int[]> intArrays() {
    return PrimitiveArrays.INTS;
  }

  /** Arrays of long. */
  public static Serde<long[]> longArrays() {
    return PrimitiveArrays.LONGS;
  }

  /** Arrays of float. */
  public static Serde<float[]> floatArrays() {
    return PrimitiveArrays.FLOATS;
  }

  /** Arrays of double. */
  public static Serde<double[]> doubleArrays() {
    return PrimitiveArrays.DOUBLES;
  }

  /** Arrays of objects. Deterministic if that of the elements is. */
  public static <T> Serde<T[]> array(Class<T> elementType, Serde<T> elements) {
    return new ArraySerde<>(elementType, elements);
  }

  /**
   * Constants of an enum by name: they may be reordered and added to. One that was stored and no
   * longer exists is an error that names it.
   */
  public static <E extends Enum<E>> Serde<E> enumOf(Class<E> type) {
    return new EnumSerde<>(type);
  }

  /** Lists. Deterministic if that of the elements is. */
  public static <T> Serde<List<T>> list(Serde<T> elements) {
    return new CollectionSerde<>("list", true, elements, ArrayList::new);
  }

  /** Sets in the order of their iteration, and therefore not deterministic. */
  public static <T> Serde<Set<T>> set(Serde<T> elements) {
    return new CollectionSerde<>("set", false, elements, LinkedHashSet::new);
  }

  /**
   * Sets sorted in the natural order; other comparators are refused. Deterministic if that of the
   * elements is, but not for enums, whose order changes when constants are moved: see {@link
   * #enumSet}.
   */
  public static <T extends Comparable<? super T>> Serde<SortedSet<T>> sortedSet(Serde<T> elements) {
    boolean ordered = !(elements instanceof EnumSerde);
    return new CollectionSerde<>("sorted-set", ordered, elements, TreeSet::new);
  }

  /** Sets of enum constants, written in the order of their names. Deterministic. */
  public static <E extends Enum<E>> Serde<EnumSet<E>> enumSet(Class<E> type) {
    return new CollectionSerde<>(
        "enum-set", true, new EnumSerde<>(type), () -> EnumSet.noneOf(type)) {
      @Override
      Collection<E> inStoredOrder(EnumSet<E> value) {
        List<E> sorted = new ArrayList<>(value);
        sorted.sort(Comparator.comparing(Enum::name));
        return sorted;
      }
    };
  }

  /** Maps in the order of their iteration, and therefore not deterministic. */
  public static <K, V> Serde<Map<K, V>> map(Serde<K> keys, Serde<V> values) {
    return new MapSerde<>("map", false, keys, values, LinkedHashMap::new);
  }

  /**
   * Maps sorted in the natural order of their keys; other comparators are refused. Deterministic if
   * those of keys and values are, but not for enums, whose order changes when constants are moved:
   * see {@link #enumMap}.
   */
  public static <K extends Comparable<? super K>, V> Serde<SortedMap<K, V>> sortedMap(
      Serde<K> keys, Serde<V> values) {
    boolean ordered = !(keys instanceof EnumSerde);
    return new MapSerde<>("sorted-map", ordered, keys, values, TreeMap::new);
  }

  /**
   * Maps of enum constants, written in the order of their names. Deterministic if that of the
   * values is.
   */
  public static <E extends Enum<E>, V> Serde<EnumMap<E, V>> enumMap(
      Class<E> type, Serde<V> values) {
    return new MapSerde<>(
        "enum-map", true, new EnumSerde<>(type), values, () -> new EnumMap<>(type)) {
      @Override
      Map<E, V> inStoredOrder(EnumMap<E, V> value) {
        Map<E, V> sorted = new TreeMap<>(Comparator.comparing(Enum::name));
        sorted.putAll(value);
        return sorted;
      }
    };
  }

  /** Optionals. Deterministic if that of the value is. */
  public static <T> Serde<Optional<T>> optional(Serde<T> value) {
    return new OptionalSerde<>(value);
  }

  /**
   * Arrays of a fixed length whose elements have a serde each and are not null, written one after
   * the other. Deterministic if all the serdes are.
   */
  public static Serde<Object[]> tuple(List<? extends Serde<?>> elements) {
    return new TupleSerde(elements);
  }

  /**
   * The same serde, framed where nobody else would know where its bytes end: values that lie one
   * after the other can then be read, skipped and shown without it.
   */
  public static <T> Serde<T> delimited(Serde<T> serde) {
    return FramedSerde.part(serde);
  }

  /**
   * Reads what a {@linkplain #delimited(Serde) delimited} serde with this schema has written.
   *
   * @param reader of the values
   */
  public static <T> ValueReader<T> delimited(ValueReader<T> reader, Schema stored) {
    return stored instanceof Schema.Opaque ? input -> FramedSerde.read(reader, input) : reader;
  }

  /**
   * Values of a type that has no serde, written as values of one that has: the bytes, the schema
   * and its evolution are those of {@code form}.
   *
   * @param name of the type, for people
   * @param to gives what is written; never null
   * @param from gives the value back; never null
   */
  public static <T, F> Serde<T> mapped(
      String name,
      Serde<F> form,
      Function<? super T, ? extends F> to,
      Function<? super F, ? extends T> from) {
    return new MappedSerde<>(name, form, to, from);
  }

  /** Pairs, either part of which may be null. Deterministic if those of the parts are. */
  @SuppressWarnings("unchecked")
  public static <K, V> Serde<KeyValue<K, V>> keyValue(Serde<K> keys, Serde<V> values) {
    return StructureSerde.ofRecord(
        (Class<KeyValue<K, V>>) (Class<?>) KeyValue.class, List.of(keys, values));
  }

  /** Changes of the rows of a table. Deterministic if that of the rows is. */
  @SuppressWarnings("unchecked")
  public static <V> Serde<Change<V>> change(Serde<V> rows) {
    return StructureSerde.ofRecord(
        (Class<Change<V>>) (Class<?>) Change.class, List.of(rows, rows, booleans()));
  }
}
