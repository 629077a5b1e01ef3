package io.streamforge.checkpoint;

import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.storage.CheckpointStorage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/**
 * The log of a job's checkpoints, at the place that is the job's own: what was published, what was
 * given up, and which process runs the job. To read it changes nothing; to write to it a process
 * {@linkplain #claim claims} it. Thread-safe.
 */
public final class CheckpointLog {
  /** The object that says whose place it is. */
  static final String FORMAT = "format";

  private static final int LAYOUT_VERSION = 1;

  /** How often a claim goes on to the next position before somebody must be playing tricks. */
  private static final int MAX_TRIES = 100;

  // Fields of the format object.
  private static final int LAYOUT = 1;
  private static final int JOB = 2;

  private final CheckpointStorage storage;
  private final String job;

  private CheckpointLog(CheckpointStorage storage, String job) {
    this.storage = storage;
    this.job = job;
  }

  /**
   * The log of a job, which is begun when the place is empty.
   *
   * @throws StreamForgeException when the place is another job's, was written by a newer version,
   *     is half deleted, or cannot be read or written
   */
  public static CheckpointLog open(CheckpointStorage storage, String job) {
    try {
      boolean begun = isThere(storage);
      if (!begun) {
        storage.createIfAbsent(FORMAT, Frames.encode(FORMAT, FrameKind.FORMAT, format(job)));
      }
      String owner = owner(storage);
      if (begun) {
        checkNotHalfDeleted(storage);
      }
      if (!owner.equals(job)) {
        throw CheckpointErrors.otherJob(storage, owner, job);
      }
      return new CheckpointLog(storage, job);
    } catch (IOException e) {
      throw CheckpointErrors.failed(storage, "the checkpoints cannot be opened", e);
    }
  }

  /**
   * The log that is at a place, whatever job it is of.
   *
   * @throws StreamForgeException when there is none, or as {@link #open}
   */
  public static CheckpointLog openExisting(CheckpointStorage storage) {
    try {
      if (!isThere(storage)) {
        throw CheckpointErrors.noCheckpoints(storage);
      }
      String owner = owner(storage);
      checkNotHalfDeleted(storage);
      return new CheckpointLog(storage, owner);
    } catch (IOException e) {
      throw CheckpointErrors.failed(storage, "the checkpoints cannot be opened", e);
    }
  }

  private static boolean isThere(CheckpointStorage storage) throws IOException {
    if (hasFormat(storage)) {
      return true;
    }
    // It is written before anything else and never deleted.
    int entries = storage.list(LogEntryForm.FOLDER).size();
    int objects = storage.list(DataNames.FOLDER).size();
    if (entries + objects == 0) {
      return false;
    }
    if (hasFormat(storage)) {
      // Another process has begun in the meantime.
      return true;
    }
    throw CheckpointErrors.halfDeleted(
        storage,
        "the object '"
            + FORMAT
            + "' is missing, "
            + entries
            + " entries of the log and "
            + objects
            + " objects are there");
  }

  private static boolean hasFormat(CheckpointStorage storage) throws IOException {
    try {
      storage.read(FORMAT, 0, 1);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** A process writes data only after its claim, so the log is listed last. */
  private static void checkNotHalfDeleted(CheckpointStorage storage) throws IOException {
    int objects = storage.list(DataNames.FOLDER).size();
    if (objects > 0 && storage.list(LogEntryForm.FOLDER).isEmpty()) {
      throw CheckpointErrors.halfDeleted(
          storage, "'log' is empty, 'data' has " + objects + " objects");
    }
  }

  private static byte[] format(String job) {
    ByteWriter writer = new ByteWriter();
    new FieldWriter(writer)
        .essential(LAYOUT, o -> o.writeVarInt(LAYOUT_VERSION))
        .essential(JOB, o -> o.writeString(job))
        .end();
    return writer.toByteArray();
  }

  private static String owner(CheckpointStorage storage) throws IOException {
    byte[] content = Frames.decode(storage, FORMAT, FrameKind.FORMAT);
    String job = "";
    try {
      FieldReader fields = new FieldReader(new ByteReader(content));
      int field;
      while ((field = fields.next()) != 0) {
        switch (field) {
          case LAYOUT -> {
            int version = fields.content().readVarInt();
            if (version > LAYOUT_VERSION) {
              throw CheckpointErrors.newerLayout(storage, version, LAYOUT_VERSION);
            }
          }
          case JOB -> job = fields.content().readString();
          default -> fields.unknown();
        }
      }
    } catch (FieldReader.UnknownFieldException e) {
      throw CheckpointErrors.newerField(storage, FORMAT, e.field);
    }
    return job;
  }

  /** Name of the job whose checkpoints these are. */
  public String job() {
    return job;
  }

  /** Where it is. */
  public CheckpointStorage storage() {
    return storage;
  }

  /** The place, as a user would write it. */
  public String location() {
    return storage.location();
  }

  /** Reads what a manifest of the log names; any thread may. */
  public FrameReader read(Manifest.Piece piece) {
    return FrameReader.segment(storage, piece.object(), piece.segment());
  }

  /** Name of the object with the entry at a position. */
  public static String entryName(long position) {
    return LogEntryForm.name(position);
  }

  /** What the log says now. */
  public CheckpointHistory read() throws IOException {
    return CheckpointHistory.read(storage);
  }

  /**
   * Takes the job over: whoever had it before finds out when it writes the next entry, or before.
   *
   * @param token a random number, to know this process's entries by
   * @param owner describes this process, for the messages of others
   * @param retained how many of the newest checkpoints are kept, at least 1; one more is kept for
   *     when the newest turns out to be damaged
   * @param nowMillis wall clock
   * @throws StreamForgeException {@link io.streamforge.error.ErrorCode#CHECKPOINT_FENCED} when
   *     another process claims it at the same time and is later
   * @throws IOException when it is not known whether the claim stands; claiming again, with another
   *     token, is right
   */
  public LogOwner claim(long token, String owner, int retained, long nowMillis) throws IOException {
    if (retained < 1) {
      throw new IllegalArgumentException("retained must be at least 1: " + retained);
    }
    for (int i = 0; i < MAX_TRIES; i++) {
      CheckpointHistory history = read();
      long position = history.last() + 1;
      LogEntry.Claim claim =
          new LogEntry.Claim(position, history.highestNumber(), token, nowMillis, owner);
      boolean created =
          storage.createIfAbsent(LogEntryForm.name(position), LogEntryForm.encode(claim));
      if (!created && !isOwn(position, token)) {
        continue;
      }
      LogOwner now = LogOwner.after(this, claim, retained);
      if (now != null) {
        return now;
      }
    }
    throw new IOException("other processes claim the checkpoints all the time");
  }

  /** Whether the entry was written with this token, although a try to write it was told no. */
  private boolean isOwn(long position, long token) throws IOException {
    try {
      return LogEntryForm.read(storage, position).token() == token;
    } catch (DamagedObjectException e) {
      return false;
    }
  }
}
