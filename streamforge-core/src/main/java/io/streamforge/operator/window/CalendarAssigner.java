package io.streamforge.operator.window;

import io.streamforge.record.Timestamps;
import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import org.jspecify.annotations.Nullable;

/**
 * Days, weeks and months of a zone. Each lasts from the first instant of its first day to that of
 * the next one's, so they cover time without overlap also where clocks are put back across
 * midnight: what the clock shows then is the day before, once more, but the new day has begun.
 */
@Specialised
final class CalendarAssigner implements WindowAssigner {
  private final ZoneId zone;
  private final ChronoUnit unit;
  private Window latest;

  CalendarAssigner(Windows.CalendarWindows windows) {
    zone = windows.zone();
    unit =
        switch (windows.unit()) {
          case DAY -> ChronoUnit.DAYS;
          case WEEK -> ChronoUnit.WEEKS;
          case MONTH -> ChronoUnit.MONTHS;
        };
    latest = find(0);
  }

  private Window find(long timestampMillis) {
    LocalDate date = Instant.ofEpochMilli(timestampMillis).atZone(zone).toLocalDate();
    LocalDate first =
        unit == ChronoUnit.WEEKS
            ? date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY))
            : unit == ChronoUnit.MONTHS ? date.withDayOfMonth(1) : date;
    while (timestampMillis < start(first)) {
      first = first.minus(1, unit);
    }
    LocalDate next = first.plus(1, unit);
    while (timestampMillis >= start(next)) {
      first = next;
      next = first.plus(1, unit);
    }
    return new Window(start(first), start(next));
  }

  private long start(LocalDate date) {
    Instant instant = date.atStartOfDay(zone).toInstant();
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException beyondTheAxis) {
      return instant.getEpochSecond() < 0 ? Timestamps.MIN : Timestamps.MAX;
    }
  }

  private Window of(long timestampMillis) {
    if (!latest.contains(timestampMillis)) {
      latest = find(timestampMillis);
    }
    return latest;
  }

  @Override
  public long overlap() {
    return 1;
  }

  @Override
  public Window slice(long timestampMillis) {
    return of(timestampMillis);
  }

  @Override
  public Window first(long timestampMillis) {
    return of(timestampMillis);
  }

  @Override
  public Window last(long timestampMillis) {
    return of(timestampMillis);
  }

  @Override
  public @Nullable Window endingAfter(long watermark) {
    return watermark < Timestamps.MAX ? of(watermark) : null;
  }

  @Override
  public @Nullable Window next(Window window) {
    return endingAfter(window.endMillis());
  }
}
