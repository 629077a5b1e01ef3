package io.streamforge.storage.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The checksums of a copy, which stand in its file behind the content. Immutable. */
final class CopyChecksums {
  /*
   *   content   as the object
   *   checksum  of each part of 64 KiB of it, the last of which may be shorter      (4 bytes each)
   *   length    of the content                                                      (8 bytes)
   *   checksum  of the object's name and of all that stands behind the content      (4 bytes)
   *
   * So a part can be verified alone, and a file that is torn, of another object or not of this form
   * is recognised by its end.
   */
  static final int PART_BYTES = 1 << 16;

  private static final int END_BYTES = Long.BYTES + Integer.BYTES;

  private final long length;
  private final int[] ofParts;

  private CopyChecksums(long length, int[] ofParts) {
    this.length = length;
    this.ofParts = ofParts;
  }

  /** Bytes of the file with a copy of so many bytes. */
  static long fileBytes(long length) {
    return length + endBytes(length);
  }

  /** Bytes behind the content. */
  static int endBytes(long length) {
    long parts = (length + PART_BYTES - 1) / PART_BYTES;
    return Math.toIntExact(parts * Integer.BYTES + END_BYTES);
  }

  /** What stands behind the content. */
  byte[] encode(String name) {
    ByteBuffer end = ByteBuffer.allocate(endBytes(length));
    end.asIntBuffer().put(ofParts);
    end.position(ofParts.length * Integer.BYTES);
    end.putLong(length);
    end.putInt(checksum(name, end.array()));
    return end.array();
  }

  private static int checksum(String name, byte[] end) {
    CRC32C checksum = new CRC32C();
    checksum.update(name.getBytes(StandardCharsets.UTF_8));
    checksum.update(end, 0, end.length - Integer.BYTES);
    return (int) checksum.getValue();
  }

  /**
   * Reads what stands behind the content.
   *
   * @return null when it is not what {@link #encode} has made for this object
   */
  static @Nullable CopyChecksums decode(String name, long length, byte[] end) {
    if (end.length != endBytes(length)) {
      return null;
    }
    ByteBuffer reader = ByteBuffer.wrap(end);
    int[] ofParts = new int[(end.length - END_BYTES) / Integer.BYTES];
    reader.asIntBuffer().get(ofParts);
    reader.position(ofParts.length * Integer.BYTES);
    return reader.getLong() == length && reader.getInt() == checksum(name, end)
        ? new CopyChecksums(length, ofParts)
        : null;
  }

  /** Bytes of the content. */
  long length() {
    return length;
  }

  /**
   * The first part that is not as it was written, of some in a row; −1: all are.
   *
   * @param first the part that {@code parts} begins with; it ends with the end of one
   */
  long damaged(long first, byte[] parts) {
    CRC32C checksum = new CRC32C();
    for (int from = 0; from < parts.length; from += PART_BYTES) {
      int part = Math.toIntExact(first + from / PART_BYTES);
      checksum.reset();
      checksum.update(parts, from, Math.min(PART_BYTES, parts.length - from));
      if ((int) checksum.getValue() != ofParts[part]) {
        return part;
      }
    }
    return -1;
  }

  /** Takes the content of a copy, piece by piece. Not thread-safe. */
  static final class Builder {
    private final CRC32C checksum = new CRC32C();
    private int[] ofParts = new int[16];
    private int parts;
    private long length;

    void add(byte[] bytes, int offset, int count) {
      int from = offset;
      int end = offset + count;
      while (from < end) {
        int taken = (int) Math.min(end - from, PART_BYTES - length % PART_BYTES);
        checksum.update(bytes, from, taken);
        from += taken;
        length += taken;
        if (length % PART_BYTES == 0) {
          endPart();
        }
      }
    }

    private void endPart() {
      if (parts == ofParts.length) {
        ofParts = Arrays.copyOf(ofParts, parts * 2);
      }
      ofParts[parts++] = (int) checksum.getValue();
      checksum.reset();
    }

    /** That was all. */
    CopyChecksums build() {
      if (length % PART_BYTES != 0) {
        endPart();
      }
      return new CopyChecksums(length, Arrays.copyOf(ofParts, parts));
    }
  }
}
