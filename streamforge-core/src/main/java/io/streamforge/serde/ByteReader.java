package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads what a {@link ByteWriter} has written. Bytes that end too early or that no writer writes
 * are a {@link StreamForgeException} with {@link ErrorCode#SERDE_FAILED}. Not thread-safe.
 */
public final class ByteReader {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);
  private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

  private byte[] bytes;
  private int start;
  private int position;
  private int end;
  private int depth;

  /** Reads the whole array. */
  public ByteReader(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  /** Reads a part of an array. */
  public ByteReader(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.start = offset;
    this.position = offset;
    this.end = offset + length;
  }

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
  }

  /** Goes on with a part of another array. */
  public void reset(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.start = offset;
    this.position = offset;
    this.end = offset + length;
    this.depth = 0;
  }

  /** Number of bytes read. */
  public int position() {
    return position - start;
  }

  /** Number of bytes not yet read. */
  public int remaining() {
    return end - position;
  }

  /** The exception for bytes that are not what was to be read. */
  static StreamForgeException malformed(String what) {
    return new StreamForgeException(
        ErrorCode.SERDE_FAILED,
        ErrorContext.NONE,
        what,
        "Read the bytes with the serde that wrote them; if it is the same, they are damaged.",
        null);
  }

  /** Goes into a value inside a value of the same type; {@link #ascend} comes out again. */
  void descend() {
    if (++depth > ByteWriter.MAX_NESTING) {
      throw malformed("a value is nested more than " + ByteWriter.MAX_NESTING + " levels deep");
    }
  }

  void ascend() {
    depth--;
  }

  /** Ends the input behind the frame that comes next; returns what {@link #endFrame} takes. */
  int beginFrame() {
    int length = readCount();
    int outer = end;
    int after = take(length) + length;
    position = after - length;
    end = after;
    return outer;
  }

  /** Goes on behind the frame, all of which must have been read. */
  void endFrame(int outer) {
    if (position != end) {
      throw malformed("a serde has left " + remaining() + " bytes of its value unread");
    }
    end = outer;
  }

  private int take(int count) {
    int at = position;
    if (count > end - at) {
      throw malformed(
          "the bytes end too early: "
              + count
              + " more are needed after "
              + position()
              + ", "
              + remaining()
              + " are left");
    }
    position = at + count;
    return at;
  }

  /** Reads one byte. */
  public byte readByte() {
    int at = take(1);
    return bytes[at];
  }

  /** Reads one byte, which must be 1 or 0. */
  public boolean readBoolean() {
    byte value = readByte();
    if (value != 0 && value != 1) {
      throw malformed("a byte that says yes or no is " + value);
    }
    return value == 1;
  }

  /** Reads two bytes. */
  public short readShort() {
    int at = take(2);
    return (short) SHORT.get(bytes, at);
  }

  /** Reads four bytes. */
  public int readInt() {
    int at = take(4);
    return (int) INT.get(bytes, at);
  }

  /** Reads eight bytes. */
  public long readLong() {
    int at = take(8);
    return (long) LONG.get(bytes, at);
  }

  /** Reads what {@link ByteWriter#writeVarInt} wrote. */
  public int readVarInt() {
    byte first = readByte();
    if (first >= 0) {
      return first;
    }
    long value = rest(first);
    if (value >>> 32 != 0) {
      throw malformed("a number is too large for an int");
    }
    return (int) value;
  }

  /** Reads what {@link ByteWriter#writeVarLong} wrote. */
  public long readVarLong() {
    byte first = readByte();
    return first >= 0 ? first : rest(first);
  }

  private long rest(byte first) {
    long value = first & 0x7F;
    for (int shift = 7; shift < 70; shift += 7) {
      byte next = readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        if (shift == 63 && next > 1) {
          break;
        }
        return value;
      }
    }
    throw malformed("a number is too large for a long");
  }

  /** Reads what {@link ByteWriter#writeSignedVarLong} wrote. */
  public long readSignedVarLong() {
    long value = readVarLong();
    return (value >>> 1) ^ -(value & 1);
  }

  /** The same, for a number that was an {@code int}. */
  public int readSignedVarInt() {
    long value = readSignedVarLong();
    if (value != (int) value) {
      throw malformed("the number " + value + " is too large for an int");
    }
    return (int) value;
  }

  /**
   * Reads the number of bytes, elements or the like that follow. The result is not negative; it may
   * exceed what is there when elements take no bytes.
   */
  public int readCount() {
    int count = readVarInt();
    if (count < 0) {
      throw malformed("a number of elements is too large");
    }
    return count;
  }

  /** Fills a part of an array. */
  public void readBytes(byte[] into, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, into.length);
    int at = take(length);
    System.arraycopy(bytes, at, into, offset, length);
  }

  /** Reads what {@link ByteWriter#writeListSize} has written: no more than there are bytes left. */
  public int readListSize() {
    return Elements.readSize(this);
  }

  /** Reads {@code length} bytes into a new array. */
  public byte[] readBytes(int length) {
    if (length < 0) {
      throw malformed("a number of bytes is negative");
    }
    int at = take(length);
    return Arrays.copyOfRange(bytes, at, at + length);
  }

  /** Reads a string. */
  public String readString() {
    int length = readCount();
    int at = take(length);
    if (isAscii(at, at + length)) {
      return new String(bytes, at, length, StandardCharsets.ISO_8859_1);
    }
    return decode(at, at + length);
  }

  private boolean isAscii(int from, int to) {
    int at = from;
    for (; at + 8 <= to; at += 8) {
      if (((long) LONG.get(bytes, at) & NOT_ASCII) != 0) {
        return false;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] < 0) {
        return false;
      }
    }
    return true;
  }

  private String decode(int from, int to) {
    char[] chars = new char[to - from];
    int count = 0;
    int at = from;
    while (at < to) {
      byte first = bytes[at++];
      if (first >= 0) {
        chars[count++] = (char) first;
      } else if ((first & 0xE0) == 0xC0) {
        chars[count++] = (char) (((first & 0x1F) << 6) | following(at++, to));
      } else if ((first & 0xF0) == 0xE0) {
        int high = ((first & 0x0F) << 12) | (following(at++, to) << 6);
        chars[count++] = (char) (high | following(at++, to));
      } else {
        int codePoint = ((first & 0x07) << 18) | (following(at++, to) << 12);
        codePoint |= (following(at++, to) << 6);
        codePoint |= following(at++, to);
        if ((first & 0xF8) != 0xF0 || !Character.isSupplementaryCodePoint(codePoint)) {
          throw malformed("the bytes of a string are not UTF-8");
        }
        count += Character.toChars(codePoint, chars, count);
      }
    }
    return new String(chars, 0, count);
  }

  private int following(int at, int to) {
    if (at >= to || (bytes[at] & 0xC0) != 0x80) {
      throw malformed("the bytes of a string are not UTF-8");
    }
    return bytes[at] & 0x3F;
  }
}
