package io.streamforge.source;

/** Reads one split; what {@link CursorReader} is made of. */
public interface SplitCursor<K, V> extends AutoCloseable {
  /**
   * Emits at most {@code limit} records of its split, and none once the output is full.
   *
   * @param split the index to emit with
   * @return {@link ReadStatus#ENDED} when the split has ended (the cursor does not call {@code
   *     output.end})
   */
  ReadStatus read(RecordOutput<K, V> output, int split, int limit) throws Exception;

  @Override
  default void close() throws Exception {}
}
