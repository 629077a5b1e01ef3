package io.streamforge.connector.stdout;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;

/**
 * Nobody reads standard output any more, as after {@code | head -1}. A program whose purpose is its
 * output ends quietly then.
 */
public final class StdoutClosedException extends StreamForgeException {
  private static final long serialVersionUID = 1L;

  StdoutClosedException(ErrorContext context) {
    super(
        ErrorCode.SINK_FAILED,
        context,
        "standard output has been closed",
        "None is needed when the reader of the output wanted no more; otherwise see why it ended.",
        null);
  }

  @Override
  public StreamForgeException within(ErrorContext outer) {
    StdoutClosedException copy = new StdoutClosedException(context().within(outer));
    copy.setStackTrace(getStackTrace());
    return copy;
  }
}
