package io.streamforge.connector.file;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Up to where the files of a task were committed; an empty file whose name says it.
 *
 * @param task whose files
 * @param checkpoint that the last one was prepared for
 * @param sequence of the last one
 */
record CommitMarker(int task, long checkpoint, long sequence) {
  private static final Pattern NAME =
      Pattern.compile("\\.committed-(\\d{1,9})-(\\d{1,19})-(\\d{1,18})");

  String fileName() {
    return ".committed-" + task + "-" + checkpoint + "-" + sequence;
  }

  /** All markers among the names of a directory. */
  static Stream<CommitMarker> in(List<String> names) {
    return names.stream().map(CommitMarker::of).filter(Objects::nonNull);
  }

  private static @Nullable CommitMarker of(String name) {
    Matcher match = NAME.matcher(name);
    return match.matches()
        ? new CommitMarker(
            Integer.parseInt(match.group(1)),
            Long.parseLong(match.group(2)),
            Long.parseLong(match.group(3)))
        : null;
  }

  /** The highest sequence of a task; -1 when nothing was committed. */
  static long sequence(List<String> names, int task) {
    return in(names)
        .filter(marker -> marker.task == task)
        .mapToLong(CommitMarker::sequence)
        .max()
        .orElse(-1);
  }
}
