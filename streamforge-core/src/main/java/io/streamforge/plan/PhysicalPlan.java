package io.streamforge.plan;

import io.streamforge.graph.LogicalGraph;
import java.util.List;

/**
 * How a graph is executed.
 *
 * @param job name of the job
 * @param graph what is executed
 * @param stages in topological order, sources first
 * @param exchanges between stages
 * @param keyGroups number of key groups of the job
 */
public record PhysicalPlan(
    String job, LogicalGraph graph, List<Stage> stages, List<Exchange> exchanges, int keyGroups) {
  public PhysicalPlan {
    stages = List.copyOf(stages);
    exchanges = List.copyOf(exchanges);
  }

  /**
   * The exchanges that a stage reads, in order of their ids; empty for a stage that reads a source.
   */
  public List<Exchange> inputsOf(Stage stage) {
    return exchanges.stream().filter(e -> e.toStage() == stage.id()).toList();
  }

  /** The exchanges that a stage writes, in order of their ids. */
  public List<Exchange> outputsOf(Stage stage) {
    return exchanges.stream().filter(e -> e.fromStage() == stage.id()).toList();
  }
}
