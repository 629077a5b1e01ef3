package io.streamforge.error;

/**
 * Every error that the engine reports on purpose. The list in {@code docs/errors.md} is generated
 * from these constants, and a test provokes each of them.
 */
public enum ErrorCode {
  TOPOLOGY_INVALID(
      ErrorCategory.USER,
      "The topology has problems that build() found; all of them are listed.",
      "Mend each listed node as its line says."),
  CONFIG_INVALID(
      ErrorCategory.USER,
      "One or more settings are out of range or contradict each other; all of them are listed.",
      "Change each listed setting to a value in the stated range."),
  FUNCTION_FAILED(
      ErrorCategory.USER,
      "A function of the topology threw an exception while it processed a record.",
      "Mend the function, or filter such records out before this node."),
  NULL_KEY(
      ErrorCategory.USER,
      "A record without a key reached a node that needs one.",
      "Give the record a key in groupBy or selectKey, or filter such records out before this"
          + " node."),
  TIMESTAMP_OUT_OF_RANGE(
      ErrorCategory.USER,
      "A timestamp is one of the two extreme values of a long, which are reserved.",
      "Have the source or its timestamp extractor return epoch milliseconds."),
  SERDE_FAILED(
      ErrorCategory.USER,
      "A value could not be serialised or deserialised.",
      "Check that the value is of the declared type, or pass another serde with typed(...)."),
  STATE_UNAVAILABLE(
      ErrorCategory.RESOURCE,
      "Keyed state on the local disk cannot be read or written.",
      "Free space there, check the rights, or set another directory for state; the job goes on from"
          + " its last checkpoint."),
  STATE_INCOMPATIBLE(
      ErrorCategory.USER,
      "What was stored cannot be read as the type that the code has now.",
      "Change the type in a way that docs/serdes.md lists, or keep the old one."),
  VALUE_MUTATED(
      ErrorCategory.USER,
      "A value was changed after it had been emitted; values are immutable once emitted.",
      "Emit a copy, or do not keep changing an object after emitting it."),
  SOURCE_REUSED(
      ErrorCategory.USER,
      "A source object that can be read only once is used a second time.",
      "Make a new source object for each topology and each start."),
  OUTPUT_LIMIT_EXCEEDED(
      ErrorCategory.USER,
      "One record produced more output than may be held in memory, and it cannot be spilled.",
      "Return an Iterable from flatMap, which is pulled at the pace of what follows, or declare the"
          + " types with typed(...) so that the output can be spilled to disk."),
  SOURCE_FAILED(
      ErrorCategory.EXTERNAL,
      "A source could not be opened or read.",
      "See the cause; the position names what was being read."),
  RECORD_MALFORMED(
      ErrorCategory.EXTERNAL,
      "A record of a source cannot be decoded.",
      "Mend the record, or choose the policy skip or dead letter for the source."),
  SINK_FAILED(
      ErrorCategory.EXTERNAL,
      "A sink could not be opened, written or closed.",
      "See the cause; free the resource that it names and start the job again."),
  SPILL_FAILED(
      ErrorCategory.RESOURCE,
      "Output that does not fit into memory could not be written to the temporary directory.",
      "Free space there, or set another temporary directory."),
  STORAGE_UNAVAILABLE(
      ErrorCategory.RESOURCE,
      "The place where checkpoints are kept does not exist, or cannot be read or written.",
      "Check the location and the rights of the user that runs the job."),
  CHECKPOINT_INCOMPATIBLE(
      ErrorCategory.USER,
      "Checkpoints are of another job, or of a newer version of StreamForge.",
      "Name the location of this job's own checkpoints, and run the version that wrote them or a"
          + " later one."),
  CHECKPOINT_DAMAGED(
      ErrorCategory.EXTERNAL,
      "Objects of a checkpoint are missing, torn or altered.",
      "Put the named objects back from a copy, or start from another checkpoint or savepoint."),
  SNAPSHOT_DAMAGED(
      ErrorCategory.EXTERNAL,
      "What was to be restored into a store is no snapshot, ends early or was altered.",
      "Restore another snapshot, or copy this one anew from where it was written."),
  CHECKPOINT_FENCED(
      ErrorCategory.USER,
      "Another process has taken over the checkpoints of the job.",
      "Run the job once only; let the other process run, or stop it and start this one again."),
  QUERY_INVALID(
      ErrorCategory.USER,
      "A query asks a running job for what it does not have: a node, a state, or a key of another"
          + " type.",
      "Ask for one of those that the message names."),
  QUERY_UNANSWERED(
      ErrorCategory.RESOURCE,
      "A running job has not answered a query: it is overloaded, busy, or just being restarted.",
      "Ask again a little later."),
  JOB_STOPPED(
      ErrorCategory.USER,
      "The job has been cancelled or closed before it completed.",
      "Start it again; await its completion before closing the engine if all output is wanted."),
  INTERNAL(
      ErrorCategory.INTERNAL,
      "The engine itself failed.",
      "Please report this with the stack trace.");

  private final ErrorCategory category;
  private final String meaning;
  private final String remedy;

  ErrorCode(ErrorCategory category, String meaning, String remedy) {
    this.category = category;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** Who can mend it. */
  public ErrorCategory category() {
    return category;
  }

  /** What the code stands for, in one sentence. */
  public String meaning() {
    return meaning;
  }

  /** What to do about it when the exception itself knows nothing more precise. */
  public String remedy() {
    return remedy;
  }
}
