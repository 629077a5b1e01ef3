package io.streamforge.backend.rocksdb;

import io.streamforge.serde.ByteWriter;

/**
 * Changes of a database in the form that RocksDB writes to its log and takes as a whole: twelve
 * bytes of a header, whose last four are the number of changes, lowest byte first; then for each a
 * tag, the length and bytes of the key and, unless it is removed, of the value. One call into
 * native code takes all of them, where a call each would cost more than the changes.
 *
 * @see <a href="https://github.com/facebook/rocksdb/blob/main/db/write_batch.cc">write_batch.cc</a>
 */
final class BatchBytes {
  private static final int HEADER_BYTES = 12;
  private static final int COUNT_AT = 8;
  private static final int REMOVE = 0;
  private static final int PUT = 1;

  private final ByteWriter bytes = new ByteWriter(1 << 14);
  private int count;

  BatchBytes() {
    clear();
  }

  /** Begins anew. */
  void clear() {
    bytes.reset();
    bytes.writeBytes(new byte[HEADER_BYTES]);
    count = 0;
  }

  /** Sets a value; both are the content of writers. */
  void put(ByteWriter key, ByteWriter value) {
    append(PUT, key);
    bytes.writeVarInt(value.size());
    bytes.writeBytes(value.buffer(), 0, value.size());
  }

  /** Removes a key; no effect when it is not there. */
  void remove(ByteWriter key) {
    append(REMOVE, key);
  }

  private void append(int tag, ByteWriter key) {
    bytes.writeByte(tag);
    bytes.writeVarInt(key.size());
    bytes.writeBytes(key.buffer(), 0, key.size());
    count++;
  }

  /** Number of changes. */
  int count() {
    return count;
  }

  /** Size of all of them. */
  int size() {
    return bytes.size();
  }

  /** The form. */
  byte[] toBytes() {
    bytes.setInt(COUNT_AT, Integer.reverseBytes(count));
    return bytes.toByteArray();
  }
}
