package io.streamforge.runtime.task;

import io.streamforge.checkpoint.Blob;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingWriter;
import java.util.ArrayDeque;
import java.util.List;

/** What one writer has prepared and not committed yet. Used by the thread that uses the writer. */
// Invariant: what was prepared stays here, and is part of every further checkpoint, until it is
// known to be committed; so it does not matter which checkpoints come about.
final class WriterCommits {
  private final String node;
  private final int index;
  private final CommittingWriter<Object, Object> writer;
  private final ArrayDeque<Committable> uncommitted = new ArrayDeque<>();
  private long published;
  private long committed;

  /**
   * Of a writer that has just been opened.
   *
   * @param index of its task within the stage
   * @param marker the last checkpoint that it is known to have committed; 0: none
   */
  WriterCommits(String node, int index, CommittingWriter<Object, Object> writer, long marker) {
    this.node = node;
    this.index = index;
    this.writer = writer;
    this.committed = marker;
  }

  /** What the writer adds to a checkpoint: all that was written before it. */
  Manifest.WriterPart prepare(long checkpoint) throws Exception {
    uncommitted.addAll(writer.prepare(checkpoint));
    List<Blob> saved = uncommitted.stream().map(SavedCommittable::write).toList();
    return new Manifest.WriterPart(Integer.toString(index), committed, saved);
  }

  /** All up to this checkpoint is to be committed. */
  void published(long checkpoint) {
    published = Math.max(published, checkpoint);
  }

  /** The checkpoint of what is to be committed next; 0: all is committed that was published. */
  long next() {
    Committable next = uncommitted.peek();
    return next != null && next.checkpoint() <= published ? next.checkpoint() : 0;
  }

  /**
   * Commits what has been published, in the order of preparation.
   *
   * @throws Exception when that fails; called again it goes on where it was
   */
  void commit() throws Exception {
    while (next() != 0) {
      Committable next = uncommitted.element();
      if (writer.commit(next) instanceof CommitResult.Lost lost) {
        throw new StreamForgeException(
            ErrorCode.SINK_FAILED,
            ErrorContext.node(node),
            "output for checkpoint " + next.checkpoint() + " is lost: " + lost.what(),
            "Put back what is missing, or start from another checkpoint or savepoint.",
            null);
      }
      committed = Math.max(committed, next.checkpoint());
      uncommitted.remove();
    }
  }

  /** Whether nothing waits, published or not. */
  boolean isEmpty() {
    return uncommitted.isEmpty();
  }
}
