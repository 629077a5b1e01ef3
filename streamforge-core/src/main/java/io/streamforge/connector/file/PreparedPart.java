package io.streamforge.connector.file;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that waits for its checkpoint, or is still being written.
 *
 * @param task whose file it is
 * @param sequence its number among those of the task
 * @param extension of its name
 * @param attempt the opening of the writer that wrote it; no two have the same
 */
record PreparedPart(int task, long sequence, String extension, long attempt) {
  private static final Pattern HIDDEN =
      Pattern.compile("\\.part-(\\d{1,9})-(\\d{1,18})\\.(.+)\\.(\\d{1,18})\\.uncommitted");

  /** The name by which readers know it. */
  String name() {
    return "part-" + task + "-" + sequence + "." + extension;
  }

  /** The name until then. */
  String hiddenName() {
    return "." + name() + "." + attempt + ".uncommitted";
  }

  /** The part that has this hidden name; null when it is no such name. */
  static @Nullable PreparedPart ofHidden(String name) {
    Matcher match = HIDDEN.matcher(name);
    return match.matches()
        ? new PreparedPart(
            Integer.parseInt(match.group(1)),
            Long.parseLong(match.group(2)),
            match.group(3),
            Long.parseLong(match.group(4)))
        : null;
  }

  /** What a checkpoint keeps: length, blank, hidden name. */
  byte[] content(long length) {
    return (length + " " + hiddenName()).getBytes(StandardCharsets.UTF_8);
  }

  /** A part and how long it has to be. */
  record Sized(PreparedPart part, long length) {
    private static final Pattern CONTENT = Pattern.compile("(\\d{1,18}) (.+)");

    static Sized of(byte[] content) {
      String text = new String(content, StandardCharsets.UTF_8);
      Matcher match = CONTENT.matcher(text);
      PreparedPart part = match.matches() ? ofHidden(match.group(2)) : null;
      if (part == null) {
        throw new IllegalArgumentException("not a committable of a file sink: " + text);
      }
      return new Sized(part, Long.parseLong(match.group(1)));
    }
  }
}
