package io.streamforge.operator;

import io.streamforge.time.TimeDomain;

/**
 * The timers of one operator. They are a set: setting one twice has no effect. Timers fire in the
 * order of time, key group, key, scope. An event timer at t fires when the watermark W has reached
 * t, between {@link Operator#onWatermark} of W and its forwarding; one that is set for t ≤ W fires
 * in the next step.
 */
public interface Timers {
  /** Sets a timer of the key. */
  void set(TimeDomain domain, long timeMillis, Object key, long hash, TimerScope scope);

  /** Deletes a timer of the key; no effect when there is none. */
  void delete(TimeDomain domain, long timeMillis, Object key, long hash, TimerScope scope);
}
