package io.streamforge.operator.join;

import io.streamforge.specialise.Specialised;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one side of a join and one key, in the order of time, and of arrival where that is equal.
 */
// In the middle of three arrays, so that both a new last and the removal of the first are cheap.
@Specialised
public final class Rows {
  private long[] times = new long[2];
  private @Nullable Object[] values = new @Nullable Object[2];
  private boolean[] matched = new boolean[2];
  private int first;
  private int end;

  /** No rows. */
  public Rows() {}

  /** How many. */
  public int size() {
    return end - first;
  }

  /** Time of a row, counted from 0. */
  public long time(int index) {
    return times[first + index];
  }

  /** Value of a row. */
  public @Nullable Object value(int index) {
    return values[first + index];
  }

  /** Whether a partner of the row has come. */
  public boolean matched(int index) {
    return matched[first + index];
  }

  /** A partner of the row has come. */
  public void match(int index) {
    matched[first + index] = true;
  }

  /**
   * Index of the first row that is not before an instant; the number of rows when there is none.
   */
  public int from(long timeMillis) {
    int low = first;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[middle] < timeMillis) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - first;
  }

  /** Index of the first row behind an instant; the number of rows when there is none. */
  public int behind(long timeMillis) {
    return timeMillis == Long.MAX_VALUE ? size() : from(timeMillis + 1);
  }

  /** Adds a row behind all of its time. */
  public void add(long timeMillis, @Nullable Object value, boolean isMatched) {
    if (end == times.length) {
      makeRoom();
    }
    int at = end == first || times[end - 1] <= timeMillis ? end : first + behind(timeMillis);
    int later = end - at;
    System.arraycopy(times, at, times, at + 1, later);
    System.arraycopy(values, at, values, at + 1, later);
    System.arraycopy(matched, at, matched, at + 1, later);
    times[at] = timeMillis;
    values[at] = value;
    matched[at] = isMatched;
    end++;
  }

  private void makeRoom() {
    int size = size();
    int capacity = first > times.length / 2 ? times.length : times.length * 2;
    long[] newTimes = new long[capacity];
    @Nullable Object[] newValues = new @Nullable Object[capacity];
    boolean[] newMatched = new boolean[capacity];
    System.arraycopy(times, first, newTimes, 0, size);
    System.arraycopy(values, first, newValues, 0, size);
    System.arraycopy(matched, first, newMatched, 0, size);
    times = newTimes;
    values = newValues;
    matched = newMatched;
    first = 0;
    end = size;
  }

  /** Removes the first rows. */
  public void removeFirst(int count) {
    Arrays.fill(values, first, first + count, null);
    first += count;
    if (first == end) {
      first = 0;
      end = 0;
    }
  }

  /** Adds all rows of another side; those of equal time behind these. */
  public void addAll(Rows others) {
    for (int i = 0; i < others.size(); i++) {
      add(others.time(i), others.value(i), others.matched(i));
    }
  }
}
