package io.streamforge.backend;

import io.streamforge.serde.ByteWriter;
import java.io.IOException;
import java.io.OutputStream;

/** Writes a snapshot in {@link SnapshotForm}. */
final class SnapshotWriter {
  private final OutputStream output;
  private final ByteWriter content = new ByteWriter(SnapshotForm.BLOCK_BYTES * 2);
  private final ByteWriter piece = new ByteWriter(SnapshotForm.BLOCK_BYTES * 2);
  private long blocks;
  private long entries;

  SnapshotWriter(OutputStream output, EntrySchema schema) throws IOException {
    this.output = output;
    piece.writeBytes(SnapshotForm.magic());
    piece.writeByte(SnapshotForm.VERSION);
    content.writeBytes(schema.toBytes());
    endBlock(SnapshotForm.SCHEMA);
  }

  /** The next entry. */
  void write(byte[] key, byte[] value) throws IOException {
    content.writeVarInt(key.length);
    content.writeBytes(key);
    content.writeVarInt(value.length);
    content.writeBytes(value);
    entries++;
    if (content.size() >= SnapshotForm.BLOCK_BYTES) {
      endBlock(SnapshotForm.ENTRIES);
    }
  }

  /** After the last entry. */
  void finish() throws IOException {
    if (content.size() > 0) {
      endBlock(SnapshotForm.ENTRIES);
    }
    content.writeLong(entries);
    endBlock(SnapshotForm.END);
    output.write(piece.buffer(), 0, piece.size());
    output.flush();
  }

  private void endBlock(int kind) throws IOException {
    int length = content.size();
    int checksum = SnapshotForm.checksum(content.buffer(), length);
    piece.writeBytes(SnapshotForm.head(blocks++, kind, length, checksum));
    piece.writeBytes(content.buffer(), 0, length);
    content.reset();
    if (piece.size() >= SnapshotForm.BLOCK_BYTES) {
      output.write(piece.buffer(), 0, piece.size());
      piece.reset();
    }
  }
}
