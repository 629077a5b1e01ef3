package io.streamforge.checkpoint;

/**
 * An entry of the log of a job's checkpoints. Its <em>position</em> is its place in the log,
 * without holes; its <em>number</em> is what people and sinks know a checkpoint by. Both grow and
 * are never used again. They are the same unless the job had to go above numbers that sinks knew
 * already.
 *
 * <p>All entries of one process carry the position of its claim, the <em>attempt</em>, and the
 * claim's <em>token</em>, a random number by which a process knows its own entries.
 */
public sealed interface LogEntry {
  /** Its place in the log, at least 1. */
  long position();

  /** Number of the checkpoint; of a claim the highest number up to there. */
  long number();

  /** Position of the claim of the process that wrote it. */
  long attempt();

  /** Token of that claim. */
  long token();

  /** When it was written, by the writer's wall clock, as epoch milliseconds; for people. */
  long createdMillis();

  /**
   * A process has taken over the job.
   *
   * @param owner describes the process, for messages
   */
  record Claim(long position, long number, long token, long createdMillis, String owner)
      implements LogEntry {
    @Override
    public long attempt() {
      return position;
    }
  }

  /**
   * A checkpoint is complete.
   *
   * @param parent position of the checkpoint that the job went on from: the one published before
   *     it, or the one that was restored; 0: none of this log
   * @param oldestRetained entries below this position do not count any more and may be deleted
   */
  record Published(
      long position,
      long number,
      long attempt,
      long token,
      long createdMillis,
      long parent,
      long oldestRetained,
      Manifest manifest)
      implements LogEntry {
    /** Retains at least itself, and has its parent and its claim before it. */
    public Published {
      if (oldestRetained > position || parent >= position || attempt >= position) {
        throw new IllegalArgumentException(
            "entry "
                + position
                + " of attempt "
                + attempt
                + " with parent "
                + parent
                + " retains from "
                + oldestRetained
                + " on");
      }
    }

    /** Bytes of all that it consists of, as they are stored. */
    public long fullBytes() {
      return manifest.pieces().stream().mapToLong(piece -> piece.segment().length()).sum();
    }

    /** Those of them that were written for it; the others were there before. */
    public long newBytes() {
      DataNames own = new DataNames(attempt, number);
      return manifest.pieces().stream()
          .filter(piece -> own.equals(DataNames.parse(piece.object())))
          .mapToLong(piece -> piece.segment().length())
          .sum();
    }
  }

  /**
   * A checkpoint was given up.
   *
   * @param reason for people
   */
  record Aborted(
      long position, long number, long attempt, long token, long createdMillis, String reason)
      implements LogEntry {}
}
