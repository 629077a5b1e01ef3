package io.streamforge;

import io.streamforge.error.ErrorPolicy;
import io.streamforge.graph.ErrorPolicies;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.graph.Problem;
import io.streamforge.graph.TopologyInvalidException;
import io.streamforge.graph.TypeHint;
import io.streamforge.source.Source;
import io.streamforge.source.SourceOptions;
import io.streamforge.time.WatermarkStrategy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Collects the nodes of a topology. Every stream that comes from it belongs to it, and every sink
 * leads back to it. What is wrong is not reported before {@link #build}, which reports all of it at
 * once. Not thread-safe.
 */
public final class TopologyBuilder {
  private final String name;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Port, TypeHint> hints = new LinkedHashMap<>();
  private final Map<Port, Node.GroupByNode> byKey = new LinkedHashMap<>();
  private final Map<String, List<String>> previously = new LinkedHashMap<>();
  private final Map<String, ErrorPolicy> policies = new LinkedHashMap<>();
  private ErrorPolicy policy = ErrorPolicy.fail();
  private final List<Problem> problems = new ArrayList<>();

  TopologyBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /** A source without event time, read as fast as possible. */
  public <K, V> Stream<K, V> source(String name, Source<K, V> source) {
    return source(name, source, SourceOptions.defaults());
  }

  /** A source with event time, read as fast as possible. */
  public <K, V> Stream<K, V> source(
      String name, Source<K, V> source, WatermarkStrategy<K, V> watermarks) {
    return source(name, source, SourceOptions.watermarks(watermarks));
  }

  /** A source. */
  public <K, V> Stream<K, V> source(String name, Source<K, V> source, SourceOptions<K, V> options) {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(options, "options");
    return new Stream<>(this, add(new Node.SourceNode(name, source, options)));
  }

  /** A table of the records of a source without event time: what comes later is newer. */
  public <K, V> Table<K, V> table(String name, Source<K, V> source) {
    return table(name, source, SourceOptions.defaults());
  }

  /** A table of the records of a source with event time. */
  public <K, V> Table<K, V> table(
      String name, Source<K, V> source, WatermarkStrategy<K, V> watermarks) {
    return table(name, source, SourceOptions.watermarks(watermarks));
  }

  /**
   * A table of the records of a source: {@code source(name, ...)}, {@code groupByKey()} and {@link
   * KeyedStream#toTable(String)}. The table itself, which has the state, is named {@code
   * name/table}.
   */
  public <K, V> Table<K, V> table(String name, Source<K, V> source, SourceOptions<K, V> options) {
    return source(name, source, options).groupByKey().toTable(name + "/" + LogicalGraph.TABLE);
  }

  /**
   * Says that a node had another name: what a checkpoint has under that one is restored, its state,
   * positions, and output that waits to be committed. Called again for a node, it adds a further
   * name. It may stay when there are checkpoints with the new name; a checkpoint that has both is
   * refused.
   *
   * @param node a node of this topology, declared before or behind this call
   * @param oldName no node of this topology is called so
   */
  public TopologyBuilder previously(String node, String oldName) {
    Objects.requireNonNull(oldName, "oldName");
    previously
        .computeIfAbsent(Objects.requireNonNull(node, "node"), n -> new ArrayList<>())
        .add(oldName);
    return this;
  }

  /**
   * What becomes of records that nodes reject which have no policy of their own; unless it is set
   * they fail the job. The last call counts.
   */
  public TopologyBuilder onError(ErrorPolicy policy) {
    this.policy = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * What becomes of the records that a node rejects: a sink, for example. The last call for a node
   * counts.
   *
   * @param node a node of this topology, declared before or behind this call
   */
  public TopologyBuilder onError(String node, ErrorPolicy policy) {
    policies.put(Objects.requireNonNull(node, "node"), Objects.requireNonNull(policy, "policy"));
    return this;
  }

  /**
   * The topology.
   *
   * @throws TopologyInvalidException when there are problems; it lists all of them
   */
  public Topology build() {
    LogicalGraph graph =
        LogicalGraph.of(name, nodes, hints, previously, new ErrorPolicies(policy, policies));
    List<Problem> all = new ArrayList<>(problems);
    all.addAll(graph.problems());
    List<String> order = nodes.stream().map(Node::name).toList();
    all.sort(Comparator.comparingInt(problem -> order.indexOf(problem.node())));
    if (!all.isEmpty()) {
      throw new TopologyInvalidException(name, all);
    }
    return new Topology(graph);
  }

  Port add(Node node) {
    Objects.requireNonNull(node.name(), "name");
    nodes.add(node);
    return Port.main(node.name());
  }

  /** Puts a node into the place of another one. */
  void replace(Node old, Node with) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i) == old) {
        nodes.set(i, with);
        return;
      }
    }
    throw new IllegalStateException("not a node of this builder: " + old.name());
  }

  /** The node that groups a stream by the key that it has; one for all that ask. */
  Port byKey(Port port) {
    Node.GroupByNode node = byKey.get(port);
    if (node == null) {
      node = new Node.GroupByNode(port + "/" + LogicalGraph.BY_KEY, port, null);
      byKey.put(port, node);
      add(node);
    }
    return Port.main(node.name());
  }

  /** Whether all sources whose records can reach an output have event time. */
  boolean hasEventTime(Port port) {
    Set<String> seen = new HashSet<>();
    List<String> open = new ArrayList<>(List.of(port.node()));
    while (!open.isEmpty()) {
      String next = open.remove(open.size() - 1);
      for (Node node : nodes) {
        if (node.name().equals(next) && seen.add(next)) {
          if (node instanceof Node.SourceNode source
              && !source.options().watermarks().hasEventTime()) {
            return false;
          }
          node.inputs().forEach(input -> open.add(input.node()));
        }
      }
    }
    return true;
  }

  void hint(Port port, TypeHint hint) {
    hints.merge(port, hint, (earlier, later) -> later.over(earlier));
  }

  /** Whether a stream that {@code node} reads is one of this builder; notes it when it is not. */
  boolean owns(String node, Stream<?, ?> stream) {
    return owns(node, stream.builder(), stream.port());
  }

  /** Whether an output that {@code node} reads is one of this builder; notes it when it is not. */
  boolean owns(String node, TopologyBuilder builder, Port port) {
    if (builder == this) {
      return true;
    }
    problems.add(
        new Problem(
            node,
            "reads '" + port + "', a stream of another builder (topology '" + builder.name + "')",
            "declare both in one builder, or connect the topologies through a sink and a source"));
    return false;
  }
}
