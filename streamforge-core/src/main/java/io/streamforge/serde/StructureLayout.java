package io.streamforge.serde;

import org.jspecify.annotations.Nullable;

/**
 * Where the bits are that say which fields of a structure are null: one for each field that may be,
 * lowest first, in whole bytes before the fields. A structure without fields has one byte all the
 * same, so that every value takes a byte and a damaged number of elements is noticed.
 */
final class StructureLayout {
  /** The bit of each field; -1: it is never null. */
  private final int[] bits;

  private final int flagBytes;

  private StructureLayout(boolean[] nullable) {
    bits = new int[nullable.length];
    int count = 0;
    for (int i = 0; i < bits.length; i++) {
      bits[i] = nullable[i] ? count++ : -1;
    }
    flagBytes = bits.length == 0 ? 1 : (count + 7) / 8;
  }

  static StructureLayout of(boolean[] nullable) {
    return new StructureLayout(nullable);
  }

  static StructureLayout of(Schema.Structure structure) {
    boolean[] nullable = new boolean[structure.fields().size()];
    for (int i = 0; i < nullable.length; i++) {
      nullable[i] = structure.fields().get(i).nullable();
    }
    return new StructureLayout(nullable);
  }

  void writeFlags(@Nullable Object[] fields, ByteWriter output) {
    int flags = 0;
    int written = 0;
    for (int i = 0; i < fields.length; i++) {
      int bit = bits[i];
      if (bit >= 0) {
        if (bit >> 3 != written) {
          output.writeByte(flags);
          flags = 0;
          written++;
        }
        if (fields[i] == null) {
          flags |= 1 << (bit & 7);
        }
      }
    }
    if (written < flagBytes) {
      output.writeByte(flags);
    }
  }

  byte[] readFlags(ByteReader input) {
    return input.readBytes(flagBytes);
  }

  boolean isNull(byte[] flags, int field) {
    int bit = bits[field];
    return bit >= 0 && ((flags[bit >> 3] >> (bit & 7)) & 1) != 0;
  }
}
