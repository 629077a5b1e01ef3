package io.streamforge.connector.file;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * How the bytes of a file become values: they are cut into records by a {@link Framing}, and each
 * record is decoded by a {@link RecordDecoder}. A format is immutable and serves all files and
 * tasks of a source.
 *
 * @param <V> values
 */
public interface FileFormat<V> {
  /** What is in the files, in the plural, such as {@code lines}. */
  String describe();

  /** Type of the values; null when it is not known. */
  @Nullable Type valueType();

  /** Cuts one file into records. */
  default Framing framing() {
    return Framing.lines();
  }

  /** Whether the first record of a file says how to read the others. */
  default boolean hasHeader() {
    return false;
  }

  /**
   * Opens the decoder of one file. Also called before the job reads anything, to find headers that
   * do not fit.
   *
   * @param header the first record of the file if the format has one, otherwise null
   */
  RecordDecoder<V> decoder(@Nullable RawRecord header) throws MalformedRecordException;
}
