package io.streamforge.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong with a graph: names and wiring here, what is inside the nodes in {@link
 * NodeChecks}. Problems of the topology come first, then those of each node in the order of
 * declaration.
 */
final class GraphValidator {
  private final LogicalGraph graph;
  private final Set<String> taken = new HashSet<>();
  private final Map<String, List<String>> owners = new LinkedHashMap<>();
  private final Set<Node> inCycle = identitySet();

  private GraphValidator(LogicalGraph graph) {
    this.graph = graph;
  }

  static List<Problem> problems(LogicalGraph graph) {
    return new GraphValidator(graph).problems();
  }

  private List<Problem> problems() {
    for (Node node : graph.nodes()) {
      taken.add(node.name());
      own(node.name(), "a " + NodeKinds.of(node));
      for (Port output : graph.outputs(node)) {
        if (!output.output().equals(Port.MAIN) && !output.derived()) {
          own(output.toString(), "output '" + output.output() + "' of '" + output.node() + "'");
        }
      }
    }
    Map<Node, String> cycles = cycles();
    List<Problem> ofNodes = new ArrayList<>();
    NodeChecks checks = new NodeChecks(graph);
    PreviousNames previousNames = new PreviousNames("node", taken);
    Set<String> reported = new HashSet<>();
    boolean dangling = false;
    for (int i = 0; i < graph.nodes().size(); i++) {
      Node node = graph.nodes().get(i);
      name(node, i, ofNodes);
      if (reported.add(node.name())) {
        duplicate(node, ofNodes);
        previousNames.check(
            node.name(),
            graph.renaming().ofNode(node.name()),
            "was previously",
            (message, remedy) -> ofNodes.add(new Problem(node.name(), message, remedy)));
      }
      inputs(node, ofNodes);
      if (cycles.containsKey(node)) {
        ofNodes.add(
            new Problem(
                node.name(),
                "reads its own output: " + cycles.get(node),
                "take one of these inputs away; records flow one way only"));
      }
      dangling |= outputs(node, ofNodes);
      ofNodes.addAll(node.accept(checks));
    }
    List<Problem> all = new ArrayList<>();
    topology(dangling, all);
    graph.renaming().nodes().forEach((node, previously) -> renamed(node, previously, all));
    graph.policies().ofNodes().keySet().forEach(node -> policy(node, all));
    all.addAll(ofNodes);
    return List.copyOf(all);
  }

  private static Set<Node> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private void own(String name, String owner) {
    owners.computeIfAbsent(name, n -> new ArrayList<>()).add(owner);
  }

  private void topology(boolean dangling, List<Problem> problems) {
    String fault = Names.fault(graph.name());
    if (graph.name().isEmpty()) {
      problems.add(
          Problem.ofTopology("has an empty name", "name it, for example 'orders'; " + Names.RULE));
    } else if (fault != null) {
      problems.add(
          Problem.ofTopology(
              "has the illegal name '" + graph.name() + "': " + fault,
              "call it '"
                  + Names.nearest(graph.name(), "topology", Set.of())
                  + "'; "
                  + Names.RULE));
    }
    if (graph.nodes().stream().noneMatch(Node.SourceNode.class::isInstance)) {
      problems.add(Problem.ofTopology("has no source", "begin it with source(name, source)"));
    }
    if (!dangling && graph.nodes().stream().noneMatch(Node.SinkNode.class::isInstance)) {
      problems.add(Problem.ofTopology("has no sink", "end each stream with sink(name, sink)"));
    }
  }

  /** Reports a name that is given to no node. */
  private void renamed(String node, List<String> previously, List<Problem> problems) {
    if (taken.contains(node)) {
      return;
    }
    String old = previously.get(0);
    String similar = Names.similar(node, taken);
    problems.add(
        Problem.ofTopology(
            "says what '" + node + "' was called before, but has no such node",
            taken.contains(old)
                ? "did you mean previously(\""
                    + old
                    + "\", \""
                    + node
                    + "\")? What the node is called now comes first"
                : similar != null
                    ? "did you mean '" + similar + "'?"
                    : "name a node first, then what it was called: previously(node, oldName)"));
  }

  /** Reports a policy that no node can follow. */
  private void policy(String name, List<Problem> problems) {
    Node node = graph.find(name);
    if (node == null) {
      String similar = Names.similar(name, taken);
      problems.add(
          Problem.ofTopology(
              "has an error policy for '" + name + "', but no such node",
              similar != null
                  ? "did you mean '" + similar + "'?"
                  : "name a node of the topology: onError(node, policy)"));
    } else if (ErrorPolicies.isDeadLetterSink(node)) {
      problems.add(
          new Problem(
              name,
              "has an error policy, and is where dead letters go",
              "take the policy away; a dead letter that cannot be written fails the job"));
    } else if (!ErrorPolicies.canReject(node)) {
      problems.add(
          new Problem(
              name,
              "has an error policy, and no function that could reject a record",
              "give the policy to the node whose function it is meant for"));
    }
  }

  private void name(Node node, int place, List<Problem> problems) {
    String name = node.name();
    if (name.isEmpty()) {
      problems.add(
          Problem.ofTopology(
              "has a " + NodeKinds.of(node) + " without a name (node " + (place + 1) + ")",
              "call it '" + Names.free(NodeKinds.of(node), taken) + "', for example"));
      return;
    }
    String fault = Names.fault(name);
    if (fault != null && !derived(node)) {
      problems.add(
          new Problem(
              name,
              "is not a legal name: " + fault,
              "call it '" + Names.nearest(name, NodeKinds.of(node), taken) + "'; " + Names.RULE));
    }
  }

  private static boolean derived(Node node) {
    if (node instanceof Node.TableNode table) {
      String keyed = table.input().node();
      String end = "/" + LogicalGraph.BY_KEY;
      return table.operation() instanceof Node.TableOperation.Latest
          && keyed.endsWith(end)
          && table
              .name()
              .equals(keyed.substring(0, keyed.length() - end.length()) + "/" + LogicalGraph.TABLE);
    }
    return ErrorPolicies.isDeadLetterSink(node)
        || node instanceof Node.GroupByNode groupBy
            && groupBy.selector() == null
            && groupBy.name().equals(groupBy.input() + "/" + LogicalGraph.BY_KEY);
  }

  private void duplicate(Node node, List<Problem> problems) {
    List<String> all = owners.getOrDefault(node.name(), List.of());
    if (all.size() < 2 || node.name().isEmpty()) {
      return;
    }
    Set<String> used = new HashSet<>(taken);
    List<String> free = new ArrayList<>();
    for (int i = 1; i < all.size(); i++) {
      String next = Names.free(Names.nearest(node.name(), "node", Set.of()), used);
      used.add(next);
      free.add("'" + next + "'");
    }
    problems.add(
        new Problem(
            node.name(),
            "is the name of " + String.join(" and of ", all),
            "call the other"
                + (free.size() == 1 ? " " : "s ")
                + String.join(" and ", free)
                + "; names are what identifies state and metrics"));
  }

  private void inputs(Node node, List<Problem> problems) {
    Set<Port> seen = new LinkedHashSet<>(node.inputs());
    for (Port port : seen) {
      Node from = graph.find(port.node());
      if (from == null) {
        String similar = Names.similar(port.node(), taken);
        problems.add(
            new Problem(
                node.name(),
                "reads '" + port.node() + "', which does not exist",
                similar != null
                    ? "did you mean '" + similar + "'?"
                    : "declare it, or read another"));
      } else if (!hasOutput(port)) {
        problems.add(unknownOutput(node, port, from));
      }
    }
  }

  private boolean hasOutput(Port port) {
    return graph.nodes().stream()
        .anyMatch(node -> node.name().equals(port.node()) && graph.outputs(node).contains(port));
  }

  private Problem unknownOutput(Node reader, Port port, Node from) {
    String output = port.output();
    if (from instanceof Node.SinkNode) {
      return new Problem(
          reader.name(),
          "reads '" + from.name() + "', which is a sink",
          "read what the sink reads");
    }
    if (from instanceof Node.BranchNode branch) {
      List<String> ways = branch.branches().stream().map(Node.Branch::name).toList();
      return new Problem(
          reader.name(),
          output.isEmpty()
              ? "reads '" + from.name() + "' itself, which only has branches"
              : "reads branch '" + output + "' of '" + from.name() + "', which has no such branch",
          "read one of " + quoted(ways));
    }
    String message =
        "reads side output '" + output + "' of '" + from.name() + "', which has no such output";
    if (from instanceof Node.JoinNode join && join.matching() instanceof Node.Matching.AsOf) {
      return new Problem(
          reader.name(),
          message,
          "declare it before the join: lateTo(SideOutput.of(\""
              + output
              + "\")) or lateUpdatesTo(...)");
    }
    if (from instanceof Node.JoinNode) {
      return new Problem(
          reader.name(),
          message,
          "declare it before the join: lateLeftTo(SideOutput.of(\""
              + output
              + "\")) or lateRightTo(...)");
    }
    if (from instanceof Node.WindowNode window) {
      return new Problem(
          reader.name(),
          message,
          window.windowing().lateOutput() == null
              ? "declare it before the aggregate: lateTo(SideOutput.of(\"" + output + "\"))"
              : "read '"
                  + window.windowing().lateOutput().name()
                  + "', which has its late records");
    }
    return new Problem(
        reader.name(),
        message,
        "only windows with lateTo(...), joins with lateLeftTo(...) or lateRightTo(...), and process"
            + " have side outputs");
  }

  private static String quoted(List<String> names) {
    return names.stream()
        .map(name -> "'" + name + "'")
        .reduce((a, b) -> a + ", " + b)
        .orElse("none");
  }

  /** Reports what nothing reads; whether there is such a thing. */
  private boolean outputs(Node node, List<Problem> problems) {
    if (node instanceof Node.SinkNode) {
      return false;
    }
    if (node instanceof Node.BranchNode branch) {
      boolean dangling = false;
      for (Node.Branch way : branch.branches()) {
        if (graph.consumers(new Port(node.name(), way.name())).isEmpty()) {
          dangling = true;
          problems.add(
              new Problem(
                  node.name(),
                  "has a branch '" + way.name() + "' that nothing reads",
                  "read stream(\"" + way.name() + "\"), or end it with sink(name, Sinks.none())"));
        }
      }
      return dangling;
    }
    boolean read = !graph.consumers(Port.main(node.name())).isEmpty();
    if (!read && node instanceof Node.ProcessNode) {
      read = graph.outputs(node).stream().anyMatch(port -> !graph.consumers(port).isEmpty());
    }
    if (!read) {
      problems.add(
          new Problem(
              node.name(),
              "goes nowhere: nothing reads what this " + NodeKinds.of(node) + " emits",
              "read it, or end it with sink(name, sink); Sinks.none() drops what it gets"));
    }
    return !read;
  }

  /** For the first node of each cycle how it comes back to itself. */
  private Map<Node, String> cycles() {
    Map<Node, String> found = new IdentityHashMap<>();
    for (Node node : graph.unsorted()) {
      if (!inCycle.contains(node)) {
        List<Node> path = pathTo(node, node, identitySet());
        if (path != null) {
          inCycle.addAll(path);
          StringBuilder text = new StringBuilder(node.name());
          for (int i = path.size() - 2; i >= 0; i--) {
            text.append(" → ").append(path.get(i).name());
          }
          text.append(" → ").append(node.name());
          found.put(node, text.toString());
        }
      }
    }
    return found;
  }

  /** The nodes between {@code from} and {@code to} against the stream, {@code to} included. */
  private @Nullable List<Node> pathTo(Node from, Node to, Set<Node> visited) {
    for (Port port : from.inputs()) {
      Node upstream = graph.find(port.node());
      if (upstream == to) {
        List<Node> path = new ArrayList<>();
        path.add(upstream);
        return path;
      }
      if (upstream != null && visited.add(upstream)) {
        List<Node> path = pathTo(upstream, to, visited);
        if (path != null) {
          path.add(0, upstream);
          return path;
        }
      }
    }
    return null;
  }
}
