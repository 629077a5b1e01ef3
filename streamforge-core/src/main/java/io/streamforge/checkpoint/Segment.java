package io.streamforge.checkpoint;

/**
 * A part of a framed object that can be read and verified alone: whole blocks.
 *
 * @param offset of its first block within the object, in bytes
 * @param length of its blocks as they are stored, in bytes; 0 when it holds nothing
 */
public record Segment(long offset, long length) {
  /** A part of an object. */
  public Segment {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException("no segment at " + offset + " of " + length + " bytes");
    }
  }

  /** The byte behind it. */
  public long end() {
    return offset + length;
  }
}
