package io.streamforge.connector.file;

import java.io.OutputStream;

/**
 * How records become the bytes of a file. Immutable; serves all files and tasks of a sink.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface FileEncoding<K, V> {
  /** What the names of the files end with, without a dot. */
  String extension();

  /**
   * Begins a file, with a header if it has one.
   *
   * @param output is buffered; must not be closed
   */
  RecordEncoder<K, V> open(OutputStream output) throws Exception;
}
