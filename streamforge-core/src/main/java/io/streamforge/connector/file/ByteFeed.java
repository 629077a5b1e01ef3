package io.streamforge.connector.file;

import java.io.IOException;

/** The bytes of a file, decompressed, in order. */
interface ByteFeed extends AutoCloseable {
  /** Reads at least one byte; −1 when there are no more at present. */
  int read(byte[] into, int offset, int length) throws IOException;

  @Override
  void close() throws IOException;
}
