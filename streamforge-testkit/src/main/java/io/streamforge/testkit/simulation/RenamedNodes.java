package io.streamforge.testkit.simulation;

import io.streamforge.error.ErrorPolicy;
import io.streamforge.graph.ErrorPolicies;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.NodeVisitor;
import io.streamforge.graph.Port;
import io.streamforge.graph.TypeHint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Gives all nodes of a graph the names that they have in one of its versions. */
final class RenamedNodes implements NodeVisitor<Node> {
  private final int version;

  private RenamedNodes(int version) {
    this.version = version;
  }

  /**
   * The graph in its version 0 is itself; each later one says what its nodes were called before.
   */
  static LogicalGraph of(LogicalGraph graph, int version) {
    if (version == 0) {
      return graph;
    }
    RenamedNodes names = new RenamedNodes(version);
    Map<Port, TypeHint> hints = new HashMap<>();
    graph.hints().forEach((port, hint) -> hints.put(names.of(port), hint));
    Map<String, List<String>> previously = new HashMap<>();
    for (Node node : graph.nodes()) {
      if (node.name().indexOf('/') < 0) {
        List<String> before = new ArrayList<>(graph.renaming().ofNode(node.name()));
        IntStream.range(0, version).forEach(v -> before.add(new RenamedNodes(v).of(node)));
        previously.put(names.of(node), before);
      }
    }
    Map<String, ErrorPolicy> policies = new LinkedHashMap<>();
    graph.policies().ofNodes().forEach((node, policy) -> policies.put(names.of(node), policy));
    return LogicalGraph.of(
        graph.name(),
        graph.nodes().stream().map(node -> node.accept(names)).toList(),
        hints,
        previously,
        new ErrorPolicies(graph.policies().ofJob(), policies));
  }

  private String of(Node node) {
    return of(node.name());
  }

  /** What is derived of a node stands behind its name. */
  private String of(String name) {
    if (version == 0) {
      return name;
    }
    int end = name.indexOf('/');
    return end < 0
        ? name + ".v" + version
        : name.substring(0, end) + ".v" + version + name.substring(end);
  }

  private Port of(Port port) {
    return new Port(of(port.node()), port.output());
  }

  @Override
  public Node source(Node.SourceNode node) {
    return new Node.SourceNode(of(node), node.source(), node.options());
  }

  @Override
  public Node map(Node.MapNode node) {
    return new Node.MapNode(of(node), of(node.input()), node.mapper());
  }

  @Override
  public Node mapValues(Node.MapValuesNode node) {
    return new Node.MapValuesNode(of(node), of(node.input()), node.mapper(), node.keyedMapper());
  }

  @Override
  public Node selectKey(Node.SelectKeyNode node) {
    return new Node.SelectKeyNode(of(node), of(node.input()), node.selector());
  }

  @Override
  public Node filter(Node.FilterNode node) {
    return new Node.FilterNode(of(node), of(node.input()), node.predicate(), node.negated());
  }

  @Override
  public Node peek(Node.PeekNode node) {
    return new Node.PeekNode(of(node), of(node.input()), node.action());
  }

  @Override
  public Node flatMap(Node.FlatMapNode node) {
    return new Node.FlatMapNode(of(node), of(node.input()), node.mapper());
  }

  @Override
  public Node merge(Node.MergeNode node) {
    return new Node.MergeNode(of(node), node.inputs().stream().map(this::of).toList());
  }

  @Override
  public Node branch(Node.BranchNode node) {
    return new Node.BranchNode(of(node), of(node.input()), node.branches());
  }

  @Override
  public Node groupBy(Node.GroupByNode node) {
    return new Node.GroupByNode(of(node), of(node.input()), node.selector());
  }

  @Override
  public Node rebalance(Node.RebalanceNode node) {
    return new Node.RebalanceNode(of(node), of(node.input()));
  }

  @Override
  public Node process(Node.ProcessNode node) {
    return new Node.ProcessNode(of(node), of(node.input()), node.supplier());
  }

  @Override
  public Node aggregate(Node.AggregateNode node) {
    return new Node.AggregateNode(of(node), of(node.input()), node.aggregation());
  }

  @Override
  public Node window(Node.WindowNode node) {
    return new Node.WindowNode(of(node), of(node.input()), node.windowing(), node.aggregation());
  }

  @Override
  public Node table(Node.TableNode node) {
    return new Node.TableNode(of(node), of(node.input()), node.operation());
  }

  @Override
  public Node join(Node.JoinNode node) {
    return new Node.JoinNode(
        of(node),
        of(node.left()),
        of(node.right()),
        node.kind(),
        node.matching(),
        node.allowedLateness(),
        node.lateLeft(),
        node.lateRight(),
        node.joiner());
  }

  @Override
  public Node sink(Node.SinkNode node) {
    return new Node.SinkNode(of(node), of(node.input()), node.sink());
  }
}
