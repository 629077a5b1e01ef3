package io.streamforge.connector.file;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A gzip file of any number of members. Unlike the JDK's stream it does not take damage behind the
 * first member for the end of the file.
 */
final class GzipFeed implements ByteFeed {
  /*
   * RFC 1952. Zero bytes behind the last member are padding, as gzip itself has it.
   */
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAGIC = 0x1F8B;
  private static final int DEFLATE = 8;
  private static final int HEADER_CRC = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;

  private final InputStream input;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int next;
  private int end;
  private boolean inMember;
  private boolean anyMember;

  GzipFeed(Path file) throws IOException {
    this.input = Files.newInputStream(file);
  }

  static boolean magic(int first, int second) {
    return (first << 8 | second) == MAGIC;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    while (inMember || beginMember()) {
      int count = inflate(into, offset, length);
      if (count > 0) {
        crc.update(into, offset, count);
        return count;
      }
      if (inflater.finished()) {
        endMember();
      }
    }
    return -1;
  }

  private int inflate(byte[] into, int offset, int length) throws IOException {
    if (inflater.needsInput()) {
      if (next == end && !fill()) {
        throw new EOFException("its compressed data end too early");
      }
      inflater.setInput(buffer, next, end - next);
      next = end;
    }
    try {
      int count = inflater.inflate(into, offset, length);
      if (inflater.needsDictionary()) {
        throw new IOException("its compressed data need a dictionary");
      }
      return count;
    } catch (DataFormatException e) {
      throw new IOException("its compressed data are damaged: " + e.getMessage(), e);
    }
  }

  private boolean beginMember() throws IOException {
    int first = readOrEnd();
    if (anyMember) {
      while (first == 0) {
        first = readOrEnd();
      }
    }
    if (first < 0) {
      return false;
    }
    if (!magic(first, readOrEnd())) {
      throw new IOException(
          anyMember
              ? "what follows its compressed data is not in gzip format"
              : "it is not in gzip format");
    }
    if (read() != DEFLATE) {
      throw new IOException("it is compressed by an unknown method");
    }
    int flags = read();
    skip(6);
    if ((flags & EXTRA) != 0) {
      skip(read() | read() << 8);
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CRC) != 0) {
      skip(2);
    }
    inflater.reset();
    crc.reset();
    inMember = true;
    anyMember = true;
    return true;
  }

  private void endMember() throws IOException {
    next -= inflater.getRemaining();
    long expected = readInt();
    long size = readInt();
    if (expected != crc.getValue() || size != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
      throw new IOException("its compressed data are damaged: the checksum is wrong");
    }
    inMember = false;
  }

  private long readInt() throws IOException {
    return read() | read() << 8 | read() << 16 | (long) read() << 24;
  }

  private void skipText() throws IOException {
    while (read() != 0) {}
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      read();
    }
  }

  private int read() throws IOException {
    int value = readOrEnd();
    if (value < 0) {
      throw new EOFException("its compressed data end too early");
    }
    return value;
  }

  private int readOrEnd() throws IOException {
    return next == end && !fill() ? -1 : buffer[next++] & 0xFF;
  }

  private boolean fill() throws IOException {
    int count = input.read(buffer, 0, buffer.length);
    next = 0;
    end = Math.max(count, 0);
    return count > 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    input.close();
  }
}
