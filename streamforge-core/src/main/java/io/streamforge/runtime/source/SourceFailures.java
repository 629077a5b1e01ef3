package io.streamforge.runtime.source;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.runtime.task.Rendering;

/** How failures of a source are reported. */
public final class SourceFailures {
  private SourceFailures() {}

  /** What a source's exception is reported as. */
  public static StreamForgeException of(String node, Throwable e) {
    ErrorContext context = ErrorContext.node(node);
    return e instanceof StreamForgeException known
        ? known.within(context)
        : new StreamForgeException(
            ErrorCode.SOURCE_FAILED, context, "the source failed: " + Rendering.cause(e), e);
  }
}
