package io.streamforge.sink;

import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of one task, in order. Calls never overlap; a {@linkplain Sink#blocking()
 * blocking} sink's writer is called on I/O threads.
 *
 * <p>Call order: any number of {@link #write}, {@link #flush} and {@link #tick}; then {@link
 * #finish} unless the job has failed; then {@link #close}.
 */
public interface SinkWriter<K, V> extends AutoCloseable {
  /** One record. */
  void write(@Nullable K key, @Nullable V value, long timestampMillis, @Nullable Headers headers)
      throws Exception;

  /**
   * Whether a failure of the last {@link #write} concerns its record only: nothing of the record
   * has been written, and the writer is as it was before, so that it may go on with the next one.
   * The record then follows the error policy of the node. A writer that cannot tell says no, and
   * the job fails.
   *
   * @param failure what write has thrown
   */
  default boolean refuses(Exception failure) {
    return false;
  }

  /** There is no more input for the moment: what is buffered should be passed on. */
  default void flush() throws Exception {}

  /** Called about once a second while the job runs, for what depends on time. */
  default void tick() throws Exception {}

  /** All input has been written: complete the output and make it visible. */
  default void finish() throws Exception {}

  /**
   * Releases what the writer holds. Without {@link #finish} before, incomplete output is dropped.
   */
  @Override
  default void close() throws Exception {}
}
