package io.streamforge.runtime.task;

import io.streamforge.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * When the inputs of a task have brought the barriers of a checkpoint. Used by the task's thread
 * only.
 */
public final class BarrierTimes {
  private final Clock clock;
  private final Sender[] senders;
  private long aligning;
  private long firstNanos;

  /** Null until all have come. */
  private @Nullable Aligned aligned;

  /**
   * All barriers of a checkpoint have come.
   *
   * @param lastNanos when the last one came, or an input without it has ended; monotonic
   * @param last who sent that
   */
  public record Aligned(long checkpoint, long lastNanos, Sender last) {}

  /** Of inputs with these senders. */
  public BarrierTimes(Clock clock, Sender[] senders) {
    this.clock = clock;
    this.senders = senders;
  }

  /**
   * An input has brought a barrier or has ended.
   *
   * @param checkpoint whose barriers are waited for now; 0: none
   * @param complete whether all have come
   */
  public void moved(int input, long checkpoint, boolean complete) {
    if (checkpoint == 0) {
      return;
    }
    long now = clock.monotonicNanos();
    if (checkpoint != aligning) {
      aligning = checkpoint;
      firstNanos = now;
    }
    if (complete && aligned(checkpoint) == null) {
      aligned = new Aligned(checkpoint, now, senders[input]);
    }
  }

  /** How the barriers of a checkpoint have come; null when they have not all. */
  public @Nullable Aligned aligned(long checkpoint) {
    Aligned last = aligned;
    return last != null && last.checkpoint == checkpoint ? last : null;
  }

  /** From the first barrier of a checkpoint to the last one, or until now; 0 when none has come. */
  public long waitedNanos(long checkpoint) {
    Aligned all = aligned(checkpoint);
    return checkpoint != aligning
        ? 0
        : (all == null ? clock.monotonicNanos() : all.lastNanos) - firstNanos;
  }
}
