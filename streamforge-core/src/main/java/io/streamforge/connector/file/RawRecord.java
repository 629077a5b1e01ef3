package io.streamforge.connector.file;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of one record, without its end of line. A view of a buffer: valid only during the call
 * it is passed to.
 */
public final class RawRecord {
  private static final char REPLACEMENT = '\uFFFD';
  private static final int CHECK_CHARS = 4096;

  private final boolean replace;
  private byte[] bytes = new byte[0];
  private int offset;
  private int length;

  RawRecord(boolean replace) {
    this.replace = replace;
  }

  void set(byte[] newBytes, int newOffset, int newLength) {
    bytes = newBytes;
    offset = newOffset;
    length = newLength;
  }

  /** The array that the record is in; must not be changed. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where the record begins in {@link #bytes()}. */
  public int offset() {
    return offset;
  }

  /** Number of its bytes. */
  public int length() {
    return length;
  }

  byte[] copy() {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  /** Whether there is nothing but spaces and tabs. */
  public boolean blank() {
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\t') {
        return false;
      }
    }
    return true;
  }

  /**
   * The record as text. Bytes that are not UTF-8 are an error, or replaced if the source was told
   * so.
   */
  public String text() throws MalformedRecordException {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    // Decoding puts this character where it finds a fault, but it may also be in the file itself.
    if (!replace && text.indexOf(REPLACEMENT) >= 0) {
      check();
    }
    return text;
  }

  private void check() throws MalformedRecordException {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer input = ByteBuffer.wrap(bytes, offset, length);
    CharBuffer ignored = CharBuffer.allocate(CHECK_CHARS);
    CoderResult result;
    do {
      ignored.clear();
      result = decoder.decode(input, ignored, true);
    } while (result.isOverflow());
    if (result.isError()) {
      int lines = LineFeeds.count(bytes, offset, input.position());
      int lineStart = input.position();
      while (lineStart > offset && bytes[lineStart - 1] != '\n') {
        lineStart--;
      }
      int inLine = input.position() - lineStart + 1;
      throw new MalformedRecordException("byte " + inLine + " is not UTF-8", lines, 0, null);
    }
  }
}
