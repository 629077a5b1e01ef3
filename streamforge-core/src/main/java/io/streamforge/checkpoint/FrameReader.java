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
  private static final int AHEAD_BYTES = 1 << 20;

  private final CheckpointStorage storage;
  private final String name;
  private final Frames.Checksum checksum;

  /** Where a segment ends; MAX_VALUE for a whole object, which ends with its trailer. */
  private final long end;

  /** A part of the object, and where in it and in the object reading goes on. */
  private byte[] ahead = {};

  private int at;
  private long position;
  private int blocks;
  private long rawBytes;
  private boolean ended;

  /** Whether the object was seen to end with what is read ahead. */
  private boolean atEnd;

  private FrameReader(CheckpointStorage storage, String name, long start, long end) {
    this.storage = storage;
    this.name = name;
    this.checksum = new Frames.Checksum(name);
    this.position = start;
    this.end = end;
  }

  /** Reads a whole object. */
  public static FrameReader whole(CheckpointStorage storage, String name, FrameKind kind)
      throws IOException {
    FrameReader reader = new FrameReader(storage, name, 0, Long.MAX_VALUE);
    reader.header(kind);
    return reader;
  }

  /** Reads a part of an object. */
  public static FrameReader segment(CheckpointStorage storage, String name, Segment segment) {
    return new FrameReader(storage, name, segment.offset(), segment.end());
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
    if (ended || position == end) {
      return null;
    }
    long start = position;
    byte[] lengths = take(4);
    int stored = new ByteReader(lengths).readInt();
    if (stored == 0 && end == Long.MAX_VALUE) {
      trailer(start);
      return null;
    }
    if (stored <= 0 || stored > Frames.BLOCK_BYTES || start + stored > end) {
      throw damaged("has no block at byte " + start, null);
    }
    byte[] rest = take(Frames.BLOCK_HEADER_BYTES - 4 + stored);
    ByteReader reader = new ByteReader(rest);
    int compression = reader.readByte();
    int raw = reader.readInt();
    int expected = reader.readInt();
    int actual =
        checksum
            .at(start)
            .bytes(lengths, 0, lengths.length)
            .bytes(rest, 0, 5)
            .bytes(rest, Frames.BLOCK_HEADER_BYTES - 4, stored)
            .value();
    if (actual != expected) {
      throw damaged("is altered in the block at byte " + start + ": its checksum is wrong", null);
    }
    if (compression != Frames.STORED) {
      throw CheckpointErrors.newerCompression(storage, name, compression);
    }
    blocks++;
    rawBytes += raw;
    return Arrays.copyOfRange(rest, Frames.BLOCK_HEADER_BYTES - 4, rest.length);
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
    if (at < ahead.length || (!atEnd && fetch(position, 1).length > 0)) {
      throw damaged("goes on behind its end at byte " + position, null);
    }
    ended = true;
  }

  /** The next bytes of the object. */
  private byte[] take(int count) throws IOException {
    if (ahead.length - at < count) {
      byte[] left = Arrays.copyOfRange(ahead, at, ahead.length);
      long from = position + left.length;
      int wanted = (int) Math.min(Math.max(AHEAD_BYTES, count), Math.max(0, end - from));
      byte[] more = fetch(from, wanted);
      ahead = Arrays.copyOf(left, left.length + more.length);
      System.arraycopy(more, 0, ahead, left.length, more.length);
      at = 0;
      if (ahead.length < count) {
        throw damaged(
            "ends at byte " + (position + ahead.length) + ", in the middle of what was written",
            null);
      }
    }
    byte[] taken = Arrays.copyOfRange(ahead, at, at + count);
    at += count;
    position += count;
    return taken;
  }

  private byte[] fetch(long offset, int length) throws IOException {
    try {
      byte[] bytes = storage.read(name, offset, length);
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
