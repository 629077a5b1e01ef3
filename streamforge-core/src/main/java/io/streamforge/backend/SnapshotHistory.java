package io.streamforge.backend;

/**
 * How large the snapshots of a table were since the last whole one, and so whether the next one is
 * whole. It is when the changes have outgrown half of it, so that a restore reads at most one and a
 * half times what there is.
 */
public final class SnapshotHistory {
  /**
   * Changes that a whole snapshot is followed by at most, however small they are: each is an object
   * that is kept, named in every manifest, and opened by a restore.
   */
  private static final int MAX_DELTAS = 200;

  /**
   * Whether the last confirmed snapshot had the table; only then is there something to build on.
   */
  private boolean saved;

  /** Snapshots since the last whole one that had something. */
  private int deltas;

  private long baseBytes;
  private long changesBytes;
  private boolean whole;
  private long writtenBytes;

  /** Whether there is a confirmed snapshot to build on. */
  public boolean saved() {
    return saved;
  }

  /** Size of the changes beyond which a whole snapshot is written instead. */
  public long mostChangesBytes() {
    return baseBytes / 2;
  }

  /**
   * Whether the next one is to be whole.
   *
   * @param bytes that it has otherwise, as far as that is known
   */
  public boolean wholeIsDue(long bytes) {
    return !saved || changesBytes + bytes > mostChangesBytes() || deltas >= MAX_DELTAS;
  }

  /** A snapshot begins. */
  public void begin(boolean all) {
    whole = all;
    writtenBytes = 0;
  }

  /** So many bytes of it have been handed on. */
  public void written(int bytes) {
    writtenBytes += bytes;
  }

  /** It counts. */
  public void confirm() {
    saved = true;
    if (whole) {
      baseBytes = writtenBytes;
      changesBytes = 0;
      deltas = 0;
    } else {
      changesBytes += writtenBytes;
      deltas += writtenBytes > 0 ? 1 : 0;
    }
  }

  /** There is nothing to build on any more. */
  public void forget() {
    saved = false;
  }
}
