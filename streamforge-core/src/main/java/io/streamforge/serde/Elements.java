package io.streamforge.serde;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * How the elements of a container are laid out: their number, with one bit that says whether nulls
 * are among them; then the elements, with a byte before each if they are.
 */
final class Elements {
  private Elements() {}

  /** Writes number and elements. */
  static <T> void write(
      int count, Iterable<? extends @Nullable T> elements, Serde<T> serde, ByteWriter output) {
    boolean nulls = hasNull(elements);
    writeHeader(count, nulls, output);
    for (@Nullable T element : elements) {
      writeElement(element, nulls, serde, output);
    }
  }

  /** Reads number and elements into a collection. */
  static <T> void read(Collection<@Nullable T> into, Serde<T> serde, ByteReader input) {
    long header = readHeader(input);
    boolean nulls = nulls(header);
    for (int i = 0, count = count(header); i < count; i++) {
      into.add(readElement(nulls, serde, input));
    }
  }

  static boolean hasNull(Iterable<?> elements) {
    for (Object element : elements) {
      if (element == null) {
        return true;
      }
    }
    return false;
  }

  static void writeHeader(int count, boolean nulls, ByteWriter output) {
    output.writeVarLong(((long) count << 1) | (nulls ? 1 : 0));
  }

  static long readHeader(ByteReader input) {
    long header = input.readVarLong();
    if (header >>> 32 != 0) {
      throw ByteReader.malformed("a number of elements is too large");
    }
    return header;
  }

  static int count(long header) {
    return (int) (header >>> 1);
  }

  static boolean nulls(long header) {
    return (header & 1) != 0;
  }

  static <T> void writeElement(
      @Nullable T element, boolean nulls, Serde<T> serde, ByteWriter output) {
    if (nulls) {
      output.writeBoolean(element != null);
    }
    if (element != null) {
      serde.write(element, output);
    }
  }

  static <T> @Nullable T readElement(boolean nulls, Serde<T> serde, ByteReader input) {
    return nulls && !input.readBoolean() ? null : serde.read(input);
  }
}
