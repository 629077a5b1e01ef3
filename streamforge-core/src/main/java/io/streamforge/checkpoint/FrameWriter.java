package io.streamforge.checkpoint;

import io.streamforge.serde.ByteWriter;
import io.streamforge.storage.ObjectWriter;
import java.io.IOException;

/**
 * Writes an object in blocks with checksums. Not thread-safe. {@link FrameReader} reads it, as a
 * whole or a {@link Segment} alone.
 */
public final class FrameWriter implements AutoCloseable {
  private final ObjectWriter output;
  private final Frames.Checksum checksum;
  private final byte[] block;
  private final ByteWriter header = new ByteWriter();
  private int inBlock;
  private long position;
  private long segmentStart;
  private int blocks;
  private long rawBytes;

  /**
   * Begins an object.
   *
   * @param name of the object that {@code output} writes
   */
  public FrameWriter(ObjectWriter output, String name, FrameKind kind) throws IOException {
    this(output, name, kind, Frames.BLOCK_BYTES);
  }

  /** With blocks of at most so many bytes; for objects that have fewer. */
  FrameWriter(ObjectWriter output, String name, FrameKind kind, int blockBytes) throws IOException {
    this.block = new byte[blockBytes];
    this.output = output;
    this.checksum = new Frames.Checksum(name);
    put(Frames.header(name, kind));
    segmentStart = position;
  }

  private void put(byte[] bytes) throws IOException {
    output.write(bytes, 0, bytes.length);
    position += bytes.length;
  }

  /** Appends content. */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      int count = Math.min(left, block.length - inBlock);
      System.arraycopy(bytes, from, block, inBlock, count);
      inBlock += count;
      from += count;
      left -= count;
      if (inBlock == block.length) {
        cut();
      }
    }
  }

  /** Ends a part that can be read alone: what was written since the last one ended. */
  public Segment endSegment() throws IOException {
    cut();
    Segment segment = new Segment(segmentStart, position - segmentStart);
    segmentStart = position;
    return segment;
  }

  private void cut() throws IOException {
    if (inBlock == 0) {
      return;
    }
    header.reset();
    header.writeInt(inBlock);
    header.writeByte(Frames.STORED);
    header.writeInt(inBlock);
    header.writeInt(
        checksum
            .at(position)
            .bytes(header.buffer(), 0, header.size())
            .bytes(block, 0, inBlock)
            .value());
    output.write(header.buffer(), 0, header.size());
    output.write(block, 0, inBlock);
    position += header.size() + inBlock;
    rawBytes += inBlock;
    blocks++;
    inBlock = 0;
  }

  /** Bytes of the object up to now, without what waits for its block to fill. */
  public long position() {
    return position;
  }

  /** Completes the object. */
  public void finish() throws IOException {
    cut();
    ByteWriter trailer = new ByteWriter();
    trailer.writeInt(0);
    trailer.writeInt(blocks);
    trailer.writeLong(rawBytes);
    trailer.writeInt(checksum.at(position).bytes(trailer.buffer(), 0, trailer.size()).value());
    put(trailer.toByteArray());
    output.complete();
  }

  /** Releases what is held; an object that was not finished is abandoned. */
  @Override
  public void close() throws IOException {
    output.close();
  }
}
