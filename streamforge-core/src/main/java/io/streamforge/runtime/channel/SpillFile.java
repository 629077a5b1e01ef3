package io.streamforge.runtime.channel;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Serde;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records in a temporary file, written at one end and read at the other. The file lives as long as
 * the task has more output in hand than fits into memory.
 */
public final class SpillFile implements AutoCloseable {
  private final ErrorContext context;
  private final Path file;
  private final Serde<Object> keySerde;
  private final Serde<Object> valueSerde;
  private final ByteWriter buffer = new ByteWriter();
  private final DataOutputStream output;
  private @Nullable DataInputStream input;
  private long remaining;
  private long unflushed;

  /**
   * An empty file in {@code directory}.
   *
   * @param context names the node in errors
   */
  public SpillFile(Path directory, ErrorContext context, Serde<?> keySerde, Serde<?> valueSerde) {
    this.context = context;
    this.keySerde = Values.cast(keySerde);
    this.valueSerde = Values.cast(valueSerde);
    try {
      file = Files.createTempFile(directory, "streamforge-spill-", ".tmp");
      output = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Appends a record. */
  public void append(Overflow.Held record) {
    buffer.reset();
    writeNullable(record.key(), keySerde);
    writeNullable(record.value(), valueSerde);
    buffer.writeLong(record.hash());
    buffer.writeLong(record.timestampMillis());
    Headers headers = record.headers();
    buffer.writeVarInt(headers == null ? 0 : headers.entries().size() + 1);
    if (headers != null) {
      for (Headers.Header header : headers.entries()) {
        buffer.writeString(header.name());
        buffer.writeVarInt(header.value().length);
        buffer.writeBytes(header.value(), 0, header.value().length);
      }
    }
    try {
      output.writeInt(buffer.size());
      output.write(buffer.buffer(), 0, buffer.size());
    } catch (IOException e) {
      throw failed(e);
    }
    remaining++;
    unflushed++;
  }

  private void writeNullable(@Nullable Object value, Serde<Object> serde) {
    buffer.writeByte(value == null ? 0 : 1);
    if (value != null) {
      serde.write(value, buffer);
    }
  }

  /** Whether every record has been read. */
  public boolean isEmpty() {
    return remaining == 0;
  }

  /** Removes and returns the oldest record; there is one. */
  public Overflow.Held next() {
    try {
      if (unflushed > 0) {
        output.flush();
        unflushed = 0;
      }
      DataInputStream in = input;
      if (in == null) {
        in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
        input = in;
      }
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      remaining--;
      return read(new ByteReader(bytes));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private Overflow.Held read(ByteReader reader) {
    Object key = reader.readByte() == 0 ? null : keySerde.read(reader);
    Object value = reader.readByte() == 0 ? null : valueSerde.read(reader);
    long hash = reader.readLong();
    long timestampMillis = reader.readLong();
    int headerCount = reader.readVarInt() - 1;
    Headers headers = null;
    if (headerCount >= 0) {
      List<Headers.Header> entries = new ArrayList<>(headerCount);
      for (int i = 0; i < headerCount; i++) {
        String name = reader.readString();
        byte[] header = new byte[reader.readVarInt()];
        reader.readBytes(header, 0, header.length);
        entries.add(new Headers.Header(name, header));
      }
      headers = Headers.of(entries);
    }
    return new Overflow.Held(key, value, hash, timestampMillis, headers);
  }

  @Override
  public void close() {
    try {
      output.close();
      if (input != null) {
        input.close();
      }
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private StreamForgeException failed(IOException cause) {
    return new StreamForgeException(
        ErrorCode.SPILL_FAILED, context, "output that finds no room cannot be spilled", cause);
  }
}
