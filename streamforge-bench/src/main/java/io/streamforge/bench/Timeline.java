package io.streamforge.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * The speed of a job while checkpoints are taken; times in seconds since the beginning.
 *
 * @param samples in the order of time; empty where this was not measured
 */
record Timeline(List<Sample> samples, List<Checkpoint> checkpoints) {
  /**
   * The speed since the sample before.
   *
   * @param recordsPerSecond on average
   */
  record Sample(double seconds, double recordsPerSecond) {}

  /** One that was published. */
  record Checkpoint(double beginSeconds, double endSeconds) {}

  /** Reads lines of a word and two numbers. */
  static Timeline parse(String output) {
    List<Sample> samples = new ArrayList<>();
    List<Checkpoint> checkpoints = new ArrayList<>();
    for (String line : output.lines().toList()) {
      String[] parts = line.strip().split(" ", -1);
      if (parts.length == 3) {
        double first = Double.parseDouble(parts[1]);
        double second = Double.parseDouble(parts[2]);
        switch (parts[0]) {
          case "sample" -> samples.add(new Sample(first, second));
          case "checkpoint" -> checkpoints.add(new Checkpoint(first, second));
          default -> throw new IllegalArgumentException("'" + line + "' is no part of a timeline");
        }
      }
    }
    return new Timeline(samples, checkpoints);
  }

  /** Whether it was measured. */
  boolean measured() {
    return !samples.isEmpty();
  }
}
