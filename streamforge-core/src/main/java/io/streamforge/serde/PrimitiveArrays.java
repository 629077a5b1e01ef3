package io.streamforge.serde;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The serdes of primitive arrays: the number of elements, and the elements. */
final class PrimitiveArrays {
  static final Serde<boolean[]> BOOLEANS =
      new Scalar<>(
          "boolean[]",
          (array, out) -> {
            out.writeVarInt(array.length);
            for (boolean element : array) {
              out.writeBoolean(element);
            }
          },
          in -> {
            boolean[] array = new boolean[count(in, 1)];
            for (int i = 0; i < array.length; i++) {
              array[i] = in.readBoolean();
            }
            return array;
          });
  static final Serde<short[]> SHORTS =
      new Scalar<>(
          "short[]",
          (array, out) -> {
            out.writeVarInt(array.length);
            for (short element : array) {
              out.writeShort(element);
            }
          },
          in -> {
            short[] array = new short[count(in, 2)];
            for (int i = 0; i < array.length; i++) {
              array[i] = in.readShort();
            }
            return array;
          });
  static final Serde<char[]> CHARS =
      new Scalar<>(
          "char[]",
          (array, out) -> {
            out.writeVarInt(array.length);
            for (char element : array) {
              out.writeShort(element);
            }
          },
          in -> {
            char[] array = new char[count(in, 2)];
            for (int i = 0; i < array.length; i++) {
              array[i] = (char) in.readShort();
            }
            return array;
          });
  static final Serde<int[]> INTS =
      new Scalar<>(
          "int[]",
          (array, out) -> {
            out.writeVarInt(array.length);
            for (int element : array) {
              out.writeInt(element);
            }
          },
          in -> {
            int[] array = new int[count(in, 4)];
            for (int i = 0; i < array.length; i++) {
              array[i] = in.readInt();
            }
            return array;
          });
  static final Serde<long[]> LONGS =
      new Scalar<>(
          "long[]",
          (array, out) -> {
            out.writeVarInt(array.length);
            for (long element : array) {
              out.writeLong(element);
            }
          },
          in -> {
            long[] array = new long[count(in, 8)];
            for (int i = 0; i < array.length; i++) {
              array[i] = in.readLong();
            }
            return array;
          });
  static final Serde<float[]> FLOATS =
      new Scalar<>(
          "float[]",
          (array, out) -> {
            out.writeVarInt(array.length);
            for (float element : array) {
              out.writeInt(Float.floatToIntBits(element));
            }
          },
          in -> {
            float[] array = new float[count(in, 4)];
            for (int i = 0; i < array.length; i++) {
              array[i] = Float.intBitsToFloat(in.readInt());
            }
            return array;
          });
  static final Serde<double[]> DOUBLES =
      new Scalar<>(
          "double[]",
          (array, out) -> {
            out.writeVarInt(array.length);
            for (double element : array) {
              out.writeLong(Double.doubleToLongBits(element));
            }
          },
          in -> {
            double[] array = new double[count(in, 8)];
            for (int i = 0; i < array.length; i++) {
              array[i] = Double.longBitsToDouble(in.readLong());
            }
            return array;
          });

  private static final Map<Type, Serde<?>> BY_ELEMENT =
      Map.of(
          boolean.class, BOOLEANS,
          short.class, SHORTS,
          char.class, CHARS,
          int.class, INTS,
          long.class, LONGS,
          float.class, FLOATS,
          double.class, DOUBLES);

  private PrimitiveArrays() {}

  /** The serde of arrays of a primitive type, {@code byte} excepted; null for other types. */
  static @Nullable Serde<?> of(Type elementType) {
    return BY_ELEMENT.get(elementType);
  }

  static Collection<Serde<?>> all() {
    return BY_ELEMENT.values();
  }

  /** The number of elements, for which there are bytes. */
  private static int count(ByteReader input, int elementBytes) {
    int count = input.readCount();
    if ((long) count * elementBytes > input.remaining()) {
      throw ByteReader.malformed(
          "the bytes end too early: an array of " + count + " elements does not fit into them");
    }
    return count;
  }
}
