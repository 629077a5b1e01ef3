package io.streamforge.backend;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the entries of a state are written.
 *
 * @param keys schema of keys
 * @param values schema of values; null: a value is so many longs
 * @param columns longs of a value; 0 where there is a schema
 * @param form what the longs mean; empty where there is a schema or nothing is said
 */
public record EntrySchema(Schema keys, @Nullable Schema values, int columns, String form) {
  private static final int OBJECTS = 1;
  private static final int LONGS = 2;

  /** Objects. */
  public static EntrySchema of(Schema keys, Schema values) {
    return new EntrySchema(keys, values, 0, "");
  }

  /** A number of longs each. */
  public static EntrySchema of(Schema keys, int columns, String form) {
    return new EntrySchema(keys, null, columns, form);
  }

  /** What the longs are called; empty where that is not said. */
  public List<String> columnNames() {
    int from = form.indexOf('{');
    List<String> names =
        from < 0 || !form.endsWith("}")
            ? List.of()
            : List.of(form.substring(from + 1, form.length() - 1).split(", ", -1));
    return names.size() == columns ? names : List.of();
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
      output.writeString(form);
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
    int kind = input.readByte();
    EntrySchema schema =
        switch (kind) {
          case OBJECTS -> of(keys, Schema.read(input));
          case LONGS -> of(keys, input.readVarInt(), input.readString());
          default -> throw damaged("a kind of values with the number " + kind);
        };
    if (input.remaining() > 0) {
      throw damaged(input.remaining() + " bytes too many");
    }
    return schema;
  }

  private static StreamForgeException damaged(String what) {
    return new StreamForgeException(
        ErrorCode.SERDE_FAILED,
        ErrorContext.NONE,
        "the schema of a state is damaged or of a newer version: " + what);
  }

  /** For people. */
  @Override
  public String toString() {
    return keys + " → " + (values == null ? longs(columns, form) : values);
  }

  /** A number of longs, for people. */
  static String longs(int columns, String form) {
    return columns + (columns == 1 ? " long" : " longs") + (form.isEmpty() ? "" : " of " + form);
  }
}
