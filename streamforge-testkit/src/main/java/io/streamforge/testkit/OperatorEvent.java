package io.streamforge.testkit;

import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.record.Record;
import org.jspecify.annotations.Nullable;

/** What can happen to an operator under the {@link OperatorHarness}. */
public sealed interface OperatorEvent {
  /**
   * A record comes in.
   *
   * @param input of the operator, counted from 0
   */
  record Arrival(int input, Record<@Nullable Object, @Nullable Object> record)
      implements OperatorEvent {
    @Override
    public String toString() {
      return input == 0 ? record.toString() : record + " at input " + input;
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

  /** A record comes in, without headers, at the only or first input. */
  static OperatorEvent record(@Nullable Object key, @Nullable Object value, long timestampMillis) {
    return record(0, key, value, timestampMillis);
  }

  /** A record comes in, without headers, at one of the inputs. */
  static OperatorEvent record(
      int input, @Nullable Object key, @Nullable Object value, long timestampMillis) {
    return new Arrival(
        input, new Record<>(Values.cast(key), Values.cast(value), timestampMillis, null));
  }

  /** A record comes in. */
  static OperatorEvent record(
      @Nullable Object key, @Nullable Object value, long timestampMillis, Headers headers) {
    return new Arrival(
        0, new Record<>(Values.cast(key), Values.cast(value), timestampMillis, headers));
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
