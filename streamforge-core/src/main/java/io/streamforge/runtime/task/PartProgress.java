package io.streamforge.runtime.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a task or writer has come with a checkpoint. Times are those of the job's monotonic
 * clock, in nanoseconds.
 *
 * @param subject who, for messages, as {@code task 1[0] of 'count'}
 * @param checkpoint its number
 * @param overtaken whether the checkpoint was taken before all barriers had come
 * @param spans what its time has gone into, in order. Each begins where the one before it ends, the
 *     first with the checkpoint; one with a sender not before that has passed the barrier on
 * @param doing what it does since then; null: it has reported
 * @param sentNanos when it has passed the barrier on; {@link Long#MIN_VALUE}: not yet
 * @param alignmentNanos from its first barrier to the last, or until it was overtaken
 */
public record PartProgress(
    String subject,
    long checkpoint,
    boolean overtaken,
    List<Span> spans,
    @Nullable Doing doing,
    long sentNanos,
    long alignmentNanos) {
  /** A copy. */
  public PartProgress {
    spans = List.copyOf(spans);
  }

  /**
   * What some time has gone into.
   *
   * @param node of the operator, where it is one; null: the part as a whole
   * @param from who sent the barrier that was waited for; null otherwise
   * @param bytes that were serialised or stored; 0 otherwise
   */
  public record Span(
      Activity activity, @Nullable String node, @Nullable Sender from, long bytes, long endNanos) {}

  /**
   * What is done now.
   *
   * @param node as in a span
   * @param awaited who has not sent the barrier, or whose is still on its way
   * @param bytes up to now
   */
  public record Doing(Activity activity, @Nullable String node, List<Sender> awaited, long bytes) {
    /** A copy. */
    public Doing {
      awaited = List.copyOf(awaited);
    }
  }

  /** Of a part that has not heard of a checkpoint. */
  static PartProgress before(String subject, long checkpoint, Doing doing) {
    return new PartProgress(subject, checkpoint, false, List.of(), doing, Long.MIN_VALUE, 0);
  }

  /** The same, but for what is done now. */
  PartProgress with(Doing other) {
    return new PartProgress(
        subject, checkpoint, overtaken, spans, other, sentNanos, alignmentNanos);
  }

  /** Whether it has passed the barrier on. */
  public boolean hasSent() {
    return sentNanos != Long.MIN_VALUE;
  }
}
