package io.streamforge.runtime.task;

import io.streamforge.operator.TimerScope;

/** To whom timers are shown, or handed over when they fire. */
@FunctionalInterface
interface TimerVisitor {
  /** One timer. */
  void visit(long timeMillis, Object key, long hash, TimerScope scope) throws Exception;
}
