package io.streamforge.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job at one moment.
 *
 * @param job its name
 * @param nodes in topological order
 * @param tasks in the order of stages and indices
 * @param checkpoints null in a job without
 */
public record JobMetrics(
    String job,
    List<NodeMetrics> nodes,
    List<TaskMetrics> tasks,
    @Nullable CheckpointMetrics checkpoints) {
  public JobMetrics {
    nodes = List.copyOf(nodes);
    tasks = List.copyOf(tasks);
  }

  /**
   * The books of a node.
   *
   * @throws IllegalArgumentException when there is no such node
   */
  public NodeMetrics node(String name) {
    return nodes.stream()
        .filter(node -> node.node().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no node '" + name + "' in " + job));
  }
}
