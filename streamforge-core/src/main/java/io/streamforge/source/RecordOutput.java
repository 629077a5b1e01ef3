package io.streamforge.source;

import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Takes the records of a {@link SourceReader}; valid only during a call of {@link
 * SourceReader#read}. A split is denoted by its index: the first that was added to the reader is 0.
 */
public interface RecordOutput<K, V> {
  /** The record has no timestamp of its own. */
  long NO_TIMESTAMP = Long.MIN_VALUE;

  /** Whether to stop reading; asked before each record. */
  boolean full();

  /** Whether this split may not be read now, because it is ahead of others in event time. */
  boolean paused(int split);

  /**
   * One record.
   *
   * @param timestampMillis epoch milliseconds or {@link #NO_TIMESTAMP}
   * @param nextPosition where the split goes on behind this record
   */
  void emit(
      int split,
      @Nullable K key,
      @Nullable V value,
      long timestampMillis,
      @Nullable Headers headers,
      long nextPosition);

  /**
   * The source itself promises that no record of this split below the watermark will come; takes
   * effect behind the records emitted before. No effect for a source without event time.
   */
  void watermark(int split, long watermarkMillis);

  /** Something was read that yields no record: the position moves on, and it is counted. */
  void skip(int split, String reason, long nextPosition);

  /**
   * Something was read that is no record as it should be: it follows the error policy of the
   * source's node, which fails the job unless it says otherwise. The position moves on, and it is
   * counted.
   *
   * @param original its bytes as they were read; not to be changed any more
   * @param failure with {@link io.streamforge.error.ErrorCode#RECORD_MALFORMED} as a rule, and the
   *     position for people
   */
  default void reject(int split, byte[] original, StreamForgeException failure, long nextPosition) {
    throw failure;
  }

  /** The split has no more records, ever. */
  void end(int split);

  /**
   * How many records are known to be in the split beyond those emitted; a split with a backlog is
   * not idle. Unless it is called a split counts as having none.
   */
  void backlog(int split, long records);
}
