package io.streamforge.testkit.model;

import io.streamforge.record.Timestamps;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Which windows contain an instant, by trying all that could. */
public final class ModelWindows {
  private ModelWindows() {}

  /** The windows, in the order in which they close. */
  public static List<Window> containing(Windows windows, long timestampMillis) {
    if (windows instanceof Windows.TimeWindows time) {
      return time(time, timestampMillis);
    } else if (windows instanceof Windows.CalendarWindows calendar) {
      return List.of(calendar(calendar, timestampMillis));
    } else if (windows instanceof Windows.GlobalWindows) {
      return List.of(new Window(Timestamps.MIN, Timestamps.MAX));
    }
    throw new IllegalArgumentException(windows.toString());
  }

  private static List<Window> time(Windows.TimeWindows windows, long timestampMillis) {
    BigInteger size = BigInteger.valueOf(windows.size().toMillis());
    BigInteger slide = BigInteger.valueOf(windows.slide().toMillis());
    BigInteger offset = BigInteger.valueOf(windows.offset().toMillis());
    BigInteger instant = BigInteger.valueOf(timestampMillis);
    BigInteger k = instant.subtract(size).subtract(offset).divide(slide).subtract(BigInteger.TWO);
    List<Window> result = new ArrayList<>();
    while (true) {
      BigInteger start = k.multiply(slide).add(offset);
      BigInteger end = start.add(size);
      if (start.compareTo(instant) > 0) {
        return result;
      }
      if (end.compareTo(instant) > 0) {
        result.add(new Window(clamp(start), clamp(end)));
      }
      k = k.add(BigInteger.ONE);
    }
  }

  private static long clamp(BigInteger millis) {
    return millis
        .max(BigInteger.valueOf(Timestamps.MIN))
        .min(BigInteger.valueOf(Timestamps.MAX))
        .longValueExact();
  }

  /**
   * Where the slice of an instant starts: the last instant up to it at which some window starts or
   * ends. Not for instants whose windows are clamped.
   */
  public static long sliceStart(Windows windows, long timestampMillis) {
    if (!(windows instanceof Windows.TimeWindows time)) {
      return containing(windows, timestampMillis).get(0).startMillis();
    }
    TreeSet<Long> cuts = new TreeSet<>();
    for (Window window : time(time, timestampMillis)) {
      cuts.add(window.startMillis());
    }
    long slide = time.slide().toMillis();
    long size = time.size().toMillis();
    // Windows that end at or before the instant: those that start up to `size` before, and earlier.
    Window first = time(time, timestampMillis).get(0);
    for (long start = first.startMillis(); start > first.startMillis() - 2 * slide; ) {
      start -= slide;
      cuts.add(start + size);
    }
    Long cut = cuts.floor(timestampMillis);
    return cut == null ? Timestamps.MIN : cut;
  }

  /** Walks over all first days of the unit around the instant. */
  private static Window calendar(Windows.CalendarWindows windows, long timestampMillis) {
    ZoneId zone = windows.zone();
    LocalDate date = LocalDate.ofInstant(Instant.ofEpochMilli(timestampMillis), zone).plusDays(40);
    long end = Long.MAX_VALUE;
    while (true) {
      boolean first =
          switch (windows.unit()) {
            case DAY -> true;
            case WEEK -> date.getDayOfWeek() == DayOfWeek.MONDAY;
            case MONTH -> date.getDayOfMonth() == 1;
          };
      if (first) {
        long start = date.atStartOfDay(zone).toInstant().toEpochMilli();
        if (start <= timestampMillis) {
          return new Window(start, end);
        }
        end = start;
      }
      date = date.minusDays(1);
    }
  }
}
