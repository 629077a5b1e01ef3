package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * A growing buffer that values are written into. Fixed-width numbers are big-endian; variable-width
 * ones take seven bits a byte, lowest first. Not thread-safe. {@link ByteReader} reads it back.
 *
 * <p>A string is the number of its bytes (variable width) and the bytes: UTF-8, with a surrogate
 * that has no partner encoded like any other character of three bytes, so that every Java string
 * comes back as it was.
 */
public final class ByteWriter {
  /*
   * Hot path: arrays and no streams. Each write makes room first and then stores without checks of
   * its own.
   */
  private static final int INITIAL_CAPACITY = 64;
  private static final int MAX_CAPACITY = Integer.MAX_VALUE - 8;

  /** How often a value may contain one of its own type, one inside the other. */
  static final int MAX_NESTING = 200;

  /** A buffer that has grown beyond this is let go of by {@link #reset}. */
  private static final int MAX_RETAINED_CAPACITY = 1 << 20;

  /** Strings up to this length get room for the worst case; longer ones are measured first. */
  private static final int UNMEASURED_CHARS = 4096;

  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private byte[] buffer;
  private int size;
  private int depth;

  /** An empty writer. */
  public ByteWriter() {
    this(INITIAL_CAPACITY);
  }

  /** An empty writer with room for {@code capacity} bytes. */
  public ByteWriter(int capacity) {
    buffer = new byte[capacity];
  }

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
  }

  /** Makes room for {@code count} more bytes and returns where they go. */
  private int claim(int count) {
    int at = size;
    int end = at + count;
    if (end > buffer.length || end < 0) {
      grow((long) at + count);
    }
    size = end;
    return at;
  }

  private void grow(long needed) {
    if (needed > MAX_CAPACITY) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "a serialised value may not be larger than 2 GiB",
          "Split the value into smaller ones.",
          null);
    }
    buffer =
        Arrays.copyOf(buffer, (int) Math.min(MAX_CAPACITY, Math.max(needed, buffer.length * 2L)));
  }

  /** Writes the lowest eight bits. */
  public void writeByte(int value) {
    int at = claim(1);
    buffer[at] = (byte) value;
  }

  /** Writes one byte, 1 or 0. */
  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /** Writes the lowest sixteen bits in two bytes. */
  public void writeShort(int value) {
    int at = claim(2);
    SHORT.set(buffer, at, (short) value);
  }

  /** Writes four bytes. */
  public void writeInt(int value) {
    int at = claim(4);
    INT.set(buffer, at, value);
  }

  /** Writes eight bytes. */
  public void writeLong(long value) {
    int at = claim(8);
    LONG.set(buffer, at, value);
  }

  /** Writes one to five bytes, fewer for smaller numbers; a negative one takes five. */
  public void writeVarInt(int value) {
    if ((value & ~0x7F) == 0) {
      writeByte(value);
    } else {
      writeVarLong(value & 0xFFFF_FFFFL);
    }
  }

  /** Writes one to ten bytes, fewer for smaller numbers; a negative one takes ten. */
  public void writeVarLong(long value) {
    int at = claim(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      buffer[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[at++] = (byte) rest;
    size = at;
  }

  /**
   * Writes one to ten bytes, fewer for numbers closer to zero. The bytes depend on the number only,
   * not on the width of its type.
   */
  public void writeSignedVarLong(long value) {
    writeVarLong((value << 1) ^ (value >> 63));
  }

  /** Writes a part of an array. */
  public void writeBytes(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int at = claim(length);
    System.arraycopy(bytes, offset, buffer, at, length);
  }

  /** Appends the number of elements of a list without nulls, as {@link Serdes#list} does. */
  public void writeListSize(int size) {
    Elements.writeHeader(size, false, this);
  }

  /** Writes a whole array, without its length. */
  public void writeBytes(byte[] bytes) {
    writeBytes(bytes, 0, bytes.length);
  }

  /** Goes into a value inside a value of the same type; {@link #ascend} comes out again. */
  void descend() {
    if (++depth > MAX_NESTING) {
      throw new StreamForgeException(
          ErrorCode.SERDE_FAILED,
          ErrorContext.NONE,
          "a value contains others of its type more than "
              + MAX_NESTING
              + " levels deep, or contains itself",
          "Use a list where values form a chain.",
          null);
    }
  }

  void ascend() {
    depth--;
  }

  /**
   * What is written from now on is preceded by its length; returns what {@link #endFrame} takes.
   */
  int beginFrame() {
    return claim(1);
  }

  /** Fills in the length. */
  void endFrame(int frame) {
    int first = frame + 1;
    int length = size - first;
    int wider = varIntSize(length) - 1;
    if (wider > 0) {
      claim(wider);
      System.arraycopy(buffer, first, buffer, first + wider, length);
    }
    int end = size;
    size = frame;
    writeVarInt(length);
    size = end;
  }

  /** Writes a string; see the class. */
  public void writeString(String value) {
    int chars = value.length();
    int prefix = varIntSize(chars);
    long room = chars <= UNMEASURED_CHARS ? chars * 3L : encodedSize(value);
    if (size + prefix + room + 4 > buffer.length) {
      grow(size + prefix + room + 4);
    }
    byte[] into = buffer;
    int first = size + prefix;
    int at = first;
    int from = 0;
    while (from < chars) {
      char c = value.charAt(from);
      if (c >= 0x80) {
        break;
      }
      into[at++] = (byte) c;
      from++;
    }
    if (from < chars) {
      at = encode(value, from, at);
      int wider = varIntSize(at - first) - prefix;
      if (wider > 0) {
        System.arraycopy(into, first, into, first + wider, at - first);
        at += wider;
        first += wider;
      }
    }
    writeVarInt(at - first);
    size = at;
  }

  private static int varIntSize(int value) {
    return (38 - Integer.numberOfLeadingZeros(value | 1)) / 7;
  }

  /** Appends the characters from {@code from} on at {@code at}, where there is room; the end. */
  private int encode(String value, int from, int start) {
    byte[] into = buffer;
    int at = start;
    for (int i = from, chars = value.length(); i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        into[at++] = (byte) c;
      } else if (c < 0x800) {
        into[at++] = (byte) (0xC0 | (c >> 6));
        into[at++] = (byte) (0x80 | (c & 0x3F));
      } else if (isPair(value, i)) {
        int codePoint = Character.toCodePoint(c, value.charAt(++i));
        into[at++] = (byte) (0xF0 | (codePoint >> 18));
        into[at++] = (byte) (0x80 | ((codePoint >> 12) & 0x3F));
        into[at++] = (byte) (0x80 | ((codePoint >> 6) & 0x3F));
        into[at++] = (byte) (0x80 | (codePoint & 0x3F));
      } else {
        into[at++] = (byte) (0xE0 | (c >> 12));
        into[at++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        into[at++] = (byte) (0x80 | (c & 0x3F));
      }
    }
    return at;
  }

  private static long encodedSize(String value) {
    long bytes = 0;
    for (int i = 0, chars = value.length(); i < chars; i++) {
      char c = value.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (isPair(value, i)) {
        bytes += 4;
        i++;
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }

  private static boolean isPair(String value, int at) {
    return Character.isHighSurrogate(value.charAt(at))
        && at + 1 < value.length()
        && Character.isLowSurrogate(value.charAt(at + 1));
  }

  /** Replaces the four bytes at {@code position}, which have been written before. */
  public void setInt(int position, int value) {
    Objects.checkFromIndexSize(position, 4, size);
    INT.set(buffer, position, value);
  }

  /** Number of bytes written since the last {@link #reset}. */
  public int size() {
    return size;
  }

  /** A copy of the bytes written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  /** Begins anew. The memory is kept up to 1 MiB. */
  public void reset() {
    size = 0;
    depth = 0;
    if (buffer.length > MAX_RETAINED_CAPACITY) {
      buffer = new byte[INITIAL_CAPACITY];
    }
  }

  /**
   * The array that holds the bytes, from its beginning to {@link #size()}; valid until the next
   * write.
   */
  public byte[] buffer() {
    return buffer;
  }
}
