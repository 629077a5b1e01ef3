package io.streamforge.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one exception that the engine throws on purpose. Its message has up to three lines: what
 * happened, where, and (after {@code "Remedy: "}) what to do.
 */
public class StreamForgeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final transient ErrorContext context;
  private final String summary;
  private final String remedy;

  /** With the remedy of the code. */
  public StreamForgeException(ErrorCode code, ErrorContext context, String summary) {
    this(code, context, summary, code.remedy(), null);
  }

  /** With the remedy of the code, and a cause. */
  public StreamForgeException(
      ErrorCode code, ErrorContext context, String summary, @Nullable Throwable cause) {
    this(code, context, summary, code.remedy(), cause);
  }

  /** With a remedy that is more precise than that of the code. */
  public StreamForgeException(
      ErrorCode code,
      ErrorContext context,
      String summary,
      String remedy,
      @Nullable Throwable cause) {
    super(summary, cause);
    this.code = Objects.requireNonNull(code);
    this.context = Objects.requireNonNull(context);
    this.summary = Objects.requireNonNull(summary);
    this.remedy = Objects.requireNonNull(remedy);
  }

  /** What kind of error this is. */
  public ErrorCode code() {
    return code;
  }

  /** Where it happened. */
  public ErrorContext context() {
    return context == null ? ErrorContext.NONE : context;
  }

  /** What happened, without the context and the remedy. */
  public String summary() {
    return summary;
  }

  /** What to do about it. */
  public String remedy() {
    return remedy;
  }

  /** The same error with what its context does not know taken from {@code outer}. */
  public StreamForgeException within(ErrorContext outer) {
    ErrorContext merged = context().within(outer);
    if (merged.equals(context())) {
      return this;
    }
    StreamForgeException copy = new StreamForgeException(code, merged, summary, remedy, getCause());
    copy.setStackTrace(getStackTrace());
    return copy;
  }

  @Override
  public String getMessage() {
    String where = context().render();
    return code
        + ": "
        + summary
        + (where.isEmpty() ? "" : "\n  Where: " + where)
        + "\n  Remedy: "
        + remedy;
  }
}
