package io.streamforge.bench;

import java.util.Locale;
import java.util.stream.Collectors;

/** The speed over time as a line, and checkpoints as bands behind it. */
final class CheckpointChart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 340;
  private static final int LEFT = 50;
  private static final int RIGHT = WIDTH - 20;
  private static final int TOP = 64;
  private static final int BOTTOM = HEIGHT - 36;
  private static final String LINE = "#d1495b";
  private static final String BAND = "#dce6f4";

  private final Timeline timeline;
  private final double seconds;
  private final double highest;

  private CheckpointChart(Timeline timeline) {
    this.timeline = timeline;
    this.seconds = timeline.samples().get(timeline.samples().size() - 1).seconds();
    double fastest =
        timeline.samples().stream().mapToDouble(Timeline.Sample::recordsPerSecond).max().orElse(0);
    this.highest = Math.max(1, Math.ceil(fastest / 5e6)) * 5e6;
  }

  /** As an SVG document; of a timeline that was measured. */
  static String of(String workload, Timeline timeline) {
    return new CheckpointChart(timeline).draw(workload);
  }

  private String draw(String workload) {
    Drawing drawing =
        new Drawing(
            WIDTH,
            HEIGHT,
            "Throughput over time with checkpoints",
            workload + ": records a second over time, in millions");
    drawing.legend(LEFT, LINE, "each tenth of a second");
    drawing.legend(LEFT + 190, BAND, "a checkpoint, from its beginning until it is published");
    for (Timeline.Checkpoint checkpoint : timeline.checkpoints()) {
      double from = x(checkpoint.beginSeconds());
      drawing.add(
          "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
          from, TOP, Math.max(1, x(checkpoint.endSeconds()) - from), BOTTOM - TOP, BAND);
    }
    for (double speed = 0; speed <= highest; speed += highest / 5) {
      drawing.row(y(speed), LEFT, RIGHT, String.format(Locale.ROOT, "%.0f", speed / 1e6));
    }
    for (int second = 0; second <= seconds; second += 5) {
      drawing.column(x(second), TOP, BOTTOM, second + " s");
    }
    drawing.add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>",
        timeline.samples().stream()
            .map(
                sample ->
                    String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        x(sample.seconds()),
                        y(sample.recordsPerSecond())))
            .collect(Collectors.joining(" ")),
        LINE);
    return drawing.end();
  }

  private double x(double second) {
    return LEFT + second / seconds * (RIGHT - LEFT);
  }

  private double y(double recordsPerSecond) {
    return BOTTOM - recordsPerSecond / highest * (BOTTOM - TOP);
  }
}
