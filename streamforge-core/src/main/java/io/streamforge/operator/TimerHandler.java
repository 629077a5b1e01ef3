package io.streamforge.operator;

import io.streamforge.time.TimeDomain;

/** What is called when a timer is due; the host has set the task's {@link KeyContext}. */
@FunctionalInterface
public interface TimerHandler {
  /**
   * One timer. Called only while the operator is not pending.
   *
   * @param key the timer's key
   * @param scope what it was set with
   */
  void onTimer(Object key, long timeMillis, TimeDomain domain, TimerScope scope) throws Exception;
}
