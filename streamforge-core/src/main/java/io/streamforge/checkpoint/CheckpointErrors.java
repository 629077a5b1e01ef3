package io.streamforge.checkpoint;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.CheckpointStorage;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The errors of stored checkpoints. */
final class CheckpointErrors {
  private static final String UPGRADE = "Run the version that wrote it, or a later one.";

  private CheckpointErrors() {}

  /** The beginning of a sentence about an object. */
  static String object(String location, String object) {
    return "the object '" + object + "' in " + location;
  }

  static StreamForgeException newerObject(CheckpointStorage storage, String object, int version) {
    return newer(
        storage,
        object,
        object(storage.location(), object)
            + " was written by a newer version of StreamForge (form "
            + version
            + ", this one knows up to "
            + Frames.VERSION
            + ")");
  }

  static StreamForgeException newerCompression(
      CheckpointStorage storage, String object, int compression) {
    return newer(
        storage,
        object,
        object(storage.location(), object)
            + " is compressed in a way that this version of StreamForge does not know ("
            + compression
            + ")");
  }

  static StreamForgeException newerLayout(CheckpointStorage storage, int version, int known) {
    return newer(
        storage,
        CheckpointLog.FORMAT,
        "the checkpoints in "
            + storage.location()
            + " were written by a newer version of StreamForge (layout "
            + version
            + ", this one knows up to "
            + known
            + ")");
  }

  static StreamForgeException newerField(CheckpointStorage storage, String object, int field) {
    return newer(
        storage,
        object,
        object(storage.location(), object)
            + " has a field that this version of StreamForge must know but does not ("
            + field
            + ")");
  }

  private static StreamForgeException newer(
      CheckpointStorage storage, String object, String summary) {
    return new StreamForgeException(
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        ErrorContext.position(storage.location() + "/" + object),
        summary,
        UPGRADE,
        null);
  }

  static StreamForgeException otherJob(CheckpointStorage storage, String owner, String job) {
    return new StreamForgeException(
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        job(job, storage),
        "the checkpoints in "
            + storage.location()
            + " are of the job '"
            + owner
            + "', not of '"
            + job
            + "'",
        "Give each job a place of its own; if the job was renamed, take a savepoint with the old"
            + " name and start from that.",
        null);
  }

  static StreamForgeException noCheckpoints(CheckpointStorage storage) {
    return new StreamForgeException(
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        ErrorContext.position(storage.location()),
        "there are no checkpoints in " + storage.location(),
        "Check the location: it is the one that the job was given, with 'format' and 'log' in it.",
        null);
  }

  static StreamForgeException halfDeleted(CheckpointStorage storage, String missing) {
    return new StreamForgeException(
        ErrorCode.CHECKPOINT_DAMAGED,
        ErrorContext.position(storage.location()),
        "the checkpoints in " + storage.location() + " are half deleted: " + missing,
        "Put the missing objects back from a copy; or, to begin without any state, delete all that"
            + " is left there or name an empty place.",
        null);
  }

  static StreamForgeException noneUsable(CheckpointStorage storage, List<String> problems) {
    return new StreamForgeException(
        ErrorCode.CHECKPOINT_DAMAGED,
        ErrorContext.position(storage.location()),
        "no checkpoint in "
            + storage.location()
            + " can be used:\n    "
            + String.join("\n    ", problems),
        "Put the named objects back from a copy, start from a savepoint, or name an empty place to"
            + " begin without any state.",
        null);
  }

  static StreamForgeException fenced(
      CheckpointStorage storage, String job, long own, long other, @Nullable LogEntry entry) {
    String who = entry instanceof LogEntry.Claim claim ? " by '" + claim.owner() + "'" : "";
    return new StreamForgeException(
        ErrorCode.CHECKPOINT_FENCED,
        job(job, storage),
        "another process runs the job with the checkpoints in "
            + storage.location()
            + ": entry "
            + other
            + who
            + " is not of this process, whose last entry is "
            + own);
  }

  static StreamForgeException failed(CheckpointStorage storage, String what, IOException cause) {
    return new StreamForgeException(
        ErrorCode.STORAGE_UNAVAILABLE,
        ErrorContext.position(storage.location()),
        what + " in " + storage.location() + ": " + cause,
        "See the cause: the place must exist, have room, and be readable and writable by the user"
            + " that runs the job.",
        cause);
  }

  private static ErrorContext job(String job, CheckpointStorage storage) {
    return new ErrorContext(job, null, null, storage.location(), null);
  }
}
