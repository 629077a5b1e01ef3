package io.streamforge.state;

import io.streamforge.time.TimeDomain;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.Objects;

/**
 * How long a processor's state keeps what it holds; given with {@link StateDeclarations#expiring}.
 * What expires on its own are a value, a long, each element of a list, and each field of a map.
 *
 * <p>Writing stamps it with a time t, and it is there while <i>now</i> &lt; t + duration: at t +
 * duration it is gone, as if it had been removed. It never shows again, and its memory is given
 * back some time later, which nobody can see.
 *
 * <ul>
 *   <li><b>Event time</b>, unless said otherwise. t is {@link
 *       io.streamforge.function.ProcessorContext#timestampMillis} of the record or the event timer
 *       in hand; a stamp never goes back. <i>Now</i> is the watermark; for an event timer, before
 *       which the watermark may have leapt ahead, the time of the timer. So what a late record
 *       writes may be gone at once. A timer of processing time takes the watermark for both.
 *   <li><b>{@linkplain #inProcessingTime() Processing time}</b>. t and <i>now</i> are the time for
 *       which the job has been running, in all its starts together: what is left of a life is kept
 *       while the job is down, and clocks that jump make no difference.
 * </ul>
 *
 * <p>Neither changes during a call of the processor. Stamps are part of checkpoints, the duration
 * is not: it may be another one after a restart. A state that has been stored without stamps is
 * stamped with the time at which it is restored; so is one whose stamps are of the other kind of
 * time.
 *
 * @param duration more than zero, in whole milliseconds; what is not is a problem of the topology
 * @param domain whether event time or processing time counts
 * @param readsRenew whether reading stamps as writing does
 */
public record TimeToLive(Duration duration, TimeDomain domain, boolean readsRenew) {
  /** Refuses null. */
  public TimeToLive {
    Objects.requireNonNull(duration, "duration");
    Objects.requireNonNull(domain, "domain");
  }

  /** So long after it was written, in event time. */
  public static TimeToLive of(Duration duration) {
    return new TimeToLive(duration, TimeDomain.EVENT, false);
  }

  /** The same in processing time. */
  public TimeToLive inProcessingTime() {
    return new TimeToLive(duration, TimeDomain.PROCESSING, readsRenew);
  }

  /**
   * Reading renews as well. What is read then becomes part of the next checkpoint, as if it had
   * been written.
   */
  public TimeToLive renewedByReads() {
    return new TimeToLive(duration, domain, true);
  }

  /** Such as {@code 1h of event time after writing}. */
  @Override
  public String toString() {
    return Windows.text(duration)
        + (domain == TimeDomain.EVENT ? " of event time" : " of processing time")
        + (readsRenew ? " after writing or reading" : " after writing");
  }
}
