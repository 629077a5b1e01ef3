package io.streamforge.window;

import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * How event time is cut into windows. The factories accept any duration; {@code
 * Topology.Builder.build()} reports those that make no sense, with the node's name.
 */
public sealed interface Windows
    permits Windows.TimeWindows,
        Windows.SessionWindows,
        Windows.CalendarWindows,
        Windows.GlobalWindows {

  /** Windows of one size that follow each other without gap; starts are multiples of the size. */
  static TimeWindows tumbling(Duration size) {
    return new TimeWindows(size, size, Duration.ZERO);
  }

  /**
   * Windows of one size of which a new one starts at every multiple of {@code slide}. They overlap
   * when the slide is smaller than the size, and leave gaps when it is larger: records in a gap are
   * counted as dropped.
   */
  static TimeWindows sliding(Duration size, Duration slide) {
    return new TimeWindows(size, slide, Duration.ZERO);
  }

  /** Another name of {@link #sliding}. */
  static TimeWindows hopping(Duration size, Duration advance) {
    return sliding(size, advance);
  }

  /**
   * Windows that span records of a key as long as each is less than {@code gap} away from the next.
   */
  static SessionWindows session(Duration gap) {
    return new SessionWindows(gap);
  }

  /** Calendar days of a time zone; 23 or 25 hours long where daylight saving begins or ends. */
  static CalendarWindows days(ZoneId zone) {
    return new CalendarWindows(CalendarUnit.DAY, zone);
  }

  /** Calendar weeks of a time zone, from Monday on (ISO 8601). */
  static CalendarWindows weeks(ZoneId zone) {
    return new CalendarWindows(CalendarUnit.WEEK, zone);
  }

  /** Calendar months of a time zone. */
  static CalendarWindows months(ZoneId zone) {
    return new CalendarWindows(CalendarUnit.MONTH, zone);
  }

  /** One window that holds everything and closes when all input has ended. */
  static GlobalWindows global() {
    return new GlobalWindows();
  }

  /**
   * Tumbling or sliding windows.
   *
   * @param size length of each window
   * @param slide distance of their starts
   * @param offset added to all starts
   */
  record TimeWindows(Duration size, Duration slide, Duration offset) implements Windows {
    /** The same windows, shifted; may be negative. */
    public TimeWindows offset(Duration offset) {
      return new TimeWindows(size, slide, offset);
    }

    /** Whether the windows follow each other without overlap or gap. */
    public boolean tumbling() {
      return size.equals(slide);
    }

    @Override
    public String toString() {
      return (tumbling()
              ? "tumbling " + text(size)
              : "sliding " + text(size) + " by " + text(slide))
          + (offset.isZero() ? "" : " offset " + text(offset));
    }
  }

  /** Session windows. */
  record SessionWindows(Duration gap) implements Windows {
    @Override
    public String toString() {
      return "session gap " + text(gap);
    }
  }

  /** A unit of the calendar. */
  enum CalendarUnit {
    DAY,
    WEEK,
    MONTH
  }

  /** Calendar windows. */
  record CalendarWindows(CalendarUnit unit, ZoneId zone) implements Windows {
    @Override
    public String toString() {
      return "calendar " + unit.name().toLowerCase(java.util.Locale.ROOT) + " in " + zone;
    }
  }

  /** The global window. */
  record GlobalWindows() implements Windows {
    @Override
    public String toString() {
      return "global";
    }
  }

  /** A duration as people write it: {@code 90s} rather than {@code PT1M30S}. */
  static String text(@Nullable Duration duration) {
    if (duration == null) {
      return "none";
    }
    String[] units = {"d", "h", "min", "s"};
    long[] millis = {86_400_000, 3_600_000, 60_000, 1_000};
    long value;
    try {
      value = duration.toMillis();
    } catch (ArithmeticException e) {
      return duration.toString();
    }
    for (int i = 0; i < units.length; i++) {
      if (value != 0 && value % millis[i] == 0) {
        return value / millis[i] + units[i];
      }
    }
    return value + "ms";
  }
}
