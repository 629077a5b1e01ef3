package io.streamforge.node.state;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoints that a user has named: {@code DIR} or {@code DIR@17}.
 *
 * @param location where they are
 * @param number of one of them; null: it is left open which
 */
public record CheckpointAddress(String location, @Nullable Long number) {
  private static final Pattern NUMBERED = Pattern.compile("(?s)(.+)@(\\d{0,18})");

  /** A location may itself end as a number does: with a further {@code @} it is taken as it is. */
  public static CheckpointAddress parse(String text) {
    Matcher matcher = NUMBERED.matcher(text);
    if (!matcher.matches()) {
      return new CheckpointAddress(text, null);
    }
    String number = matcher.group(2);
    return new CheckpointAddress(matcher.group(1), number.isEmpty() ? null : Long.valueOf(number));
  }

  @Override
  public String toString() {
    return number == null ? location : location + "@" + number;
  }
}
