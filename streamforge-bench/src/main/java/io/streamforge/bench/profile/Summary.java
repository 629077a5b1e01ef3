package io.streamforge.bench.profile;

import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

/** A profile as text. */
final class Summary {
  private static final int LINES = 25;

  private final StringBuilder text = new StringBuilder();

  private Summary() {}

  static String of(String title, Samples samples, double recordsPerSecond, double seconds) {
    Summary summary = new Summary();
    summary.line("%s", title);
    summary.line("%.2f million records a second while recording", recordsPerSecond / 1e6);
    summary.line(
        "%d garbage collections, %.1f ms of pauses, %.2f %% of the time",
        samples.collections(), samples.pauseNanos() / 1e6, samples.pauseNanos() / 1e7 / seconds);
    long all = samples.root().samples();
    summary.top("methods on top of the stack, % of " + all + " samples", samples.own(), all);
    summary.top("methods anywhere on the stack", samples.anywhere(), all);
    long bytes = samples.allocated().values().stream().mapToLong(Long::longValue).sum();
    summary.top(
        String.format(
            Locale.ROOT,
            "allocation by class, %% of %.0f MB/s, %.1f bytes a record",
            bytes / seconds / 1e6,
            bytes / seconds / recordsPerSecond),
        samples.allocated(),
        bytes);
    return summary.text.toString();
  }

  private void line(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private void top(String title, Map<String, Long> counts, long all) {
    line("");
    line("%s", title);
    counts.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(LINES)
        .forEach(entry -> line("%6.2f  %s", 100.0 * entry.getValue() / all, entry.getKey()));
  }
}
