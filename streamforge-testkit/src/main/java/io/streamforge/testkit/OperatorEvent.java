package io.streamforge.testkit;

import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import org.jspecify.annotations.Nullable;

/** What can happen to an operator under the {@link OperatorHarness}. */
public sealed interface OperatorEvent {
  /** A record comes in. */
  record Arrival(Record<@Nullable Object, @Nullable Object> record) implements OperatorEvent {
    @Override
    public String toString() {
      return record.toString();
    }
  }

  /** Event time advances to {@code millis}. */
  record Watermark(long millis) implements OperatorEvent {
    @Override
    public String toString() {
      return "W=" + millis;
    }
  }

  /** The clock advances to {@code millis}. */
  record ClockTime(long millis) implements OperatorEvent {
    @Override
    public String toString() {
      return "clock=" + millis;
    }
  }

  /** A record comes in, without headers. */
  static OperatorEvent record(@Nullable Object key, @Nullable Object value, long timestampMillis) {
    return new Arrival(new Record<>(Values.cast(key), Values.cast(value), timestampMillis, null));
  }

  /** A record comes in. */
  static OperatorEvent record(
      @Nullable Object key, @Nullable Object value, long timestampMillis, Headers headers) {
    return new Arrival(
        new Record<>(Values.cast(key), Values.cast(value), timestampMillis, headers));
  }

  /** Event time advances. */
  static OperatorEvent watermark(long millis) {
    return new Watermark(millis);
  }

  /** The clock advances. */
  static OperatorEvent clock(long millis) {
    return new ClockTime(millis);
  }
}
