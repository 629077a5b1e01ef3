package io.streamforge.window;

import io.streamforge.time.TimeDomain;
import java.io.Serializable;

/**
 * Decides when a window emits a result before it closes (or, as late trigger, after it has closed).
 * Closing itself is not up to a trigger: a window always emits when the watermark reaches its end,
 * so nothing is lost by a trigger that never fires. {@code toString} is shown by {@code explain}.
 *
 * <p>A trigger is shared by all keys and windows and must not have state of its own: the context
 * keeps one long for each key and window.
 *
 * @param <K> keys
 */
public interface Trigger<K> extends Serializable {
  /** After a record has been added to the window. */
  Decision onRecord(TriggerContext<K> context) throws Exception;

  /** A timer that this trigger has set for the key and window is due. */
  default Decision onTimer(TriggerContext<K> context, long timerMillis, TimeDomain domain)
      throws Exception {
    return Decision.CONTINUE;
  }
}
