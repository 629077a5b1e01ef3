package io.streamforge.backend;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteWriter;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The bytes of a snapshot that is written. They are a stored format. */
final class SnapshotForm {
  /*
   *   magic "SFSTORE" and a version   eight bytes
   *   block                           kind, length, checksum of content, checksum of head, content
   *
   * First a block with the schema, as EntrySchema writes it; then any number with entries, each of
   * which is the length of the key, the key, the length of the value, the value; at last one with
   * the number of entries. Entries are in the order of keys; keys and values are as their serdes
   * write them; lengths of entries have variable width, all other numbers are big-endian.
   *
   * The checksum of the head covers the number of the block as well, so that one which is whole but
   * belongs elsewhere is found, and is checked before the length is believed. CRC-32C finds every
   * error of up to 32 bits in a row, and others but for one in four billion.
   */
  static final int VERSION = 1;

  static final int SCHEMA = 1;
  static final int ENTRIES = 2;
  static final int END = 3;

  /** Content from which on a block is written; one with a large entry is larger. */
  static final int BLOCK_BYTES = 1 << 16;

  static final int HEAD_BYTES = 1 + 4 + 4 + 4;

  private static final byte[] MAGIC = {'S', 'F', 'S', 'T', 'O', 'R', 'E'};

  private SnapshotForm() {}

  /** The first bytes, without the version. */
  static byte[] magic() {
    return MAGIC.clone();
  }

  /** The checksum of content. */
  static int checksum(byte[] content, int length) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, length);
    return (int) crc.getValue();
  }

  /**
   * The head of a block.
   *
   * @param number of the block, from 0 on
   */
  static byte[] head(long number, int kind, int length, int checksum) {
    ByteWriter head = new ByteWriter(HEAD_BYTES + Long.BYTES);
    head.writeByte(kind);
    head.writeInt(length);
    head.writeInt(checksum);
    int bytes = head.size();
    head.writeLong(number);
    int ofHead = checksum(head.buffer(), head.size());
    byte[] all = head.toByteArray();
    head.reset();
    head.writeBytes(all, 0, bytes);
    head.writeInt(ofHead);
    return head.toByteArray();
  }

  /** The snapshot is not as it was written. */
  static StreamForgeException damaged(String how, @Nullable Throwable cause) {
    return new StreamForgeException(
        ErrorCode.SNAPSHOT_DAMAGED,
        ErrorContext.NONE,
        "a snapshot of a store cannot be read: " + how,
        cause);
  }

  /** A newer version has written it. */
  static StreamForgeException newer(int version) {
    return new StreamForgeException(
        ErrorCode.STATE_INCOMPATIBLE,
        ErrorContext.NONE,
        "a snapshot of a store has version " + version + ", of which only " + VERSION + " is known",
        "Read it with the release that wrote it or a later one; if it is this one, the snapshot is"
            + " damaged.",
        null);
  }
}
