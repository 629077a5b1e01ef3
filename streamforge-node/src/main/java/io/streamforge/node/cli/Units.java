package io.streamforge.node.cli;

import io.streamforge.runtime.task.Rendering;
import java.time.Duration;
import java.util.Locale;

/** Quantities for people. */
final class Units {
  private Units() {}

  /** Such as {@code 512 B} or {@code 1.2 MiB}. */
  static String size(long bytes) {
    return Rendering.size(bytes);
  }

  /** The two largest units, such as {@code 42 s}, {@code 3 min 20 s} or {@code 2 d 5 h}. */
  static String age(Duration age) {
    if (age.toMinutes() == 0) {
      return age.toSeconds() + " s";
    }
    if (age.toHours() == 0) {
      return age.toMinutes() + " min " + age.toSecondsPart() + " s";
    }
    if (age.toDays() == 0) {
      return age.toHours() + " h " + age.toMinutesPart() + " min";
    }
    return age.toDays() + " d " + age.toHoursPart() + " h";
  }

  /** Such as {@code 1 object} or {@code 1,200 objects}. */
  static String count(long count, String one, String more) {
    return number(count) + " " + (count == 1 ? one : more);
  }

  /** Such as {@code 1,200}. */
  static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
