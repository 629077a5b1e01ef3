package io.streamforge.checkpoint;

import io.streamforge.serde.ByteWriter;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** The form of framed objects; small ones as a whole. */
final class Frames {
  /*
   *   header   magic, version, kind, length of the name, name, checksum
   *   block    stored bytes, compression, raw bytes, checksum, content      (any number)
   *   trailer  0, number of blocks, raw bytes of all blocks, checksum       (and nothing behind it)
   *
   * A checksum covers the object's name and the offset of what it stands in, so that a block which
   * is whole but belongs elsewhere is found as well. CRC-32C finds every error of up to 32 bits in a
   * row, and others but for one in four billion.
   */
  static final int MAGIC = 0x53464F42; // "SFOB"
  static final int VERSION = 1;

  /** Bytes of content in a block at most. */
  static final int BLOCK_BYTES = 1 << 16;

  /** Before the content of a block. */
  static final int BLOCK_HEADER_BYTES = 4 + 1 + 4 + 4;

  static final int TRAILER_BYTES = 4 + 4 + 8 + 4;

  /** Compression of a block: none. */
  static final int STORED = 0;

  /** Bytes of a small object at most. */
  private static final int MAX_SMALL_BYTES = 1 << 28;

  private Frames() {}

  static byte[] header(String name, FrameKind kind) {
    ByteWriter writer = new ByteWriter();
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    writer.writeInt(MAGIC);
    writer.writeShort(VERSION);
    writer.writeByte(kind.code());
    writer.writeShort(utf8.length);
    writer.writeBytes(utf8);
    writer.writeInt(new Checksum(name).at(0).bytes(writer.buffer(), 0, writer.size()).value());
    return writer.toByteArray();
  }

  /** A small object. */
  static byte[] encode(String name, FrameKind kind, byte[] content) {
    ByteWriter whole = new ByteWriter(content.length + 256);
    int blockBytes = Math.max(1, Math.min(BLOCK_BYTES, content.length));
    try (FrameWriter writer = new FrameWriter(new InMemory(whole), name, kind, blockBytes)) {
      writer.write(content, 0, content.length);
      writer.finish();
    } catch (IOException e) {
      throw new IllegalStateException("memory does not fail", e);
    }
    return whole.toByteArray();
  }

  /**
   * Reads a small object.
   *
   * @throws DamagedObjectException when it is missing or not as it was written
   */
  static byte[] decode(CheckpointStorage storage, String name, FrameKind kind) throws IOException {
    FrameReader reader = FrameReader.whole(storage, name, kind);
    ByteWriter content = new ByteWriter();
    byte[] block;
    while ((block = reader.next()) != null) {
      if (content.size() + block.length > MAX_SMALL_BYTES) {
        throw reader.damaged("is larger than such an object may be", null);
      }
      content.writeBytes(block);
    }
    return content.toByteArray();
  }

  /** Writes into memory. */
  private record InMemory(ByteWriter whole) implements ObjectWriter {
    @Override
    public void write(byte[] bytes, int offset, int length) {
      whole.writeBytes(bytes, offset, length);
    }

    @Override
    public void complete() {}

    @Override
    public void close() {}
  }

  /** Of a part of an object. */
  static final class Checksum {
    private final byte[] name;
    private final CRC32C crc = new CRC32C();
    private final ByteWriter numbers = new ByteWriter();

    Checksum(String name) {
      this.name = name.getBytes(StandardCharsets.UTF_8);
    }

    /** Begins anew, for what stands at this offset. */
    Checksum at(long offset) {
      crc.reset();
      crc.update(name);
      numbers.reset();
      numbers.writeLong(offset);
      crc.update(numbers.buffer(), 0, numbers.size());
      return this;
    }

    Checksum bytes(byte[] bytes, int offset, int length) {
      crc.update(bytes, offset, length);
      return this;
    }

    int value() {
      return (int) crc.getValue();
    }
  }
}
