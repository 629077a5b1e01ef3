package io.streamforge.connector.file;

import java.io.IOException;
import java.util.Arrays;

/** Cuts the bytes of a file into records. */
final class FrameReader implements AutoCloseable {
  /** What the next piece of the file is. */
  enum Found {
    /** A whole record. */
    RECORD,
    /** A record beyond the limit; it is passed over by the next call. */
    TOO_LONG,
    /** The first line of a record whose quote is never closed; the next call goes on behind it. */
    UNCLOSED,
    /** Nothing complete at present. */
    WAITING,
    /** Nothing any more. */
    ENDED
  }

  /*
   * buffer[start .. end) has been read and not yet been passed on. The bytes before `scanned` have
   * been shown to the framing. A record is a slice of the buffer, which moves or grows only when a
   * record does not fit.
   */
  private static final int BUFFER_BYTES = 1 << 16;
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final ByteFeed feed;
  private final Framing framing;
  private final int maxRecordBytes;
  private final boolean follow;
  private byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private int scanned;
  private boolean markChecked;
  private boolean begun;
  private boolean discarding;

  private long nextOffset;
  private long nextLine = 1;
  private long line = 1;
  private int length;
  private int recordStart;

  /**
   * A reader of what the feed has.
   *
   * @param offset of the feed's first byte in the file
   */
  FrameReader(ByteFeed feed, Framing framing, long offset, int maxRecordBytes, boolean follow) {
    this.feed = feed;
    this.framing = framing;
    this.nextOffset = offset;
    this.maxRecordBytes = maxRecordBytes;
    this.follow = follow;
    this.markChecked = offset > 0;
  }

  /** The buffer that the last record is in. */
  byte[] buffer() {
    return buffer;
  }

  /** Where the last record begins in the buffer. */
  int recordStart() {
    return recordStart;
  }

  /** Its length without the end of line. */
  int recordLength() {
    return length;
  }

  /** Where in the buffer the beginning of a record is that is too long; before the next call. */
  int tooLongStart() {
    return start;
  }

  /** How much of it is there. */
  int tooLongLength() {
    return end - start;
  }

  /** Passes over it; whether its end was found, or there is none. */
  boolean passOver() throws IOException {
    return !discarding || discard() || !follow;
  }

  /** Line of its first byte; 1 is the line that the reader began with. */
  long line() {
    return line;
  }

  /** Offset of the byte behind it. */
  long nextOffset() {
    return nextOffset;
  }

  Found next() throws IOException {
    if (!markChecked && !skipMark()) {
      return Found.WAITING;
    }
    if (discarding && !discard()) {
      return follow ? Found.WAITING : Found.ENDED;
    }
    if (!begun) {
      begun = true;
      framing.begin();
      scanned = start;
      line = nextLine;
    }
    while (true) {
      int at = framing.end(buffer, scanned, end);
      if (at >= 0 && at - start <= maxRecordBytes) {
        nextLine += framing.innerLines() + 1L;
        return take(at, at + 1);
      }
      scanned = at >= 0 ? at : end;
      if (at >= 0 || end - start > maxRecordBytes) {
        return tooLong();
      }
      if (!fill()) {
        return atEnd();
      }
    }
  }

  private Found take(int contentEnd, int next) {
    recordStart = start;
    length = contentEnd - start;
    if (length > 0 && buffer[contentEnd - 1] == '\r') {
      length--;
    }
    nextOffset += next - start;
    start = next;
    begun = false;
    return Found.RECORD;
  }

  private Found atEnd() {
    if (follow) {
      return Found.WAITING;
    }
    if (start == end) {
      return Found.ENDED;
    }
    return framing.open() ? unclosed() : take(end, end);
  }

  private Found tooLong() {
    if (framing.open()) {
      Found found = unclosed();
      if (found == Found.UNCLOSED) {
        return found;
      }
    }
    discarding = true;
    begun = false;
    return Found.TOO_LONG;
  }

  /** Gives up one line only: the others may be good once the quote is out of the way. */
  private Found unclosed() {
    int feedAt = LineFeeds.next(buffer, start, end);
    if (feedAt < 0 && end - start > maxRecordBytes) {
      return Found.TOO_LONG;
    }
    nextLine++;
    take(feedAt < 0 ? end : feedAt, feedAt < 0 ? end : feedAt + 1);
    return Found.UNCLOSED;
  }

  /** Passes over the rest of a line that is too long; whether its end was found. */
  private boolean discard() throws IOException {
    while (true) {
      int at = LineFeeds.next(buffer, start, end);
      int to = at < 0 ? end : at + 1;
      nextOffset += to - start;
      start = to;
      if (at >= 0) {
        nextLine++;
        discarding = false;
        return true;
      }
      if (!fill()) {
        return false;
      }
    }
  }

  private boolean skipMark() throws IOException {
    while (true) {
      int known = Math.min(end - start, BYTE_ORDER_MARK.length);
      boolean same = Arrays.equals(buffer, start, start + known, BYTE_ORDER_MARK, 0, known);
      if (same && known == BYTE_ORDER_MARK.length) {
        start += known;
        nextOffset += known;
      } else if (same) {
        if (fill()) {
          continue;
        }
        if (follow) {
          return false;
        }
      }
      markChecked = true;
      return true;
    }
  }

  /** Reads more bytes; whether there were any. */
  private boolean fill() throws IOException {
    if (start == end && (start > 0 || buffer.length > BUFFER_BYTES)) {
      if (buffer.length > 16 * BUFFER_BYTES) {
        buffer = new byte[BUFFER_BYTES];
      }
      start = end = scanned = 0;
    } else if (end == buffer.length) {
      makeRoom();
    }
    int count = feed.read(buffer, end, buffer.length - end);
    if (count <= 0) {
      return false;
    }
    end += count;
    return true;
  }

  private void makeRoom() {
    int size = end - start;
    byte[] target = buffer;
    if (size > buffer.length / 2) {
      long larger = Math.min(buffer.length * 2L, (long) maxRecordBytes + BUFFER_BYTES);
      target = new byte[(int) Math.max(larger, size + 1L)];
    } else if (buffer.length > 16 * BUFFER_BYTES && size < BUFFER_BYTES) {
      target = new byte[BUFFER_BYTES];
    }
    System.arraycopy(buffer, start, target, 0, size);
    scanned -= start;
    buffer = target;
    start = 0;
    end = size;
  }

  @Override
  public void close() throws IOException {
    feed.close();
  }
}
