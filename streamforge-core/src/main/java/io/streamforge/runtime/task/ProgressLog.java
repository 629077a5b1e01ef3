package io.streamforge.runtime.task;

import io.streamforge.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@link PartProgress} of one part in one checkpoint. Written by one thread at a time,
 * read by any.
 */
final class ProgressLog {
  private final Clock clock;
  private final String subject;
  private final long checkpoint;
  private final boolean overtaken;
  private final List<PartProgress.Span> spans = new ArrayList<>();
  private PartProgress.@Nullable Doing doing =
      new PartProgress.Doing(Activity.WORK, null, List.of(), 0);
  private long sentNanos = Long.MIN_VALUE;
  private long alignmentNanos;
  private volatile PartProgress latest;

  /** Of a part that has just heard of a checkpoint. */
  ProgressLog(Clock clock, String subject, long checkpoint, boolean overtaken) {
    this.clock = clock;
    this.subject = subject;
    this.checkpoint = checkpoint;
    this.overtaken = overtaken;
    this.latest = progress();
  }

  private PartProgress progress() {
    return new PartProgress(
        subject, checkpoint, overtaken, spans, doing, sentNanos, alignmentNanos);
  }

  PartProgress latest() {
    return latest;
  }

  boolean isOf(long number) {
    return checkpoint == number;
  }

  /** When the last span has ended; there is one. */
  long endNanos() {
    return spans.get(spans.size() - 1).endNanos();
  }

  /** The time since the last span has gone into this. */
  void spent(Activity activity, @Nullable String node, long bytes) {
    add(new PartProgress.Span(activity, node, null, bytes, clock.monotonicNanos()));
  }

  /** The time since the last span has gone into this, up to some moment. */
  void spentUntil(long untilNanos, Activity activity, @Nullable String node, long bytes) {
    add(new PartProgress.Span(activity, node, null, bytes, untilNanos));
  }

  /** The barrier of this sender was on its way. */
  void waited(Activity activity, Sender from, long untilNanos) {
    add(new PartProgress.Span(activity, null, from, 0, untilNanos));
  }

  private void add(PartProgress.Span span) {
    // What took no time is not worth a span; a barrier leads on to its sender.
    if (spans.isEmpty() || span.endNanos() > spans.get(spans.size() - 1).endNanos()) {
      spans.add(span);
      latest = progress();
    }
  }

  /** What is done from now on. */
  void doing(Activity activity, @Nullable String node, long bytes) {
    doing = new PartProgress.Doing(activity, node, List.of(), bytes);
    latest = progress();
  }

  /** The barrier has been passed on. */
  void sent(long newAlignmentNanos) {
    sentNanos = clock.monotonicNanos();
    alignmentNanos = newAlignmentNanos;
    latest = progress();
  }

  /** All has been reported. */
  void reported() {
    doing = null;
    latest = progress();
  }
}
