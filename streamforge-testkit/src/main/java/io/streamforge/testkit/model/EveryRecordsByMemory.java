package io.streamforge.testkit.model;

import io.streamforge.window.Decision;
import io.streamforge.window.Trigger;
import io.streamforge.window.TriggerContext;

/**
 * A custom trigger that knows only what it keeps in its memory: how many records it has seen since
 * it last fired itself. Unlike {@link io.streamforge.window.Triggers#everyRecords} it does not take
 * notice of results that others have caused, such as a window's closing.
 */
record EveryRecordsByMemory<K>(long records) implements Trigger<K> {
  @Override
  public Decision onRecord(TriggerContext<K> context) {
    context.memory(context.memory() + 1);
    if (context.memory() < records) {
      return Decision.CONTINUE;
    }
    context.memory(0);
    return Decision.FIRE;
  }
}
