package io.streamforge.plan;

import io.streamforge.graph.LogicalGraph;

/** Placeholder. */
public final class Explain {
  private final PhysicalPlan plan;

  private Explain(PhysicalPlan plan) {
    this.plan = plan;
  }

  public static Explain of(LogicalGraph graph) {
    return of(graph, 1);
  }

  public static Explain of(LogicalGraph graph, int parallelism) {
    return new Explain(Planner.plan(graph, parallelism, 1024));
  }

  @Override
  public String toString() {
    return plan.toString();
  }
}
