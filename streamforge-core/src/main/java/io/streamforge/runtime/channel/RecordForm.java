package io.streamforge.runtime.channel;

import io.streamforge.backend.EntrySchema;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.operator.Part;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the records of an output are written one after the other, with all that goes with them
 * between tasks. Thread-safe.
 */
public final class RecordForm {
  private static final int NULL = 0;
  private static final int VALUE = 1;

  /** Columns of an accumulator that a combining sender has put in place of a value. */
  private static final int PART = 2;

  private final Serde<Object> keySerde;
  private final Serde<Object> keys;
  private final Serde<Object> valueSerde;
  private final Serde<Object> values;

  /** With these serdes. */
  public RecordForm(Serde<?> keySerde, Serde<?> valueSerde) {
    this.keySerde = Values.cast(keySerde);
    this.keys = Serdes.delimited(this.keySerde);
    this.valueSerde = Values.cast(valueSerde);
    this.values = Serdes.delimited(this.valueSerde);
  }

  /** Reads records. */
  @FunctionalInterface
  public interface Reader {
    /** The next record. */
    Overflow.Held read(ByteReader input);
  }

  /** What the bytes mean. */
  public EntrySchema schema() {
    return EntrySchema.of(keySerde.schema(), valueSerde.schema());
  }

  /** Appends a record. */
  public void write(
      @Nullable Object key,
      @Nullable Object value,
      long hash,
      long timestampMillis,
      @Nullable Headers headers,
      ByteWriter output) {
    output.writeByte(key == null ? NULL : VALUE);
    if (key != null) {
      keys.write(key, output);
    }
    if (value instanceof Part part) {
      output.writeByte(PART);
      // Only what is kept in columns is combined.
      long[] columns = (long[]) part.accumulator();
      output.writeVarInt(columns.length);
      for (long column : columns) {
        output.writeLong(column);
      }
    } else {
      output.writeByte(value == null ? NULL : VALUE);
      if (value != null) {
        values.write(value, output);
      }
    }
    output.writeLong(hash);
    output.writeLong(timestampMillis);
    output.writeVarInt(headers == null ? 0 : headers.entries().size() + 1);
    if (headers != null) {
      for (Headers.Header header : headers.entries()) {
        output.writeString(header.name());
        output.writeVarInt(header.value().length);
        output.writeBytes(header.value(), 0, header.value().length);
      }
    }
  }

  /** Reads a record that {@link #write} has written. */
  public Overflow.Held read(ByteReader input) {
    return read(keys, values, input);
  }

  /**
   * A reader of what was written with another schema.
   *
   * @param what the records are; begins the message
   * @throws StreamForgeException when it cannot be read
   */
  public Reader reader(EntrySchema stored, String what, ErrorContext context) {
    Schema storedKeys = stored.keys();
    Schema storedValues = stored.values();
    if (storedValues == null) {
      throw new IllegalArgumentException(what + " have no schema of values");
    }
    ValueReader<Object> keyReader =
        Serdes.delimited(
            KeyKinds.reading(keySerde, storedKeys).orThrow("the keys of " + what, context).reader(),
            storedKeys);
    ValueReader<Object> valueReader =
        Serdes.delimited(
            valueSerde.reading(storedValues).orThrow("the values of " + what, context).reader(),
            storedValues);
    return input -> read(keyReader, valueReader, input);
  }

  private static Overflow.Held read(
      ValueReader<Object> keys, ValueReader<Object> values, ByteReader input) {
    Object key = input.readByte() == NULL ? null : keys.read(input);
    Object value =
        switch (input.readByte()) {
          case NULL -> null;
          case PART -> new Part(columns(input));
          default -> values.read(input);
        };
    long hash = input.readLong();
    long timestampMillis = input.readLong();
    return new Overflow.Held(key, value, hash, timestampMillis, headers(input));
  }

  private static long[] columns(ByteReader input) {
    long[] columns = new long[input.readCount()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = input.readLong();
    }
    return columns;
  }

  private static @Nullable Headers headers(ByteReader input) {
    int count = input.readVarInt() - 1;
    if (count < 0) {
      return null;
    }
    List<Headers.Header> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String name = input.readString();
      byte[] header = new byte[input.readVarInt()];
      input.readBytes(header, 0, header.length);
      entries.add(new Headers.Header(name, header));
    }
    return Headers.of(entries);
  }
}
