package io.streamforge.testkit.model;

import io.streamforge.record.Record;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A record in a window, and what has become of it there. */
final class Item {
  final Record<@Nullable Object, @Nullable Object> record;

  /** Where its slice starts, when its window is folded by slices. */
  final long sliceStartMillis;

  /** Whether a result has covered it. */
  boolean fired;

  /** Its share in the memory of a trigger. */
  long triggerMemory;

  /** Times for which a trigger waits on its account. */
  final TreeSet<Long> eventTimers = new TreeSet<>();

  final TreeSet<Long> processingTimers = new TreeSet<>();

  Item(Record<@Nullable Object, @Nullable Object> record, long sliceStartMillis) {
    this.record = record;
    this.sliceStartMillis = sliceStartMillis;
  }

  long timestampMillis() {
    return record.timestampMillis();
  }

  void clearTimers() {
    eventTimers.clear();
    processingTimers.clear();
  }
}
