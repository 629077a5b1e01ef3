package io.streamforge.operator.window;

import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.TimerScope;
import io.streamforge.operator.Timers;
import io.streamforge.specialise.Specialised;
import io.streamforge.time.TimeDomain;
import io.streamforge.window.Decision;
import io.streamforge.window.Trigger;
import io.streamforge.window.TriggerContext;
import io.streamforge.window.Window;
import org.jspecify.annotations.Nullable;

/** Asks triggers, and shows them the pane in hand. */
@Specialised
public final class TriggerView implements TriggerContext<Object> {
  private final OperatorContext context;
  private final Timers timers;

  private Object key = "";
  private long hash;
  private Window window = Window.GLOBAL;
  private TimerScope scope = TimerScope.KEY;
  private Pane pane = new Pane("");
  private long timestampMillis;
  private long unreachableMillis;

  /** Sets timers of the operator that has this context. */
  public TriggerView(OperatorContext context, Timers timers) {
    this.context = context;
    this.timers = timers;
  }

  /** Takes a key in hand. */
  public TriggerView of(Object newKey, long newHash) {
    this.key = newKey;
    this.hash = newHash;
    return this;
  }

  /**
   * Takes a window of the key in hand.
   *
   * @param newScope what its timers are set with
   * @param newUnreachableMillis event time at which the window is sure to have gone
   */
  public TriggerView at(
      Window newWindow, Pane newPane, TimerScope newScope, long newUnreachableMillis) {
    this.window = newWindow;
    this.pane = newPane;
    this.scope = newScope;
    this.unreachableMillis = newUnreachableMillis;
    return this;
  }

  /** Sets the timers that triggers of the pane wait for. */
  public void restoreTimers() {
    for (TimeDomain domain : TimeDomain.values()) {
      for (long timeMillis : pane.timers(domain).toArray()) {
        timers.set(domain, timeMillis, key, hash, scope);
      }
    }
  }

  /** Whether the trigger fires after a record. */
  public boolean firesOnRecord(Trigger<Object> trigger, long recordMillis) throws Exception {
    timestampMillis = recordMillis;
    return trigger.onRecord(this) == Decision.FIRE;
  }

  /** Whether the trigger, if there is one, fires at a timer. */
  public boolean firesOnTimer(
      @Nullable Trigger<Object> trigger, long timerMillis, TimeDomain domain) throws Exception {
    timestampMillis = timerMillis;
    return trigger != null && trigger.onTimer(this, timerMillis, domain) == Decision.FIRE;
  }

  @Override
  public Object key() {
    return key;
  }

  @Override
  public Window window() {
    return window;
  }

  @Override
  public long count() {
    return pane.count;
  }

  @Override
  public long countSinceFiring() {
    return pane.countSinceFiring;
  }

  @Override
  public long timestampMillis() {
    return timestampMillis;
  }

  @Override
  public long watermarkMillis() {
    return context.watermark();
  }

  @Override
  public long processingTimeMillis() {
    return context.clock().wallMillis();
  }

  @Override
  public long memory() {
    return pane.triggerMemory;
  }

  @Override
  public void memory(long value) {
    pane.triggerMemory = value;
  }

  @Override
  public void setEventTimer(long timeMillis) {
    if (timeMillis < unreachableMillis) {
      set(TimeDomain.EVENT, timeMillis);
    }
  }

  @Override
  public void setProcessingTimer(long timeMillis) {
    set(TimeDomain.PROCESSING, timeMillis);
  }

  private void set(TimeDomain domain, long timeMillis) {
    pane.addTimer(domain, timeMillis);
    timers.set(domain, timeMillis, key, hash, scope);
  }
}
