package io.streamforge.runtime.task;

import io.streamforge.checkpoint.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * To whom the parts of a job, tasks and writers, report of checkpoints. Each is known by its id.
 * Thread-safe.
 */
public interface CheckpointControl {
  /** A task has taken a checkpoint, and all its state is in completed objects. */
  void taken(TaskPart part);

  /**
   * A writer has passed on all that came before the barrier.
   *
   * @param prepared what makes it visible; null where it needs nothing of the kind
   */
  void written(long checkpoint, String writer, Manifest.@Nullable WriterPart prepared);

  /** All that a writer has prepared up to a published checkpoint is visible. */
  void committed(long checkpoint, String writer);

  /** A checkpoint cannot come about. */
  void declined(long checkpoint, String part, Throwable cause);

  /** A part has done all its work, and waits for the job's last checkpoint. */
  void ended(String part);
}
