package io.streamforge.node.cli;

import org.jspecify.annotations.Nullable;

/** What the user asked for cannot be done as asked; the message says what to change. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    this(message, null);
  }

  UsageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
