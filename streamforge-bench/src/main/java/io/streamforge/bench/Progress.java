package io.streamforge.bench;

import java.util.Locale;
import java.util.stream.Collectors;

/** Tells on standard error what has been measured and how long the rest will take. */
final class Progress {
  private final int planned;
  private final long startNanos = System.nanoTime();
  private int done;

  Progress(int planned) {
    this.planned = planned;
  }

  /** One more is done. */
  void done(String run, Case measured, Run result) {
    done++;
    double left = (System.nanoTime() - startNanos) / 1e9 / done * (planned - done);
    System.err.printf(
        Locale.ROOT,
        "%s  %-26s %8.2f M/s  %s  about %d:%02d left%n",
        run,
        measured,
        result.recordsPerSecond() / 1e6,
        result.measures().entrySet().stream()
            .filter(measure -> !measure.getKey().equals(Row.RECORDS_PER_SECOND))
            .map(
                measure ->
                    String.format(Locale.ROOT, "%s %.3f", measure.getKey(), measure.getValue()))
            .collect(Collectors.joining(", ")),
        Math.round(left) / 60,
        Math.round(left) % 60);
  }
}
