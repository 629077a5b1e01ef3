package io.streamforge.plan;

import java.util.List;

/**
 * A maximal set of connected nodes without an exchange between them; runs as {@code parallelism}
 * tasks.
 *
 * @param id its place in the plan, from 0 on
 * @param nodes names in topological order; the first is the source of a stage that reads one
 * @param parallelism number of tasks
 */
public record Stage(int id, List<String> nodes, int parallelism) {
  public Stage {
    nodes = List.copyOf(nodes);
  }
}
