package io.streamforge.serde;

import io.streamforge.error.StreamForgeException;
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;
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

  /**
   * Reads number and elements into a collection.
   *
   * @param ofNull what a null is read as; null: as null
   */
  static <T> void read(
      Collection<@Nullable T> into,
      ValueReader<? extends T> reader,
      @Nullable Supplier<? extends T> ofNull,
      ByteReader input) {
    long header = readHeader(input);
    boolean nulls = nulls(header);
    for (int i = 0, count = count(header); i < count; i++) {
      @Nullable T element = readElement(nulls, reader, ofNull, input);
      try {
        into.add(element);
      } catch (RuntimeException e) {
        throw refused("an element", e);
      }
    }
  }

  /** Reads number and entries into a map, as {@link #read}; returns the number. */
  static <K, V> int readEntries(
      Map<@Nullable K, @Nullable V> into,
      ValueReader<? extends K> keys,
      ValueReader<? extends V> values,
      @Nullable Supplier<? extends K> keyOfNull,
      @Nullable Supplier<? extends V> valueOfNull,
      ByteReader input) {
    long header = readHeader(input);
    boolean nulls = nulls(header);
    int count = count(header);
    for (int i = 0; i < count; i++) {
      @Nullable K key = readElement(nulls, keys, keyOfNull, input);
      @Nullable V value = readElement(nulls, values, valueOfNull, input);
      try {
        into.put(key, value);
      } catch (RuntimeException e) {
        throw refused("an entry", e);
      }
    }
    return count;
  }

  /** Sorted collections and deques take no nulls, and hash codes are the user's. */
  private static StreamForgeException refused(String what, RuntimeException e) {
    return ByteReader.malformed("a collection refuses " + what + " that was stored: " + e);
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

  private static long readHeader(ByteReader input) {
    long header = input.readVarLong();
    // Every element takes a byte at least, so a damaged number does not fill the memory.
    if (header >>> 1 > input.remaining()) {
      throw ByteReader.malformed(
          "the bytes end too early: "
              + Long.toUnsignedString(header >>> 1)
              + " elements do not fit into the "
              + input.remaining()
              + " that are left");
    }
    return header;
  }

  /** The number of elements of a list that has no nulls. */
  static int readSize(ByteReader input) {
    long header = readHeader(input);
    if (nulls(header)) {
      throw ByteReader.malformed("a list that holds no nulls says that it does");
    }
    return count(header);
  }

  private static int count(long header) {
    return (int) (header >>> 1);
  }

  private static boolean nulls(long header) {
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

  private static <T> @Nullable T readElement(
      boolean nulls,
      ValueReader<? extends T> reader,
      @Nullable Supplier<? extends T> ofNull,
      ByteReader input) {
    if (!nulls || input.readBoolean()) {
      return reader.read(input);
    }
    return ofNull == null ? null : ofNull.get();
  }
}
