package io.streamforge.connector.file;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The errors of file sources. */
final class FileErrors {
  private FileErrors() {}

  static StreamForgeException missing(Path path) {
    return unreadable(
        path, "there is no file or directory " + path, "Check the path, or create the file.", null);
  }

  static StreamForgeException denied(Path path, @Nullable IOException cause) {
    return unreadable(
        path,
        "the file or directory " + path + " must not be read",
        "Give the user that runs the job the right to read it.",
        cause);
  }

  static StreamForgeException unreadable(Path path, IOException cause) {
    if (cause instanceof NoSuchFileException) {
      return missing(path);
    }
    if (cause instanceof AccessDeniedException) {
      return denied(path, cause);
    }
    return unreadable(
        path,
        "the file " + path + " cannot be read: " + cause.getMessage(),
        "Check that it is a whole and readable file.",
        cause);
  }

  static StreamForgeException empty(Path directory) {
    return unreadable(
        directory,
        "the directory " + directory + " has no files to read",
        "Check the path, or wait for files with follow().",
        null);
  }

  static StreamForgeException badHeader(Path path, MalformedRecordException cause) {
    return unreadable(
        path,
        "the header of " + path + " does not fit: " + cause.getMessage(),
        "Mend the header of the file, or the class that its records are read as.",
        cause);
  }

  private static StreamForgeException unreadable(
      Path path, String summary, String remedy, @Nullable Exception cause) {
    return new StreamForgeException(
        ErrorCode.SOURCE_FAILED, ErrorContext.position(path.toString()), summary, remedy, cause);
  }

  static StreamForgeException malformed(
      Path path, long line, int column, String what, @Nullable Exception cause) {
    String place = path + ", line " + line + (column == 0 ? "" : ", column " + column);
    return new StreamForgeException(
        ErrorCode.RECORD_MALFORMED,
        ErrorContext.position(place),
        "a record cannot be decoded: " + what,
        cause);
  }

  static StreamForgeException broken(Path path, long line, IOException cause) {
    return new StreamForgeException(
        ErrorCode.SOURCE_FAILED,
        ErrorContext.position(path + ", line " + line),
        "the file cannot be read to its end: " + cause.getMessage(),
        "Check that it is a whole and readable file.",
        cause);
  }
}
