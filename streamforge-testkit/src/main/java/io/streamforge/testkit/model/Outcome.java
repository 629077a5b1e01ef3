package io.streamforge.testkit.model;

import java.util.List;

/**
 * What a model says about a run.
 *
 * @param emitted all that must be emitted, late records included
 * @param processed how many records must be counted as processed
 * @param late how many as late
 * @param dropped how many as dropped
 */
public record Outcome(List<Expected> emitted, long processed, long late, long dropped) {
  /** With a list of its own. */
  public Outcome {
    emitted = List.copyOf(emitted);
  }
}
