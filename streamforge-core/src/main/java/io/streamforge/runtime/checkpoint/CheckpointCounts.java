package io.streamforge.runtime.checkpoint;

import io.streamforge.metrics.CheckpointMetrics;
import io.streamforge.runtime.task.PartProgress;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Counts what becomes of checkpoints. Written by one thread at a time, read by any. */
final class CheckpointCounts {
  private volatile CheckpointMetrics metrics;

  /** Of a job that goes on from a checkpoint; 0: from none. */
  CheckpointCounts(long restoredFrom) {
    metrics = new CheckpointMetrics(restoredFrom, 0, 0, 0, 0, "", 0, 0, 0, 0, 0, 0, "", "");
  }

  /** The job has been restored; before anything else is counted. */
  void restored(RestoredJob restored) {
    metrics =
        new CheckpointMetrics(
            restored.number(),
            restored.bytes(),
            restored.millis(),
            0,
            0,
            "",
            0,
            0,
            0,
            0,
            0,
            0,
            "",
            "");
  }

  CheckpointMetrics metrics() {
    return metrics;
  }

  /**
   * One has been published.
   *
   * @param parts how all have come through it
   * @param cause what has taken longest of it
   */
  void published(
      long number,
      long durationNanos,
      ManifestBook.Built built,
      Collection<PartProgress> parts,
      String cause) {
    PartProgress longest = null;
    for (PartProgress part : parts) {
      if (part.alignmentNanos() > (longest == null ? 0 : longest.alignmentNanos())) {
        longest = part;
      }
    }
    CheckpointMetrics m = metrics;
    metrics =
        new CheckpointMetrics(
            m.restoredFrom(),
            m.restoredBytes(),
            m.restoreMillis(),
            m.published() + 1,
            m.abandoned(),
            m.abandonedBecause(),
            number,
            TimeUnit.NANOSECONDS.toMillis(durationNanos),
            built.newBytes(),
            built.fullBytes(),
            built.inFlightBytes(),
            longest == null ? 0 : TimeUnit.NANOSECONDS.toMillis(longest.alignmentNanos()),
            longest == null ? "" : longest.subject(),
            cause);
  }

  /** One has been given up. */
  void abandoned(String reason) {
    CheckpointMetrics m = metrics;
    metrics =
        new CheckpointMetrics(
            m.restoredFrom(),
            m.restoredBytes(),
            m.restoreMillis(),
            m.published(),
            m.abandoned() + 1,
            reason,
            m.lastNumber(),
            m.lastDurationMillis(),
            m.lastBytes(),
            m.fullBytes(),
            m.inFlightBytes(),
            m.alignmentMillis(),
            m.alignedLast(),
            m.lastCause());
  }
}
