package io.streamforge.backend.rocksdb;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import org.jspecify.annotations.Nullable;

/** What goes wrong here, in words. */
final class RocksDbErrors {
  private RocksDbErrors() {}

  /** The database cannot be read or written. */
  static StreamForgeException failed(String what, @Nullable Throwable cause) {
    return new StreamForgeException(
        ErrorCode.STATE_UNAVAILABLE,
        ErrorContext.NONE,
        what + (cause == null ? "" : ": " + cause.getMessage()),
        cause);
  }

  /** A setting does not fit this machine. */
  static StreamForgeException unfit(String what, String remedy) {
    return new StreamForgeException(
        ErrorCode.CONFIG_INVALID, ErrorContext.NONE, what, remedy, null);
  }
}
