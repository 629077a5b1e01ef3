package io.streamforge.backend;

import org.jspecify.annotations.Nullable;

/**
 * A state as it was stored, maybe of more key groups than the reader owns.
 *
 * @param schema of its entries
 * @param form name of the form of its bytes
 * @param chunks all of them, in the order in which they are to be applied
 * @param entries about how many the reader will have when it has applied all; 0: that is not known
 */
public record StoredState(EntrySchema schema, String form, Chunks chunks, long entries) {
  /** Of a number of entries that is not known. */
  public StoredState(EntrySchema schema, String form, Chunks chunks) {
    this(schema, form, chunks, 0);
  }

  /** The chunks that {@link SnapshotOutput} has taken. */
  @FunctionalInterface
  public interface Chunks {
    /**
     * The next one; null behind the last.
     *
     * @throws io.streamforge.error.StreamForgeException when it cannot be read or is damaged
     */
    byte @Nullable [] next();
  }
}
