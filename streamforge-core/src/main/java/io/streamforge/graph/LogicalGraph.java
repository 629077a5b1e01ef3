package io.streamforge.graph;

import io.streamforge.error.ErrorPolicy;
import io.streamforge.function.SideOutput;
import io.streamforge.serde.Inferred;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a topology computes: named nodes that read each other's outputs. Immutable. A graph may be
 * made of anything, also of what makes no sense: {@link #problems} lists what is wrong with it, and
 * every method but {@link #node} and {@link #states} answers for such a graph too.
 */
public final class LogicalGraph {
  /**
   * That a node reads an output.
   *
   * @param from the output
   * @param node who reads it
   * @param input which of the reader's inputs, from 0 on
   */
  public record Edge(Port from, Node node, int input) {}

  /** What the derived name of a node ends in that groups a stream by the key that it has. */
  public static final String BY_KEY = "by-key";

  /**
   * The output that rejected records of a node leave by, and what the derived name of the sink that
   * they go to ends in.
   */
  public static final String DEAD_LETTERS = "/dead-letters";

  /** What the derived name of a node ends in that makes a table of a source. */
  public static final String TABLE = "table";

  private final String name;
  private final List<Node> nodes;
  private final Map<Port, TypeHint> hints;
  private final ErrorPolicies policies;
  private final Renaming renaming;
  private final Map<String, Node> byName = new LinkedHashMap<>();
  private final Map<Port, List<Edge>> consumers = new HashMap<>();
  private final List<Node> topological;
  private int sorted;
  private final Map<String, ProcessorProbe> probes = new LinkedHashMap<>();
  private final TypeInference types;

  private LogicalGraph(
      String name,
      List<Node> nodes,
      Map<Port, TypeHint> hints,
      Map<String, List<String>> previously,
      ErrorPolicies policies) {
    this.name = Objects.requireNonNull(name, "name");
    this.policies = policies;
    this.nodes = withDeadLetters(nodes, policies);
    this.hints = Collections.unmodifiableMap(new LinkedHashMap<>(hints));
    for (Node node : this.nodes) {
      byName.putIfAbsent(node.name(), node);
      for (int i = 0; i < node.inputs().size(); i++) {
        Port from = node.inputs().get(i);
        consumers.computeIfAbsent(from, p -> new ArrayList<>()).add(new Edge(from, node, i));
      }
      if (node instanceof Node.ProcessNode process) {
        probes.putIfAbsent(node.name(), ProcessorProbe.of(process.supplier()));
      }
    }
    this.renaming = new Renaming(previously, previousStates());
    this.topological = sort();
    this.types = TypeInference.of(this);
  }

  /**
   * A graph.
   *
   * @param name name of the topology
   * @param nodes in the order in which they were declared
   * @param hints what is known of types beyond what the nodes tell
   * @param previously for nodes that had other names these names
   * @param policies what becomes of rejected records; a sink for dead letters is a node of its own,
   *     which is added here unless it is there already
   */
  public static LogicalGraph of(
      String name,
      Collection<? extends Node> nodes,
      Map<Port, TypeHint> hints,
      Map<String, List<String>> previously,
      ErrorPolicies policies) {
    return new LogicalGraph(name, List.copyOf(nodes), hints, previously, policies);
  }

  private static List<Node> withDeadLetters(List<Node> nodes, ErrorPolicies policies) {
    Set<String> sinks = new LinkedHashSet<>();
    for (Node node : nodes) {
      if (ErrorPolicies.isDeadLetterSink(node)) {
        sinks.add(node.name());
      }
    }
    List<Node> all = new ArrayList<>(nodes);
    for (Node node : nodes) {
      Port letters = new Port(node.name(), DEAD_LETTERS);
      if (policies.of(node) instanceof ErrorPolicy.ToDeadLetters to
          && sinks.add(letters.toString())) {
        all.add(
            new Node.SinkNode(
                letters.toString(),
                letters,
                Objects.requireNonNull(
                    to.sinkOf().apply(node.name()),
                    () -> "no sink for the dead letters of '" + node.name() + "'")));
      }
    }
    return List.copyOf(all);
  }

  private Map<String, Map<String, List<String>>> previousStates() {
    Map<String, Map<String, List<String>>> all = new LinkedHashMap<>();
    probes.forEach(
        (node, probe) -> {
          Map<String, List<String>> ofNode = new LinkedHashMap<>();
          for (StateInfo state : probe.states()) {
            if (!state.previously().isEmpty()) {
              ofNode.putIfAbsent(state.name(), state.previously());
            }
          }
          if (!ofNode.isEmpty()) {
            all.put(node, ofNode);
          }
        });
    return all;
  }

  /** Name of the topology. */
  public String name() {
    return name;
  }

  /** All nodes in the order of their declaration. */
  public List<Node> nodes() {
    return nodes;
  }

  /** What the user has said of types. */
  public Map<Port, TypeHint> hints() {
    return hints;
  }

  /** What was said of rejected records. */
  public ErrorPolicies policies() {
    return policies;
  }

  /** What becomes of the records that a node rejects. */
  public ErrorPolicy policy(Node node) {
    return policies.of(node);
  }

  /** The output that the records leave by that a node rejects; null when there is none. */
  public @Nullable Port deadLetters(Node node) {
    return policy(node) instanceof ErrorPolicy.ToDeadLetters
        ? new Port(node.name(), DEAD_LETTERS)
        : null;
  }

  /** The node whose dead letters a node takes; null when it is no sink for dead letters. */
  public @Nullable Node rejecting(Node sink) {
    return ErrorPolicies.isDeadLetterSink(sink) ? find(sink.inputs().get(0).node()) : null;
  }

  /** What nodes and states were called before. */
  public Renaming renaming() {
    return renaming;
  }

  /** The node with this name; null when there is none. */
  public @Nullable Node find(String node) {
    return byName.get(node);
  }

  /** The node with this name, which must exist. */
  public Node node(String node) {
    Node found = byName.get(node);
    if (found == null) {
      throw new IllegalArgumentException("no node '" + node + "' in topology '" + name + "'");
    }
    return found;
  }

  /** Who reads an output, in the order of declaration. */
  public List<Edge> consumers(Port port) {
    return Collections.unmodifiableList(consumers.getOrDefault(port, List.of()));
  }

  /**
   * The outputs that a node has: the main one, or those of a branch; then the side outputs that are
   * read, those of late records, and that of dead letters.
   */
  public List<Port> outputs(Node node) {
    Set<Port> outputs = new LinkedHashSet<>();
    if (node instanceof Node.SinkNode) {
      // It emits nothing but what it rejects.
    } else if (node instanceof Node.BranchNode branch) {
      for (Node.Branch way : branch.branches()) {
        outputs.add(new Port(node.name(), way.name()));
      }
    } else {
      outputs.add(Port.main(node.name()));
    }
    if (node instanceof Node.WindowNode window && window.windowing().lateOutput() != null) {
      outputs.add(new Port(node.name(), window.windowing().lateOutput().name()));
    }
    if (node instanceof Node.JoinNode join) {
      for (SideOutput<?, ?> late : Arrays.asList(join.lateLeft(), join.lateRight())) {
        if (late != null) {
          outputs.add(new Port(node.name(), late.name()));
        }
      }
    }
    if (node instanceof Node.ProcessNode) {
      for (Node reader : nodes) {
        for (Port port : reader.inputs()) {
          if (port.node().equals(node.name())) {
            outputs.add(port);
          }
        }
      }
    }
    Port letters = deadLetters(node);
    if (letters != null) {
      outputs.add(letters);
    }
    return List.copyOf(outputs);
  }

  /**
   * All nodes, each behind those that it reads, otherwise in the order of declaration. Nodes of a
   * cycle come at the end.
   */
  public List<Node> topological() {
    return topological;
  }

  /** The nodes of cycles, and those behind them. */
  List<Node> unsorted() {
    return topological.subList(sorted, topological.size());
  }

  private List<Node> sort() {
    int[] missing = new int[nodes.size()];
    Map<String, List<Integer>> readers = new HashMap<>();
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (int i = 0; i < missing.length; i++) {
      Set<String> upstream = new LinkedHashSet<>();
      for (Port port : nodes.get(i).inputs()) {
        if (byName.containsKey(port.node()) && upstream.add(port.node())) {
          readers.computeIfAbsent(port.node(), n -> new ArrayList<>()).add(i);
        }
      }
      missing[i] = upstream.size();
      if (missing[i] == 0) {
        ready.add(i);
      }
    }
    Set<Integer> order = new LinkedHashSet<>();
    while (!ready.isEmpty()) {
      int next = ready.remove();
      order.add(next);
      if (byName.get(nodes.get(next).name()) == nodes.get(next)) {
        for (int reader : readers.getOrDefault(nodes.get(next).name(), List.of())) {
          if (--missing[reader] == 0) {
            ready.add(reader);
          }
        }
      }
    }
    sorted = order.size();
    for (int i = 0; i < missing.length; i++) {
      order.add(i);
    }
    return order.stream().map(nodes::get).toList();
  }

  /** The sources whose records can reach a node, in the order of declaration. */
  public List<Node.SourceNode> sourcesOf(Node node) {
    Set<String> reached = new LinkedHashSet<>();
    List<Node> open = new ArrayList<>(List.of(node));
    while (!open.isEmpty()) {
      for (Port port : open.remove(open.size() - 1).inputs()) {
        Node upstream = byName.get(port.node());
        if (upstream != null && reached.add(port.node())) {
          open.add(upstream);
        }
      }
    }
    List<Node.SourceNode> sources = new ArrayList<>();
    for (Node candidate : nodes) {
      if (candidate instanceof Node.SourceNode source && reached.contains(source.name())) {
        sources.add(source);
      }
    }
    return sources;
  }

  /** What is known of the types of an output. */
  public StreamType type(Port port) {
    return types.type(port);
  }

  /** What is known of the serialised forms of the keys of an output. */
  public Inferred keyForm(Port port) {
    return types.keyForm(port);
  }

  /** What is known of the serialised forms of the values of an output. */
  public Inferred valueForm(Port port) {
    return types.valueForm(port);
  }

  /**
   * Whether an output carries {@link io.streamforge.record.Change changes} of the rows of a table,
   * or of what is grouped of one.
   */
  public boolean carriesChanges(Port port) {
    if (!port.output().equals(Port.MAIN)) {
      return false;
    }
    Node node = byName.get(port.node());
    return node instanceof Node.JoinNode join
        ? join.matching() instanceof Node.Matching.Tables
        : node instanceof Node.TableNode table
            && !(table.operation() instanceof Node.TableOperation.ToStream);
  }

  /**
   * The output that stands for what is kept of another one: for the rows of the table whose changes
   * it carries, or for its values.
   */
  public Port rows(Port port) {
    return carriesChanges(port) ? port.rows() : port;
  }

  /**
   * What is known of the serialised forms of what is kept of an output: of the rows of the table
   * whose changes it carries, or of its values.
   */
  public Inferred rowForm(Port port) {
    return types.valueForm(rows(port));
  }

  /** What the processor of a node has declared; the node must be one of this graph. */
  ProcessorProbe probe(Node.ProcessNode node) {
    return Objects.requireNonNull(probes.get(node.name()));
  }

  /** The state that the processor of a node has declared, in its order. */
  public List<StateInfo> states(Node.ProcessNode node) {
    return probe(node).states();
  }

  /**
   * The states of a node that a running job can be asked for; a node without state has none.
   *
   * @param node one of this graph
   */
  public List<QueriedState> queriedStates(Node node) {
    return node.accept(new QueriedStates(this));
  }

  /** What the processor of a node is called, for people. */
  public String processorName(Node.ProcessNode node) {
    Class<?> type = probe(node).type();
    return type == null ? FunctionNames.of(node.supplier()) : TypeNames.of(type);
  }

  /** What is wrong with the graph, in the order of its nodes; empty when it can be run. */
  public List<Problem> problems() {
    return GraphValidator.problems(this);
  }
}
