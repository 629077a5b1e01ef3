package io.streamforge.operator.window;

import io.streamforge.function.Aggregator;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.TimeDomain;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is kept for one key and window: the accumulator, and what triggers know and wait for. */
@Specialised
public final class Pane {
  /** All records of the window, or in discarding mode those since the last firing. */
  public Object accumulator;

  /** Records that are in the window. */
  public long count;

  /** Records since the last firing. */
  public long countSinceFiring;

  /** The trigger's own memory. */
  public long triggerMemory;

  private @Nullable TimeSet eventTimers;
  private @Nullable TimeSet processingTimers;

  /** A pane without records. */
  public Pane(Object accumulator) {
    this.accumulator = accumulator;
  }

  /** A trigger waits for this time. */
  public void addTimer(TimeDomain domain, long timeMillis) {
    if (domain == TimeDomain.EVENT) {
      eventTimers = eventTimers == null ? new TimeSet() : eventTimers;
      eventTimers.add(timeMillis);
    } else {
      processingTimers = processingTimers == null ? new TimeSet() : processingTimers;
      processingTimers.add(timeMillis);
    }
  }

  /** Whether a trigger has waited for this time; it does no longer. */
  public boolean takeTimer(TimeDomain domain, long timeMillis) {
    TimeSet timers = domain == TimeDomain.EVENT ? eventTimers : processingTimers;
    return timers != null && timers.remove(timeMillis);
  }

  /** No trigger waits any more. */
  public void clearTimers() {
    eventTimers = null;
    processingTimers = null;
  }

  /** Takes over what the triggers of another pane knew and waited for, and its counts. */
  public void absorb(Pane other) {
    count += other.count;
    countSinceFiring += other.countSinceFiring;
    triggerMemory += other.triggerMemory;
    eventTimers = union(eventTimers, other.eventTimers);
    processingTimers = union(processingTimers, other.processingTimers);
  }

  /**
   * Adds the result so far to what a query gets; in discarding mode only if there is something new.
   */
  void addTo(
      List<Windowed<Object>> results,
      Window window,
      Aggregator<Object, Object, Object> aggregator,
      boolean discarding)
      throws Exception {
    if (!discarding || countSinceFiring > 0) {
      results.add(new Windowed<>(window, aggregator.result(accumulator)));
    }
  }

  /** The times that triggers wait for; do not change them. */
  public TimeSet timers(TimeDomain domain) {
    TimeSet timers = domain == TimeDomain.EVENT ? eventTimers : processingTimers;
    return timers == null ? new TimeSet() : timers;
  }

  /** Takes the times that triggers waited for when the pane was stored. */
  void restoreTimers(TimeSet event, TimeSet processing) {
    eventTimers = event.isEmpty() ? null : event;
    processingTimers = processing.isEmpty() ? null : processing;
  }

  private static @Nullable TimeSet union(@Nullable TimeSet left, @Nullable TimeSet right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    left.addAll(right);
    return left;
  }
}
