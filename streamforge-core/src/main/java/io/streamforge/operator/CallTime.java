package io.streamforge.operator;

import io.streamforge.specialise.Specialised;

/** One kind of time as it is during a call of the processor. */
@Specialised
final class CallTime {
  /** By which is decided what has expired; never goes back. */
  long nowMillis;

  /** What is written gets this stamp. */
  long stampMillis;

  CallTime(long nowMillis) {
    this.nowMillis = nowMillis;
    this.stampMillis = nowMillis;
  }
}
