package io.streamforge.testkit.model;

import io.streamforge.record.Timestamps;
import io.streamforge.window.Trigger;
import io.streamforge.window.Triggers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The triggers of the engine and a custom one, in terms of the records that no result has covered
 * yet.
 */
final class ModelTriggers {
  private ModelTriggers() {}

  static long unfired(List<Item> items) {
    return items.stream().filter(item -> !item.fired).count();
  }

  /** Whether the trigger fires after {@code added} has been added to {@code items}. */
  static boolean firesOnRecord(
      Trigger<?> trigger,
      List<Item> items,
      Item added,
      long startMillis,
      long watermark,
      long clockMillis) {
    if (trigger instanceof Triggers.EveryRecords<?> every) {
      return unfired(items) >= every.records();
    } else if (trigger instanceof Triggers.EveryEventTime<?> every) {
      long now = Math.max(watermark, added.timestampMillis());
      long origin = startMillis == Timestamps.MIN ? 0 : startMillis;
      long period = every.period().toMillis();
      added.eventTimers.add(origin + (Math.floorDiv(now - origin, period) + 1) * period);
      return false;
    } else if (trigger instanceof Triggers.EveryProcessingTime<?> every) {
      if (unfired(items) == 1) {
        added.processingTimers.add(clockMillis + every.period().toMillis());
      }
      return false;
    } else if (trigger instanceof EveryRecordsByMemory<?> every) {
      added.triggerMemory = 1;
      boolean fires = items.stream().mapToLong(item -> item.triggerMemory).sum() >= every.records();
      if (fires) {
        items.forEach(item -> item.triggerMemory = 0);
      }
      return fires;
    }
    throw new IllegalArgumentException("no model of " + trigger);
  }

  /** The first event timer of a window that is due; null when there is none. */
  static @Nullable Long firstEventTimer(List<Item> items, long nowMillis) {
    return items.stream()
        .flatMap(item -> item.eventTimers.stream())
        .filter(time -> time <= nowMillis)
        .min(Long::compare)
        .orElse(null);
  }

  /** The first processing timer of a window that is due; null when there is none. */
  static @Nullable Long firstProcessingTimer(List<Item> items, long nowMillis) {
    return items.stream()
        .flatMap(item -> item.processingTimers.stream())
        .filter(time -> time <= nowMillis)
        .min(Long::compare)
        .orElse(null);
  }
}
