package io.streamforge.operator.join;

import io.streamforge.function.ValueJoiner;
import io.streamforge.operator.KeyContext;
import io.streamforge.operator.OperatorContext;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.specialise.Specialised;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a row or a timer has brought about for one key, joined already; to be emitted, as there is
 * room, before the next one is taken.
 */
@Specialised
final class JoinResults {
  private static final int CAPACITY = 16;

  private final OperatorContext context;
  private final Output output;
  private final KeyContext keyContext;
  private final ValueJoiner<Object, Object, Object> joiner;

  private Object key = "";
  private long hash;
  private @Nullable Object[] values = new @Nullable Object[CAPACITY];
  private long[] times = new long[CAPACITY];
  private int next;
  private int end;

  JoinResults(OperatorContext context, ValueJoiner<?, ?, ?> joiner) {
    this.context = context;
    this.output = context.output();
    this.keyContext = context.keyContext();
    this.joiner = Values.cast(joiner);
  }

  /** What is added from now on is for this key; nothing is left. */
  void begin(Object newKey, long newHash) {
    key = newKey;
    hash = newHash;
  }

  /** Joins two values. */
  void add(@Nullable Object left, @Nullable Object right, long timestampMillis) throws Exception {
    if (end == values.length) {
      values = Arrays.copyOf(values, end * 2);
      times = Arrays.copyOf(times, end * 2);
    }
    values[end] = joiner.apply(Values.cast(left), Values.cast(right));
    times[end] = timestampMillis;
    end++;
  }

  /** A row of a side with each of these partners. */
  void addPairs(
      int side, @Nullable Object value, long timestampMillis, Rows partners, int from, int to)
      throws Exception {
    for (int i = from; i < to; i++) {
      long later = Math.max(timestampMillis, partners.time(i));
      if (side == JoinRows.LEFT) {
        add(value, partners.value(i), later);
      } else {
        add(partners.value(i), value, later);
      }
    }
  }

  /** A row of a side without partner. */
  void addUnmatched(int side, @Nullable Object value, long timestampMillis) throws Exception {
    if (side == JoinRows.LEFT) {
      add(value, null, timestampMillis);
    } else {
      add(null, value, timestampMillis);
    }
  }

  /** Rows of a side without partner. */
  void addUnmatched(int side, Rows rows, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      addUnmatched(side, rows.value(i), rows.time(i));
    }
  }

  /** Whether none is left. */
  boolean isEmpty() {
    return next == end;
  }

  /** Emits while there is room, and suspends the task when some are left. */
  void emitOrSuspend() throws Exception {
    if (next < end) {
      emit(Integer.MAX_VALUE);
      if (next < end) {
        context.suspend();
      }
    }
  }

  /** Emits up to {@code limit} while there is room. */
  void emit(int limit) throws Exception {
    for (int left = limit; left > 0 && next < end && !context.full(); left--) {
      Object value = values[next];
      values[next] = null;
      keyContext.key = key;
      keyContext.hash = hash;
      output.process(key, value, times[next++], null);
    }
    if (next == end) {
      next = 0;
      end = 0;
      if (values.length > 1024 * CAPACITY) {
        values = new @Nullable Object[CAPACITY];
        times = new long[CAPACITY];
      }
    }
  }
}
