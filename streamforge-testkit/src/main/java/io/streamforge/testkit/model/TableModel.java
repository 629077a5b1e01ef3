package io.streamforge.testkit.model;

import io.streamforge.record.Change;
import io.streamforge.record.Timestamps;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a table must have: keeps every update that it has taken, and looks at all of them anew. */
public final class TableModel {
  /**
   * An update.
   *
   * @param number of its arrival
   */
  public record Update(int number, String key, @Nullable Object value, long timeMillis) {}

  private static final Comparator<Update> BY_TIME =
      Comparator.comparingLong(Update::timeMillis).thenComparingInt(Update::number);

  private final boolean byTime;
  private final long latenessMillis;
  private final List<Update> updates = new ArrayList<>();

  /**
   * An empty table.
   *
   * @param byTime whether timestamps decide which update is newer, or the order of arrival
   */
  public TableModel(boolean byTime, long latenessMillis) {
    this.byTime = byTime;
    this.latenessMillis = latenessMillis;
  }

  /** A table for which nothing is late, and which forgets nothing. */
  public static TableModel remembering() {
    return new TableModel(true, Long.MAX_VALUE);
  }

  /** Takes an update; what it has changed, or null when it is late. */
  public @Nullable Change<Object> take(
      String key, @Nullable Object value, long timeMillis, long watermark) {
    long horizon = horizon(watermark, latenessMillis);
    Update newest = newest(key);
    boolean unknown = newest == null || (newest.value == null && newest.timeMillis <= horizon);
    if (byTime && unknown && timeMillis < horizon) {
      return null;
    }
    updates.add(new Update(updates.size(), key, value, timeMillis));
    if (byTime && newest != null && timeMillis < newest.timeMillis) {
      return Change.behind(value);
    }
    return Change.of(newest == null ? null : newest.value, value);
  }

  /** What comes with an earlier time is late. */
  static long horizon(long watermark, long latenessMillis) {
    return watermark == Timestamps.MAX ? watermark : Timestamps.minus(watermark, latenessMillis);
  }

  private @Nullable Update newest(String key) {
    return updates.stream()
        .filter(update -> update.key.equals(key))
        .max(byTime ? BY_TIME : Comparator.comparingInt(Update::number))
        .orElse(null);
  }

  /** The row of a key now; null: none. */
  public @Nullable Object row(String key) {
    Update newest = newest(key);
    return newest == null ? null : newest.value;
  }

  /** All rows. */
  public Map<String, Object> rows() {
    Map<String, Object> rows = new TreeMap<>();
    for (Update update : updates) {
      Object row = row(update.key);
      if (row != null) {
        rows.put(update.key, row);
      }
    }
    return rows;
  }

  /** What a key had at a time, going by these updates. */
  public static @Nullable Object asOf(List<Update> updates, String key, long timeMillis) {
    return updates.stream()
        .filter(update -> update.key.equals(key) && update.timeMillis <= timeMillis)
        .max(BY_TIME)
        .map(Update::value)
        .orElse(null);
  }
}
