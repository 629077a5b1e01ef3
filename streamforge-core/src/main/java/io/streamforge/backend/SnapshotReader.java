package io.streamforge.backend;

import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads a snapshot in {@link SnapshotForm}, block by block, and checks all that can be checked. */
final class SnapshotReader implements SnapshotEntries {
  private final InputStream input;
  private final EntrySchema schema;

  /** Content of the block that is being read. */
  private ByteReader content = new ByteReader(new byte[0]);

  private int kind;
  private long blocks;
  private long entries;
  private boolean begun;
  private boolean ended;
  private byte @Nullable [] key;
  private byte @Nullable [] value;

  /** Reads the beginning. */
  SnapshotReader(InputStream input) throws IOException {
    this.input = input;
    byte[] magic = SnapshotForm.magic();
    byte[] first = input.readNBytes(magic.length);
    if (!Arrays.equals(first, 0, first.length, magic, 0, first.length)) {
      throw SnapshotForm.damaged("it does not begin as one does", null);
    }
    if (first.length < magic.length) {
      throw early();
    }
    int version = input.read();
    if (version < 0) {
      throw early();
    }
    if (version != SnapshotForm.VERSION) {
      throw SnapshotForm.newer(version);
    }
    readBlock();
    if (kind != SnapshotForm.SCHEMA) {
      throw SnapshotForm.damaged("its first block is of kind " + kind, null);
    }
    byte[] bytes = content.readBytes(content.remaining());
    EntrySchema read;
    try {
      read = EntrySchema.read(bytes);
    } catch (StreamForgeException e) {
      throw SnapshotForm.damaged("its schema cannot be read: " + e.summary(), e);
    }
    if (read.values() == null) {
      throw SnapshotForm.damaged("its values are no objects", null);
    }
    schema = read;
  }

  private StreamForgeException early() {
    return SnapshotForm.damaged(
        "it ends early, after " + blocks + " blocks with " + entries + " entries", null);
  }

  private void readBlock() throws IOException {
    byte[] bytes = input.readNBytes(SnapshotForm.HEAD_BYTES);
    if (bytes.length < SnapshotForm.HEAD_BYTES) {
      throw early();
    }
    ByteReader head = new ByteReader(bytes);
    kind = head.readByte();
    int length = head.readInt();
    int checksum = head.readInt();
    if (!Arrays.equals(bytes, SnapshotForm.head(blocks, kind, length, checksum)) || length < 0) {
      throw SnapshotForm.damaged("the head of block " + blocks + " has been altered", null);
    }
    byte[] all = input.readNBytes(length);
    if (all.length < length) {
      throw early();
    }
    if (SnapshotForm.checksum(all, length) != checksum) {
      throw SnapshotForm.damaged("block " + blocks + " has been altered", null);
    }
    blocks++;
    content = new ByteReader(all);
  }

  @Override
  public EntrySchema schema() {
    return schema;
  }

  @Override
  public void begin() {
    if (begun) {
      throw new IllegalStateException(
          "the snapshot was read and has been used; read it once more for another use");
    }
    begun = true;
  }

  @Override
  public boolean next() {
    try {
      while (!ended && content.remaining() == 0) {
        readBlock();
        if (kind == SnapshotForm.END) {
          end();
        } else if (kind != SnapshotForm.ENTRIES) {
          throw SnapshotForm.damaged("block " + (blocks - 1) + " is of kind " + kind, null);
        }
      }
      if (ended) {
        return false;
      }
      key = content.readBytes(content.readCount());
      value = content.readBytes(content.readCount());
    } catch (IOException e) {
      throw new UncheckedIOException("a snapshot of a store cannot be read: " + e.getMessage(), e);
    }
    entries++;
    return true;
  }

  private void end() {
    long written = content.readLong();
    if (written != entries) {
      throw SnapshotForm.damaged("it has " + entries + " entries of " + written, null);
    }
    ended = true;
  }

  @Override
  public byte[] key() {
    return there(key);
  }

  @Override
  public byte[] value() {
    return there(value);
  }

  private static byte[] there(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw new IllegalStateException("the snapshot does not stand on an entry");
    }
    return bytes;
  }

  @Override
  public void close() {
    try {
      input.close();
    } catch (IOException e) {
      throw new UncheckedIOException("a snapshot of a store cannot be closed", e);
    }
  }
}
