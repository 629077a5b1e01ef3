package io.streamforge.runtime.channel;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Records in a temporary file, written at one end and read at the other. The file lives as long as
 * the task has more output in hand than fits into memory.
 */
public final class SpillFile implements AutoCloseable {
  private final ErrorContext context;
  private final Path file;
  private final RecordForm form;
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
  public SpillFile(Path directory, ErrorContext context, RecordForm form) {
    this.context = context;
    this.form = form;
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
    form.write(
        record.key(),
        record.value(),
        record.hash(),
        record.timestampMillis(),
        record.headers(),
        buffer);
    try {
      output.writeInt(buffer.size());
      output.write(buffer.buffer(), 0, buffer.size());
    } catch (IOException e) {
      throw failed(e);
    }
    remaining++;
    unflushed++;
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
      return form.read(new ByteReader(bytes));
    } catch (IOException e) {
      throw failed(e);
    }
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
