package io.streamforge.plan;

import io.streamforge.error.ErrorPolicy;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.NodeKinds;
import io.streamforge.graph.Port;
import io.streamforge.graph.WindowForm;
import io.streamforge.plan.Exchange.Kind;
import io.streamforge.plan.Exchange.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a graph into stages. A node belongs to the stage of the output that it reads, unless an
 * exchange lies between them:
 *
 * <ul>
 *   <li>behind a node that groups, unless records of a key are already together there;
 *   <li>behind a node that rebalances;
 *   <li>before a node that merges or joins what comes from different stages.
 * </ul>
 *
 * The node that groups or rebalances is the last of its own stage. All readers of an exchanged
 * output share one exchange and begin one stage; only a merge or a join of different stages begins
 * a stage of its own, and has an exchange of its own for each output that it reads.
 */
public final class Planner {
  /** What an exchange is shared by: an output and the stage that reads it. */
  private record Route(Port from, int toStage) {}

  private final LogicalGraph graph;
  private final Partitioning partitioning;
  private final List<List<Node>> stages = new ArrayList<>();
  private final Map<String, Integer> stageOf = new HashMap<>();
  private final Map<Port, Integer> landings = new HashMap<>();
  private final Map<Route, List<Target>> routes = new LinkedHashMap<>();
  private final Map<Route, Node> mergedBy = new HashMap<>();

  private Planner(LogicalGraph graph) {
    this.graph = graph;
    this.partitioning = Partitioning.of(graph);
  }

  /**
   * The plan of a graph that has no problems.
   *
   * @param parallelism tasks of every stage
   * @param keyGroups key groups of the job
   */
  public static PhysicalPlan plan(LogicalGraph graph, int parallelism, int keyGroups) {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1: " + parallelism);
    }
    if (keyGroups < 1) {
      throw new IllegalArgumentException("there must be at least one key group: " + keyGroups);
    }
    return new Planner(graph).plan(parallelism, keyGroups);
  }

  private PhysicalPlan plan(int parallelism, int keyGroups) {
    for (Node node : graph.topological()) {
      if (node instanceof Node.SourceNode) {
        place(node, newStage());
      }
    }
    for (Node node : graph.topological()) {
      if (!(node instanceof Node.SourceNode)) {
        place(node);
      }
    }
    List<Stage> planned = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      planned.add(new Stage(i, stages.get(i).stream().map(Node::name).toList(), parallelism));
    }
    List<Exchange> exchanges = new ArrayList<>();
    routes.forEach(
        (route, targets) ->
            exchanges.add(
                new Exchange(
                    exchanges.size(),
                    route.from(),
                    stage(route.from()),
                    targets,
                    route.toStage(),
                    kind(route),
                    combining(route, targets),
                    reason(route))));
    return new PhysicalPlan(graph.name(), graph, planned, exchanges, keyGroups);
  }

  private int newStage() {
    stages.add(new ArrayList<>());
    return stages.size() - 1;
  }

  private void place(Node node, int stage) {
    stageOf.put(node.name(), stage);
    stages.get(stage).add(node);
  }

  private void place(Node node) {
    List<Port> inputs = node.inputs();
    Port first = inputs.get(0);
    if (inputs.stream().allMatch(input -> samePlace(input, first))) {
      int stage =
          exchanged(first) ? landings.computeIfAbsent(first, p -> newStage()) : stage(first);
      place(node, stage);
      for (int i = 0; i < inputs.size(); i++) {
        if (exchanged(inputs.get(i))) {
          route(inputs.get(i), stage).add(new Target(node.name(), i));
        }
      }
      return;
    }
    int stage = newStage();
    place(node, stage);
    for (int i = 0; i < inputs.size(); i++) {
      route(inputs.get(i), stage).add(new Target(node.name(), i));
      mergedBy.put(new Route(inputs.get(i), stage), node);
    }
  }

  private List<Target> route(Port from, int toStage) {
    return routes.computeIfAbsent(new Route(from, toStage), r -> new ArrayList<>());
  }

  /** Whether a reader of both outputs needs no exchange beyond those that the outputs have. */
  private boolean samePlace(Port one, Port other) {
    return exchanged(one) || exchanged(other) ? one.equals(other) : stage(one) == stage(other);
  }

  private int stage(Port port) {
    Integer stage = stageOf.get(port.node());
    if (stage == null) {
      throw new IllegalArgumentException(
          "the graph has problems: '" + port + "' is read before it is planned");
    }
    return stage;
  }

  private boolean exchanged(Port port) {
    return exchangeBehind(port) != null;
  }

  private @Nullable Kind exchangeBehind(Port port) {
    Node node = graph.node(port.node());
    if (!port.output().equals(Port.MAIN)) {
      return null;
    }
    if (node instanceof Node.RebalanceNode) {
      return Kind.REBALANCE;
    }
    return regroups(node)
            || (node instanceof Node.GroupByNode groupBy && partitioning.exchanged(groupBy))
        ? Kind.HASH
        : null;
  }

  /** Whether a node gives the rows of a table another key. */
  private static boolean regroups(Node node) {
    return node instanceof Node.TableNode table
        && table.operation() instanceof Node.TableOperation.GroupBy;
  }

  private Kind kind(Route route) {
    Kind behind = exchangeBehind(route.from());
    return behind == null ? Kind.FORWARD : behind;
  }

  private boolean combining(Route route, List<Target> targets) {
    return kind(route) == Kind.HASH
        && targets.size() == 1
        && graph.node(targets.get(0).node()) instanceof Node.WindowNode window
        && WindowForm.combines(window)
        // Of what is combined no record can be rejected by itself.
        && graph.policy(window) instanceof ErrorPolicy.Fail;
  }

  private String reason(Route route) {
    Node node = graph.node(route.from().node());
    if (node instanceof Node.RebalanceNode) {
      return "rebalance '" + node.name() + "' spreads records evenly";
    }
    if (regroups(node)) {
      return "groupBy '" + node.name() + "' gives each row its key";
    }
    if (node instanceof Node.GroupByNode groupBy && partitioning.exchanged(groupBy)) {
      return groupBy.selector() != null
          ? "groupBy '" + node.name() + "' gives each record its key"
          : "groupByKey: " + partitioning.of(groupBy.input()).because();
    }
    Node reader = mergedBy.get(route);
    return reader == null
        ? ""
        : NodeKinds.of(reader) + " '" + reader.name() + "' joins streams of different stages";
  }
}
