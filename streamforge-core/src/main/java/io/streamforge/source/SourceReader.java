package io.streamforge.source;

/**
 * Reads the splits of one task, in order within each split. Calls never overlap; a {@linkplain
 * #blocking() blocking} reader is called on I/O threads, another one by the task itself, and such a
 * one must return at once when there is nothing to read.
 */
public interface SourceReader<K, V> extends AutoCloseable {
  /** Adds a split, to be read from its position on; before the first read or between two. */
  void add(Split split) throws Exception;

  /** Emits records until the output is full, or there are no more now. */
  ReadStatus read(RecordOutput<K, V> output) throws Exception;

  /** Whether {@link #read} may wait for disk or network. */
  boolean blocking();

  /** How long a waiting reader is left alone at most, in milliseconds. */
  default long pollMillis() {
    return 100;
  }

  /** Makes a read that waits return soon; called by any thread. */
  default void wakeUp() {}

  @Override
  default void close() throws Exception {}
}
