package io.streamforge.connector.file;

import io.streamforge.record.Record;
import java.io.IOException;

/** Appends records to one file; used by one thread at a time. */
@FunctionalInterface
public interface RecordEncoder<K, V> {
  /**
   * Writes one record with its end of line.
   *
   * @throws Exception when it cannot be written; unless that is the disk, nothing of it must have
   *     been written or buffered: the next record may follow
   */
  void encode(Record<K, V> record) throws Exception;

  /** Passes on what the encoder itself has buffered; the file is about to be completed. */
  default void flush() throws IOException {}
}
