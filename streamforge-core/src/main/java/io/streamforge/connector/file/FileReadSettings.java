package io.streamforge.connector.file;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How files are read.
 *
 * @param follow whether to go on when the end of a file is reached, and with files that appear
 * @param malformed what to do with a record that cannot be decoded; null: as the node's error
 *     policy says
 * @param maxRecordBytes a longer record is malformed
 * @param poll how often to look for more when following
 */
record FileReadSettings(
    boolean follow, @Nullable MalformedPolicy malformed, int maxRecordBytes, Duration poll) {
  static final FileReadSettings DEFAULTS =
      new FileReadSettings(false, null, 256 << 20, Duration.ofMillis(200));

  private static final int LARGEST_RECORD = 1 << 30;

  FileReadSettings {
    if (maxRecordBytes < 1 || maxRecordBytes > LARGEST_RECORD) {
      throw new IllegalArgumentException(
          "maxRecordBytes must be from 1 to " + LARGEST_RECORD + ": " + maxRecordBytes);
    }
    if (poll.toMillis() < 1) {
      throw new IllegalArgumentException("poll must be at least a millisecond: " + poll);
    }
  }
}
