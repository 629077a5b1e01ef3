package io.streamforge.backend;

/** The entries of a snapshot in the order of their keys. */
interface SnapshotEntries extends AutoCloseable {
  /** What keys and values are; both are objects. */
  EntrySchema schema();

  /**
   * Stands before the first one; called before anything else is read.
   *
   * @throws IllegalStateException when they can be read only once, and have been
   */
  void begin();

  /** Goes to the next one; false when all have been there. */
  boolean next();

  /** Key of the entry, as its serde has written it. */
  byte[] key();

  /** Its value, as its serde has written it. */
  byte[] value();

  @Override
  void close();
}
