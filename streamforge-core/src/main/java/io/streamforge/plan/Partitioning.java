package io.streamforge.plan;

import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.NodeVisitor;
import io.streamforge.graph.Port;
import java.util.HashMap;
import java.util.Map;

/**
 * For each output of a graph whether all records of a key are already in one task, and since or
 * until which node.
 */
final class Partitioning implements NodeVisitor<Partitioning.Property> {
  /**
   * What is known of an output.
   *
   * @param byKey whether records of a key are together
   * @param because since which node they are, or why they are not, as a clause
   */
  record Property(boolean byKey, String because) {}

  private static final Property UNKNOWN = new Property(false, "nothing is known of the stream");

  private final LogicalGraph graph;
  private final Map<Port, Property> properties = new HashMap<>();

  private Partitioning(LogicalGraph graph) {
    this.graph = graph;
  }

  static Partitioning of(LogicalGraph graph) {
    Partitioning partitioning = new Partitioning(graph);
    for (Node node : graph.topological()) {
      Property property = node.accept(partitioning);
      for (Port output : graph.outputs(node)) {
        partitioning.properties.put(output, property);
      }
    }
    return partitioning;
  }

  Property of(Port port) {
    return properties.getOrDefault(port, UNKNOWN);
  }

  /** Whether a node that groups has to exchange its output. */
  boolean exchanged(Node.GroupByNode node) {
    return node.selector() != null || !of(node.input()).byKey();
  }

  private Property kept(Node node) {
    return of(node.inputs().get(0));
  }

  private static Property lost(String because) {
    return new Property(false, because);
  }

  @Override
  public Property source(Node.SourceNode node) {
    return lost("source '" + node.name() + "' is not partitioned by key");
  }

  @Override
  public Property map(Node.MapNode node) {
    return lost("map '" + node.name() + "' may change keys");
  }

  @Override
  public Property mapValues(Node.MapValuesNode node) {
    return kept(node);
  }

  @Override
  public Property selectKey(Node.SelectKeyNode node) {
    return lost("selectKey '" + node.name() + "' changes keys");
  }

  @Override
  public Property filter(Node.FilterNode node) {
    return kept(node);
  }

  @Override
  public Property peek(Node.PeekNode node) {
    return kept(node);
  }

  @Override
  public Property flatMap(Node.FlatMapNode node) {
    return node.mapper().keepsKey()
        ? kept(node)
        : lost("flatMap '" + node.name() + "' may change keys");
  }

  @Override
  public Property merge(Node.MergeNode node) {
    for (Port input : node.inputs()) {
      if (!of(input).byKey()) {
        return lost("of what merge '" + node.name() + "' joins, " + of(input).because());
      }
    }
    return (node.inputs().isEmpty()
        ? UNKNOWN
        : new Property(true, "all that merge '" + node.name() + "' joins is"));
  }

  @Override
  public Property branch(Node.BranchNode node) {
    return kept(node);
  }

  @Override
  public Property groupBy(Node.GroupByNode node) {
    return exchanged(node) ? new Property(true, "since '" + node.name() + "'") : kept(node);
  }

  @Override
  public Property rebalance(Node.RebalanceNode node) {
    return lost("rebalance '" + node.name() + "' spreads records whatever their keys");
  }

  @Override
  public Property process(Node.ProcessNode node) {
    return lost("process '" + node.name() + "' may emit other keys");
  }

  @Override
  public Property aggregate(Node.AggregateNode node) {
    return kept(node);
  }

  @Override
  public Property window(Node.WindowNode node) {
    return kept(node);
  }

  @Override
  public Property table(Node.TableNode node) {
    return node.operation() instanceof Node.TableOperation.GroupBy
        ? new Property(true, "since '" + node.name() + "'")
        : kept(node);
  }

  @Override
  public Property join(Node.JoinNode node) {
    return kept(node);
  }

  @Override
  public Property sink(Node.SinkNode node) {
    return UNKNOWN;
  }
}
