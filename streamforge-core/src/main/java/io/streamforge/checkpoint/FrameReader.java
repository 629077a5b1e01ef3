package io.streamforge.checkpoint;

import io.streamforge.serde.ByteReader;
import io.streamforge.storage.CheckpointStorage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of an object that a {@link FrameWriter} has written, and verifies each before it
 * returns it. Whatever is not as it was written is a {@link DamagedObjectException}; a failure of
 * the storage is an {@link IOException}. Not thread-safe.
 */
public final class FrameReader {
  /** Bytes that are asked of the storage at a time. */
  static final int AHEAD_BYTES = 1 << 20;

  /** More than is asked for at once. */
  private static final int SEAM_BYTES = 2 * Frames.BLOCK_BYTES;

  /** Reads parts of objects, as {@link CheckpointStorage#read} does. */
  @FunctionalInterface
  interface Parts {
    byte[] read(String name, long offset, int length) throws IOException;
  }

  private final CheckpointStorage storage;
  private final Parts parts;
  private final String name;
  private final Frames.Checksum checksum;

  /** Where a segment ends; MAX_VALUE for a whole object, which ends with its trailer. */
  private final long end;

  /** A part of the object, and where in it and in the object reading goes on. */
  private byte[] ahead = {};

  private int at;
  private long position;

  /**
   * Where what is asked for spans two parts: the second one, while {@link #ahead} is the end of the
   * first, of so many bytes, with the beginning of the second. Null elsewhere.
   */
  private byte @Nullable [] behindSeam;

  private int seam;

  /** What has not been taken of the block in hand. */
  private int content;

  private int contentEnd;
  private int blocks;
  private long rawBytes;
  private boolean ended;

  /** Whether the object was seen to end with what is read ahead. */
  private boolean atEnd;

  private FrameReader(CheckpointStorage storage, Parts parts, String name, long start, long end) {
    this.storage = storage;
    this.parts = parts;
    this.name = name;
    this.checksum = new Frames.Checksum(name);
    this.position = start;
    this.end = end;
  }

  /** Reads a whole object. */
  public static FrameReader whole(CheckpointStorage storage, String name, FrameKind kind)
      throws IOException {
    FrameReader reader = new FrameReader(storage, storage::read, name, 0, Long.MAX_VALUE);
    reader.header(kind);
    return reader;
  }

  /** Reads a part of an object. */
  public static FrameReader segment(CheckpointStorage storage, String name, Segment segment) {
    return segment(storage, storage::read, name, segment);
  }

  /**
   * Reads a part of an object, in parts of {@link #AHEAD_BYTES} from its beginning on.
   *
   * @param parts where from
   */
  static FrameReader segment(CheckpointStorage storage, Parts parts, String name, Segment segment) {
    return new FrameReader(storage, parts, name, segment.offset(), segment.end());
  }

  private void header(FrameKind kind) throws IOException {
    byte[] expected = Frames.header(name, kind);
    byte[] found = take(expected.length);
    if (Arrays.equals(found, expected)) {
      return;
    }
    ByteReader reader = new ByteReader(found);
    if (reader.readInt() != Frames.MAGIC) {
      throw damaged("does not begin as such an object does", null);
    }
    int version = reader.readShort() & 0xFFFF;
    int code = reader.readByte();
    int actual = checksum.at(0).bytes(found, 0, found.length - 4).value();
    if (new ByteReader(found, found.length - 4, 4).readInt() != actual) {
      throw damaged("has a header that is altered or of another object", null);
    }
    if (version > Frames.VERSION) {
      throw CheckpointErrors.newerObject(storage, name, version);
    }
    throw damaged("is of kind " + code + ", not " + kind.code() + " (" + kind + ")", null);
  }

  /** Content of the next block; null behind the last one. */
  public byte @Nullable [] next() throws IOException {
    return advance() ? Arrays.copyOfRange(ahead, content, contentEnd) : null;
  }

  /**
   * Goes on to the next block, whose content {@link #take} hands out; false behind the last one.
   */
  boolean advance() throws IOException {
    if (ended || position == end) {
      return false;
    }
    long start = position;
    require(4);
    ByteReader header = new ByteReader(ahead, at, 4);
    int stored = header.readInt();
    if (stored == 0 && end == Long.MAX_VALUE) {
      skip(4);
      trailer(start);
      return false;
    }
    if (stored <= 0 || stored > Frames.BLOCK_BYTES || start + stored > end) {
      throw damaged("has no block at byte " + start, null);
    }
    require(Frames.BLOCK_HEADER_BYTES + stored);
    header.reset(ahead, at + 4, Frames.BLOCK_HEADER_BYTES - 4);
    int compression = header.readByte();
    int raw = header.readInt();
    int expected = header.readInt();
    content = at + Frames.BLOCK_HEADER_BYTES;
    contentEnd = content + stored;
    int actual =
        checksum
            .at(start)
            .bytes(ahead, at, Frames.BLOCK_HEADER_BYTES - 4)
            .bytes(ahead, content, stored)
            .value();
    if (actual != expected) {
      throw damaged("is altered in the block at byte " + start + ": its checksum is wrong", null);
    }
    if (compression != Frames.STORED) {
      throw CheckpointErrors.newerCompression(storage, name, compression);
    }
    blocks++;
    rawBytes += raw;
    skip(Frames.BLOCK_HEADER_BYTES + stored);
    return true;
  }

  /** Bytes of the block in hand that have not been taken. */
  int remaining() {
    return contentEnd - content;
  }

  /** Takes bytes of the block in hand, of which there are so many. */
  void take(byte[] into, int offset, int count) {
    System.arraycopy(ahead, content, into, offset, count);
    content += count;
  }

  /** Where in the object the next block begins. */
  public long position() {
    return position;
  }

  private void trailer(long start) throws IOException {
    byte[] rest = take(Frames.TRAILER_BYTES - 4);
    ByteReader reader = new ByteReader(rest);
    int allBlocks = reader.readInt();
    long allBytes = reader.readLong();
    int actual =
        checksum.at(start).bytes(new byte[4], 0, 4).bytes(rest, 0, rest.length - 4).value();
    if (reader.readInt() != actual) {
      throw damaged("is altered at its end, at byte " + start, null);
    }
    if (allBlocks != blocks || allBytes != rawBytes) {
      throw damaged("has " + blocks + " blocks, not " + allBlocks, null);
    }
    leaveSeam();
    if (at < ahead.length || (!atEnd && fetch(position, 1).length > 0)) {
      throw damaged("goes on behind its end at byte " + position, null);
    }
    ended = true;
  }

  /** Reads ahead so that the next bytes of the object stand from {@link #at} on. */
  private void require(int count) throws IOException {
    leaveSeam();
    if (ahead.length - at < count) {
      int left = ahead.length - at;
      long from = position + left;
      int wanted = (int) Math.min(Math.max(AHEAD_BYTES, count), Math.max(0, end - from));
      byte[] more = fetch(from, wanted);
      if (left == 0) {
        ahead = more;
      } else {
        byte[] joined = new byte[left + Math.min(more.length, SEAM_BYTES)];
        System.arraycopy(ahead, at, joined, 0, left);
        System.arraycopy(more, 0, joined, left, joined.length - left);
        ahead = joined;
        behindSeam = more;
        seam = left;
      }
      at = 0;
      if (ahead.length < count) {
        throw damaged(
            "ends at byte " + (position + ahead.length) + ", in the middle of what was written",
            null);
      }
    }
  }

  /** Goes on in the part that was read last, when all of the one before it has been taken. */
  private void leaveSeam() {
    byte[] behind = behindSeam;
    if (behind != null && at >= seam) {
      ahead = behind;
      at -= seam;
      behindSeam = null;
    }
  }

  private void skip(int count) {
    at += count;
    position += count;
  }

  /** The next bytes of the object. */
  private byte[] take(int count) throws IOException {
    require(count);
    byte[] taken = Arrays.copyOfRange(ahead, at, at + count);
    skip(count);
    return taken;
  }

  private byte[] fetch(long offset, int length) throws IOException {
    try {
      byte[] bytes = parts.read(name, offset, length);
      atEnd = bytes.length < length;
      return bytes;
    } catch (NoSuchFileException e) {
      throw damaged("is missing", e);
    }
  }

  /** What is wrong with the object, as the rest of a sentence. */
  DamagedObjectException damaged(String what, @Nullable Exception cause) {
    return new DamagedObjectException(storage.location(), name, what, cause);
  }
}
