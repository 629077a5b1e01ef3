package io.streamforge.runtime.checkpoint;

import io.streamforge.checkpoint.CheckpointLog;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the checkpoints of a job are, and who writes there.
 *
 * @param log of the job
 * @param tokens random numbers
 * @param owner describes this process, for the messages of others
 * @param from where to begin when there is no checkpoint in the log yet; null: without state
 */
public record CheckpointPlace(
    CheckpointLog log, LongSupplier tokens, String owner, @Nullable CheckpointLog from) {
  /** Where a job begins without state when there is no checkpoint. */
  public CheckpointPlace(CheckpointLog log, LongSupplier tokens, String owner) {
    this(log, tokens, owner, null);
  }
}
