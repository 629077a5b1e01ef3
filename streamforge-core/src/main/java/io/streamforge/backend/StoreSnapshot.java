package io.streamforge.backend;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The entries of a {@link KeyValueStore} as they were at one instant. It is either that of a store,
 * which can be used as long as the store is open and any number of times, or one that was written
 * before and is being read, which can be used once: it is read while it is used, so that it may be
 * larger than memory.
 *
 * <p>It has one form, whatever store it is of, and says itself what it holds. Close it when it is
 * no longer needed: a store cannot let go of what has changed since.
 *
 * <p>Thread-safe; one use waits for another, and {@link #close} for one that is in hand.
 */
public final class StoreSnapshot implements AutoCloseable {
  private final SnapshotEntries entries;
  private boolean closed;

  StoreSnapshot(SnapshotEntries entries) {
    this.entries = entries;
  }

  /** What is done with the entries. */
  interface Use<E extends Exception> {
    void use(SnapshotEntries entries) throws E;
  }

  /**
   * Begins to read a snapshot that was written. Of the input no more is read than the snapshot. It
   * is checked while it is used, see {@link KeyValueStore#restore}.
   *
   * @param input closed with the snapshot, and when this throws
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#SNAPSHOT_DAMAGED} when it is no snapshot or damaged at its
   *     beginning; with {@link io.streamforge.error.ErrorCode#STATE_INCOMPATIBLE} when a newer
   *     version has written it
   * @throws IOException when the input cannot be read
   */
  public static StoreSnapshot read(InputStream input) throws IOException {
    try {
      return new StoreSnapshot(new SnapshotReader(input));
    } catch (Throwable e) {
      try {
        input.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /**
   * Writes the snapshot; the same entries give the same bytes.
   *
   * @param output flushed at the end, and not closed; takes pieces of 64 KiB or more, so that it
   *     needs no buffer
   * @throws IOException when the output cannot be written
   * @throws io.streamforge.error.StreamForgeException when it is one that is being read, for the
   *     reasons that {@link KeyValueStore#restore} has; what is in the output is of no use then
   * @throws IllegalStateException when it or its store is closed, or when it was read and has been
   *     used
   */
  public void writeTo(OutputStream output) throws IOException {
    use(
        all -> {
          SnapshotWriter writer = new SnapshotWriter(output, all.schema());
          while (all.next()) {
            writer.write(all.key(), all.value());
          }
          writer.finish();
        });
  }

  /** Nobody else uses the entries meanwhile. */
  synchronized <E extends Exception> void use(Use<E> use) throws E {
    if (closed) {
      throw new IllegalStateException("the snapshot is closed");
    }
    entries.begin();
    use.use(entries);
  }

  /** Lets go of the entries, or closes what they are read from. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      entries.close();
    }
  }
}
