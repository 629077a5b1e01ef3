package io.streamforge.connector.file;

/**
 * Finds where the records of one file end. Call order: {@link #begin} at the first byte of each
 * record, then {@link #end} with its bytes in as many pieces as they come in.
 */
public interface Framing {
  /** A record begins. */
  default void begin() {}

  /**
   * Looks for the line feed that ends the record.
   *
   * @param from the first byte that has not been looked at
   * @param to behind the last byte that is known
   * @return the index of the line feed, or −1 when it is not among these bytes
   */
  int end(byte[] bytes, int from, int to);

  /** How many line feeds the record has before the one that ends it, as far as it is known. */
  default int innerLines() {
    return 0;
  }

  /** Whether the record cannot end here, because of a quote that has not been closed. */
  default boolean open() {
    return false;
  }

  /** Each line is a record. */
  static Framing lines() {
    return LineFeeds::next;
  }
}
