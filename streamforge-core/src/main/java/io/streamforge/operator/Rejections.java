package io.streamforge.operator;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of records that a node of a task rejects, where its error policy is not to fail.
 * Used by one thread.
 */
public interface Rejections extends AutoCloseable {
  /** How long a chain of causes is looked at. */
  int MAX_CAUSES = 100;

  /**
   * Whether a failure of something that was called for one record concerns that record only: not an
   * {@link Error}, not an interruption, and not a failure of the engine or of a system outside,
   * none of these as a cause either.
   */
  static boolean covers(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
      if (!(cause instanceof Exception) || cause instanceof InterruptedException) {
        return false;
      }
      if (cause instanceof StreamForgeException known && !isOfARecord(known.code())) {
        return false;
      }
      cause = cause.getCause();
    }
    return true;
  }

  private static boolean isOfARecord(ErrorCode code) {
    return switch (code) {
      case FUNCTION_FAILED, NULL_KEY, TIMESTAMP_OUT_OF_RANGE, SERDE_FAILED, RECORD_MALFORMED ->
          true;
      case TOPOLOGY_INVALID,
          CONFIG_INVALID,
          STATE_UNAVAILABLE,
          STATE_INCOMPATIBLE,
          VALUE_MUTATED,
          SOURCE_REUSED,
          OUTPUT_LIMIT_EXCEEDED,
          SOURCE_FAILED,
          SINK_FAILED,
          SPILL_FAILED,
          STORAGE_UNAVAILABLE,
          CHECKPOINT_INCOMPATIBLE,
          CHECKPOINT_DAMAGED,
          SNAPSHOT_DAMAGED,
          CHECKPOINT_FENCED,
          QUERY_INVALID,
          QUERY_UNANSWERED,
          JOB_STOPPED,
          INTERNAL ->
          false;
    };
  }

  /**
   * A record that the node has taken, and has booked as nothing else.
   *
   * @param failure what was thrown for it; it is {@linkplain #covers covered}
   */
  void record(
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers headers,
      Exception failure)
      throws Exception;

  /** A timer that has been due. */
  void timer(Object key, long timeMillis, Exception failure) throws Exception;

  /** Says what has not been said yet; after the last record. */
  @Override
  void close();
}
