package io.streamforge.operator;

import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.state.TimeToLive;

/** When the content of one state expires. */
@Specialised
final class Expiry {
  private final CallTime time;
  private final long durationMillis;
  private final boolean readsRenew;

  Expiry(TimeToLive timeToLive, CallTime time) {
    this.time = time;
    this.durationMillis = timeToLive.duration().toMillis();
    this.readsRenew = timeToLive.readsRenew();
  }

  /** Stamp of what is written now. */
  long stampMillis() {
    return time.stampMillis;
  }

  boolean readsRenew() {
    return readsRenew;
  }

  boolean expired(Stamped<?> stamped) {
    return expired(stamped.stampMillis);
  }

  boolean expired(long stampMillis) {
    return expiredAt(stampMillis, time.nowMillis);
  }

  boolean expiredAt(long stampMillis, long nowMillis) {
    return Timestamps.plus(stampMillis, durationMillis) <= nowMillis;
  }
}
