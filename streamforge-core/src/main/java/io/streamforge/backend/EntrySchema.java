package io.streamforge.backend;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Schema;
import org.jspecify.annotations.Nullable;

/**
 * How the entries of a state are written.
 *
 * @param keys schema of keys
 * @param values schema of values; null: a value is so many longs
 * @param columns longs of a value; 0 where there is a schema
 */
public record EntrySchema(Schema keys, @Nullable Schema values, int columns) {
  private static final int OBJECTS = 1;
  private static final int LONGS = 2;

  /** Objects. */
  public static EntrySchema of(Schema keys, Schema values) {
    return new EntrySchema(keys, values, 0);
  }

  /** A number of longs each. */
  public static EntrySchema of(Schema keys, int columns) {
    return new EntrySchema(keys, null, columns);
  }

  /** In a form of its own. */
  public byte[] toBytes() {
    ByteWriter output = new ByteWriter();
    keys.write(output);
    if (values != null) {
      output.writeByte(OBJECTS);
      values.write(output);
    } else {
      output.writeByte(LONGS);
      output.writeVarInt(columns);
    }
    return output.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} has made.
   *
   * @throws io.streamforge.error.StreamForgeException when the bytes are damaged or of a newer
   *     version
   */
  public static EntrySchema read(byte[] bytes) {
    ByteReader input = new ByteReader(bytes);
    Schema keys = Schema.read(input);
    return input.readByte() == OBJECTS
        ? of(keys, Schema.read(input))
        : of(keys, input.readVarInt());
  }

  /** For people. */
  @Override
  public String toString() {
    return keys + " → " + (values == null ? columns + " longs" : values);
  }
}
