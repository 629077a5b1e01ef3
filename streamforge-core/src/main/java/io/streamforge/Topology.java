package io.streamforge;

import io.streamforge.graph.LogicalGraph;
import io.streamforge.plan.Explain;
import java.util.Objects;

/**
 * What a job computes: sources, operators and sinks, every one of them named. Immutable data; an
 * engine runs it, and {@link #explain()} shows how.
 *
 * <pre>{@code
 * Topology topology = Topology.builder("wordcount")
 *     .source("lines", FileSource.lines(path))
 *     .flatMapValues("split", line -> words(line))
 *     .groupBy("word", (key, word) -> word)
 *     .count("counter")
 *     .sink("output", Sinks.stdout())
 *     .build();
 * }</pre>
 */
public final class Topology {
  private final LogicalGraph graph;

  Topology(LogicalGraph graph) {
    this.graph = Objects.requireNonNull(graph);
  }

  /** Begins a topology. */
  public static TopologyBuilder builder(String name) {
    return new TopologyBuilder(name);
  }

  /** Its name, which is also that of a job that runs it unless the engine is told another. */
  public String name() {
    return graph.name();
  }

  /** The nodes. */
  public LogicalGraph graph() {
    return graph;
  }

  /** How it is executed, whatever the parallelism, which is shown as {@code P}. */
  public Explain explain() {
    return Explain.of(graph);
  }

  /** How it is executed with this parallelism. */
  public Explain explain(int parallelism) {
    return Explain.of(graph, parallelism);
  }

  @Override
  public String toString() {
    return "topology '" + name() + "'";
  }
}
