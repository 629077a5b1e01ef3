package io.streamforge.connector.file;

import org.jspecify.annotations.Nullable;

/** Decodes the records of one file, in order; used by one thread at a time. */
@FunctionalInterface
public interface RecordDecoder<V> {
  /**
   * The value of a record, or null when it holds none, as a blank line may.
   *
   * @param record valid only during the call
   */
  @Nullable V decode(RawRecord record) throws MalformedRecordException;
}
