package io.streamforge.connector.file;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a file sink says when it fails. */
final class FileSinkErrors {
  private FileSinkErrors() {}

  static StreamForgeException failed(
      String node, String summary, String remedy, @Nullable IOException cause) {
    return new StreamForgeException(
        ErrorCode.SINK_FAILED, ErrorContext.node(node), summary, remedy, cause);
  }

  /** The file system refused. */
  static StreamForgeException refused(String node, String summary, @Nullable IOException cause) {
    return failed(
        node,
        cause == null ? summary : summary + ": " + cause,
        "Check that the directory is one, that this process may write there and that the disk has"
            + " room.",
        cause);
  }

  /** Output of a checkpoint cannot be made visible. */
  static StreamForgeException notCommitted(String node, Path directory, IOException cause) {
    return refused(node, "files in " + directory + " cannot be made visible", cause);
  }
}
