package io.streamforge.serde;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which forms without parts can be read as which others, without losing anything. */
final class Widening {
  private static final Map<String, Function<Object, Object>> CONVERSIONS =
      Map.ofEntries(
          widening("byte", "short", value -> ((Byte) value).shortValue()),
          widening("byte", "int", value -> ((Byte) value).intValue()),
          widening("byte", "long", value -> ((Byte) value).longValue()),
          widening("byte", "float", value -> ((Byte) value).floatValue()),
          widening("short", "float", value -> ((Short) value).floatValue()),
          widening("byte", "double", value -> ((Byte) value).doubleValue()),
          widening("short", "double", value -> ((Short) value).doubleValue()),
          widening("int", "double", value -> ((Integer) value).doubleValue()),
          widening("float", "double", value -> ((Float) value).doubleValue()),
          widening("byte", "BigInteger", Widening::bigInteger),
          widening("short", "BigInteger", Widening::bigInteger),
          widening("int", "BigInteger", Widening::bigInteger),
          widening("long", "BigInteger", Widening::bigInteger),
          widening("byte", "BigDecimal", value -> new BigDecimal(bigInteger(value))),
          widening("short", "BigDecimal", value -> new BigDecimal(bigInteger(value))),
          widening("int", "BigDecimal", value -> new BigDecimal(bigInteger(value))),
          widening("long", "BigDecimal", value -> new BigDecimal(bigInteger(value))),
          widening("BigInteger", "BigDecimal", value -> new BigDecimal((BigInteger) value)),
          widening("short[]", "int[]", value -> ints((short[]) value)),
          widening("short[]", "long[]", value -> longs(ints((short[]) value))),
          widening("int[]", "long[]", value -> longs((int[]) value)),
          widening("float[]", "double[]", value -> doubles((float[]) value)));

  private Widening() {}

  private static Map.Entry<String, Function<Object, Object>> widening(
      String from, String to, Function<Object, Object> conversion) {
    return Map.entry(from + " " + to, conversion);
  }

  private static BigInteger bigInteger(Object value) {
    return BigInteger.valueOf(((Number) value).longValue());
  }

  private static int[] ints(short[] from) {
    return IntStream.range(0, from.length).map(i -> from[i]).toArray();
  }

  private static long[] longs(int[] from) {
    return IntStream.of(from).asLongStream().toArray();
  }

  private static double[] doubles(float[] from) {
    return IntStream.range(0, from.length).mapToDouble(i -> from[i]).toArray();
  }

  /** Whether the bytes of one form are those of the other for the same value. */
  static boolean sameBytes(String stored, String current) {
    return stored.equals(current)
        || (stored.equals("short") && (current.equals("int") || current.equals("long")))
        || (stored.equals("int") && current.equals("long"));
  }

  /** Reads one form as another; null when that is not possible. */
  static @Nullable ValueReader<Object> reader(String stored, String current) {
    Function<Object, Object> conversion = CONVERSIONS.get(stored + " " + current);
    Serde<?> serde = Scalars.ofForm(stored);
    return conversion == null || serde == null
        ? null
        : input -> conversion.apply(serde.read(input));
  }

  /** Why a form cannot be read as another. */
  static String reason(String stored, String current) {
    if (Scalars.ofForm(stored) == null && !stored.equals(Schema.JSON)) {
      return "the form '" + stored + "' is not known to this release";
    }
    boolean narrower =
        sameBytes(current, stored) || CONVERSIONS.containsKey(current + " " + stored);
    boolean inexact =
        (stored.equals("long") || stored.equals("int"))
            && (current.equals("float") || current.equals("double"));
    String lost = narrower ? " without losing some values" : inexact ? " exactly" : "";
    return SchemaText.a(stored) + " cannot be read as " + SchemaText.a(current) + lost;
  }
}
