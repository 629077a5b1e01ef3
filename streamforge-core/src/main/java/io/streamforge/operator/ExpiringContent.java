package io.streamforge.operator;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.TimeToLive;
import io.streamforge.time.TimeDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Tells the time by which an operator's states expire, and removes what has. */
@Specialised
final class ExpiringContent {
  /*
   * Each call adds at most one entry to a table and looks at four places of it, and at most about
   * two thirds of all places are taken. So while a table's places are all looked at once, a third
   * as many entries come as there are: what has expired is soon less than half of a table,
   * whatever the keys. Watermarks do the same where no records come; a table that nothing comes
   * to does not grow.
   */
  private static final int PLACES_PER_CALL = 4;
  private static final int PLACES_PER_WATERMARK = 64;

  private final OperatorContext context;
  private final CallTime eventTime;
  private final CallTime jobTime;
  private final List<IntConsumer> purges = new ArrayList<>();

  /** The last watermark; the timers of the one before have all fired. */
  private long watermark;

  private boolean usesJobTime;

  ExpiringContent(OperatorContext context) {
    this.context = context;
    this.watermark = context.watermark();
    this.eventTime = new CallTime(watermark);
    this.jobTime = new CallTime(context.jobTimeMillis());
  }

  /** When a state expires. */
  Expiry expiry(TimeToLive timeToLive) {
    boolean event = timeToLive.domain() == TimeDomain.EVENT;
    usesJobTime |= !event;
    return new Expiry(timeToLive, event ? eventTime : jobTime);
  }

  /** Has a table be purged from now on; it is told by how many places. */
  void add(IntConsumer purge) {
    purges.add(purge);
  }

  /** The stamp of what a state has restored without one. */
  long restoredStamp(String state, TimeDomain domain) {
    if (domain == TimeDomain.PROCESSING) {
      return jobTime.nowMillis;
    }
    if (eventTime.nowMillis == Timestamps.MIN) {
      throw new StreamForgeException(
          ErrorCode.STATE_INCOMPATIBLE,
          ErrorContext.node(context.node()),
          "state '"
              + state
              + "' of node '"
              + context.node()
              + "' now expires by event time, was stored without, and the checkpoint has no"
              + " event time that it could begin with",
          "Restart from a checkpoint that was taken after the first watermark; or have the state"
              + " expire inProcessingTime().",
          null);
    }
    return eventTime.nowMillis;
  }

  /**
   * The time that a call of the processor would have now, by which content expires.
   *
   * @param eventTimeMillis event time up to which its timers have fired
   */
  long nowMillis(TimeDomain domain, long eventTimeMillis) {
    return domain == TimeDomain.EVENT
        ? Math.max(eventTime.nowMillis, eventTimeMillis)
        : context.jobTimeMillis();
  }

  /** A record is about to be processed. */
  void onRecord(long timestampMillis) {
    eventTime.nowMillis = context.watermark();
    eventTime.stampMillis = timestampMillis;
    beforeCall();
  }

  /** A timer is about to be handled. */
  void onTimer(TimeDomain domain, long timeMillis) {
    if (domain == TimeDomain.EVENT) {
      // Timers fire in order, so time passes from one to the next however far the watermark is.
      long own = context.watermark();
      eventTime.nowMillis =
          own > watermark ? own : Math.max(Math.min(eventTime.nowMillis, watermark), timeMillis);
      eventTime.stampMillis = timeMillis;
    } else {
      eventTime.nowMillis = context.watermark();
      eventTime.stampMillis = eventTime.nowMillis;
    }
    beforeCall();
  }

  private void beforeCall() {
    if (usesJobTime) {
      readJobTime();
    }
    // The key in hand may be ahead of others, see GroupTimes: what has expired for it has not for
    // all.
    if (eventTime.nowMillis <= watermark) {
      purge(PLACES_PER_CALL);
    }
  }

  private void readJobTime() {
    jobTime.nowMillis = context.jobTimeMillis();
    jobTime.stampMillis = jobTime.nowMillis;
  }

  /** Event time has advanced; its timers have not fired yet. */
  void onWatermark(long newWatermark) {
    eventTime.nowMillis = watermark;
    watermark = newWatermark;
    if (usesJobTime) {
      readJobTime();
    }
    purge(PLACES_PER_WATERMARK);
  }

  // Hot path: by index, for no iterator.
  private void purge(int places) {
    for (int i = 0; i < purges.size(); i++) {
      purges.get(i).accept(places);
    }
  }
}
