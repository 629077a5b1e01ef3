package io.streamforge.runtime.task;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Turns records, causes and quantities into short text for messages. */
public final class Rendering {
  private static final int LIMIT = 200;

  private static final long MINUTES_FROM_MILLIS = 120_000;

  private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

  private Rendering() {}

  /** The object's text, shortened; never throws. */
  public static String shortened(Object object) {
    String text;
    try {
      text = String.valueOf(object);
    } catch (RuntimeException | StackOverflowError e) {
      // Not with the message of e: what fails here may fail there, too.
      text = object.getClass().getName() + " whose toString fails with " + e.getClass().getName();
    }
    return text.length() <= LIMIT
        ? text
        : text.substring(0, LIMIT) + "… (" + text.length() + " characters)";
  }

  /** The throwable in one line. */
  public static String cause(Throwable failure) {
    String name = failure.getClass().getSimpleName();
    String message;
    try {
      message = failure.getMessage();
    } catch (RuntimeException e) {
      return name;
    }
    return message == null ? name : name + ": " + message;
  }

  /** A duration, as {@code 840 ms}, {@code 12.3 s} or {@code 12 min 5 s}. */
  public static String duration(long nanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < MINUTES_FROM_MILLIS) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }
    long seconds = Math.round(millis / 1e3);
    return seconds / 60 + " min " + seconds % 60 + " s";
  }

  /** A number of bytes, as {@code 512 B} or {@code 1.2 MiB}. */
  public static String size(long bytes) {
    double amount = bytes;
    int unit = 0;
    // What would be shown as 1024.0 is one of the next unit.
    while (amount >= (unit == 0 ? 1024 : 1023.95)) {
      amount /= 1024;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", amount, SIZES[unit]);
  }

  /** How many bytes a second, as {@code 20.0 MiB/s}. */
  public static String rate(long bytes, long nanos) {
    return size((long) (bytes * 1e9 / Math.max(1, nanos))) + "/s";
  }
}
