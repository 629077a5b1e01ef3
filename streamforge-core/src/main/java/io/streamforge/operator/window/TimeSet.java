package io.streamforge.operator.window;

import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.specialise.Specialised;
import java.util.Arrays;

/** A set of times: few, and mostly added in ascending order. */
@Specialised
public final class TimeSet {
  private long[] times = new long[2];
  private int size;

  /** Nothing yet. */
  public TimeSet() {}

  /** Adds a time; no effect when it is there. */
  public void add(long timeMillis) {
    int at = Arrays.binarySearch(times, 0, size, timeMillis);
    if (at >= 0) {
      return;
    }
    int to = ~at;
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
    }
    System.arraycopy(times, to, times, to + 1, size - to);
    times[to] = timeMillis;
    size++;
  }

  /** Adds all times of the other. */
  public void addAll(TimeSet other) {
    for (int i = 0; i < other.size; i++) {
      add(other.times[i]);
    }
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** All times, ascending. */
  public long[] toArray() {
    return Arrays.copyOf(times, size);
  }

  /** Appends them as a list of longs. */
  void write(ByteWriter output) {
    output.writeListSize(size);
    for (int i = 0; i < size; i++) {
      output.writeSignedVarLong(times[i]);
    }
  }

  /** Reads what {@link #write} has written. */
  static TimeSet read(ByteReader input) {
    TimeSet set = new TimeSet();
    int count = input.readListSize();
    for (int i = 0; i < count; i++) {
      set.add(input.readSignedVarLong());
    }
    return set;
  }

  /** Removes a time; whether it was there. */
  public boolean remove(long timeMillis) {
    int at = Arrays.binarySearch(times, 0, size, timeMillis);
    if (at < 0) {
      return false;
    }
    size--;
    System.arraycopy(times, at + 1, times, at, size - at);
    return true;
  }
}
