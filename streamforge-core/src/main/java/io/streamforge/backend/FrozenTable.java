package io.streamforge.backend;

import io.streamforge.serde.ByteWriter;

/** What keeps track of a table for {@link TablesSnapshot}; the calls come in this order. */
public interface FrozenTable {
  /** Freezes the table; what the snapshot holds of it. */
  KeyedSnapshot.Extent freeze();

  /**
   * Appends entries of the snapshot until there are {@code bytes} in the output, or about {@code
   * budget} have been written.
   *
   * @return what is left of the budget; negative when there is more to write
   */
  int write(int budget, int bytes, ByteWriter output);

  /** So many bytes of the snapshot have been handed on. */
  void written(int bytes);

  /** The snapshot counts. */
  void confirm();

  /** The snapshot counts, and the table was empty and is no part of it. */
  void confirmAbsent();

  /** The snapshot does not count: what was in it is as if it had changed after it. */
  void abandon();
}
