package io.streamforge.operator.window;

import io.streamforge.specialise.Specialised;
import io.streamforge.window.Window;
import io.streamforge.window.Windows;
import org.jspecify.annotations.Nullable;

/**
 * Which windows there are. All of them form one sequence in the order in which they close, by end
 * and then by start; the windows that contain an instant follow each other in it.
 *
 * <p>Slices are what the starts and ends of all windows cut time into, so that each window consists
 * of whole slices; what lies in no window lies in no slice.
 */
@Specialised
public interface WindowAssigner {
  /** For windows that do not depend on the records. */
  static WindowAssigner of(Windows windows) {
    if (windows instanceof Windows.TimeWindows time) {
      return new TimeAssigner(time);
    } else if (windows instanceof Windows.CalendarWindows calendar) {
      return new CalendarAssigner(calendar);
    } else if (windows instanceof Windows.GlobalWindows) {
      return new GlobalAssigner();
    }
    throw new IllegalArgumentException(windows + " follow from the records");
  }

  /** In how many windows an instant lies at most. */
  long overlap();

  /** The slice that contains the instant; null when no window does. */
  @Nullable Window slice(long timestampMillis);

  /** Of the windows that contain the instant the first in the sequence; null when there is none. */
  @Nullable Window first(long timestampMillis);

  /** Of the windows that contain the instant the last in the sequence; null when there is none. */
  @Nullable Window last(long timestampMillis);

  /** The first in the sequence that ends after the watermark; null when time ends before. */
  @Nullable Window endingAfter(long watermark);

  /** The next in the sequence; null when time ends before. */
  @Nullable Window next(Window window);
}
