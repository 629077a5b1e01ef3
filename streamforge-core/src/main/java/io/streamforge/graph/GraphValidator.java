package io.streamforge.graph;

import java.util.List;

/** Placeholder. */
final class GraphValidator {
  private GraphValidator() {}

  static List<Problem> problems(LogicalGraph graph) {
    return List.of();
  }
}
