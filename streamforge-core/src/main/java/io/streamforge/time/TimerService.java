package io.streamforge.time;

/**
 * Timers of the key in hand. A timer is identified by key, domain and time: setting it again has no
 * effect. Timers fire in the order of time, then key group, then key.
 */
public interface TimerService {
  /**
   * Fires when the watermark reaches {@code timeMillis}; in the next step when it has already done
   * so.
   */
  void setEventTimer(long timeMillis);

  /** Fires when the clock reaches {@code timeMillis}. */
  void setProcessingTimer(long timeMillis);

  /** Deletes a timer; no effect when there is none. */
  void deleteEventTimer(long timeMillis);

  /** Deletes a timer; no effect when there is none. */
  void deleteProcessingTimer(long timeMillis);
}
