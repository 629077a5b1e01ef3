package io.streamforge.backend;

/**
 * A walk over the entries of a {@link SerializedStore} as they were when it was made, in the order
 * of the bytes of their keys, unsigned. Stands before the first one at first. Used by one thread at
 * a time; the entries may change meanwhile.
 */
public interface OrderedEntries extends AutoCloseable {
  /**
   * Goes to the next entry; false when there is none.
   *
   * @throws IllegalStateException when the store is closed
   */
  boolean next();

  /** Key of the entry; not to be changed. */
  byte[] key();

  /** Its value; not to be changed. */
  byte[] value();

  /** Stands before the first one again. */
  void rewind();

  @Override
  void close();
}
