package io.streamforge.storage.s3;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request failed: what and where, why, and what to do about it. */
final class S3Failure extends IOException {
  private static final long serialVersionUID = 1L;

  private final String summary;
  private final String remedy;

  /**
   * A failure.
   *
   * @param remedy goes on in the middle of a sentence
   */
  S3Failure(String summary, String remedy, @Nullable Throwable cause) {
    super(summary + "; " + remedy, cause);
    this.summary = summary;
    this.remedy = remedy;
  }

  /** The same, for whoever opens a storage. */
  StreamForgeException atOpen(S3Location location) {
    return new StreamForgeException(
        ErrorCode.STORAGE_UNAVAILABLE,
        ErrorContext.position(location.toString()),
        summary,
        Character.toUpperCase(remedy.charAt(0)) + remedy.substring(1) + ".",
        getCause());
  }
}
