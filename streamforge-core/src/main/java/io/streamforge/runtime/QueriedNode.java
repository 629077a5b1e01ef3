package io.streamforge.runtime;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.graph.QueriedState;
import io.streamforge.graph.TypeNames;
import io.streamforge.operator.Values;
import io.streamforge.plan.Exchange;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Stage;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.runtime.task.StateRequest;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.GenericTypes;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Serde;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node of a plan as queries address it: its states, its keys, and which task has which. */
public final class QueriedNode {
  private final PhysicalPlan plan;
  private final Node node;
  private final List<QueriedState> states;

  /** The state that has been named; null: none yet. */
  private final @Nullable QueriedState chosen;

  private QueriedNode(
      PhysicalPlan plan, Node node, List<QueriedState> states, @Nullable QueriedState chosen) {
    this.plan = plan;
    this.node = node;
    this.states = states;
    this.chosen = chosen;
  }

  /**
   * A node with state.
   *
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID} when there is no such node or
   *     it has no state; it names those that have
   */
  public static QueriedNode of(PhysicalPlan plan, String name) {
    Node node = plan.graph().find(name);
    if (node == null) {
      throw invalid(plan, null, "there is no node '" + name + "'", withState(plan));
    }
    List<QueriedState> states = plan.graph().queriedStates(node);
    if (states.isEmpty()) {
      throw invalid(plan, name, "node '" + name + "' has no state", withState(plan));
    }
    return new QueriedNode(plan, node, states, null);
  }

  private static String withState(PhysicalPlan plan) {
    String names =
        plan.graph().nodes().stream()
            .filter(node -> !plan.graph().queriedStates(node).isEmpty())
            .map(node -> "'" + node.name() + "'")
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? "No node of the topology has state: there is nothing to query."
        : "Nodes with state: " + names + ".";
  }

  /**
   * The same node, of which one state is asked for.
   *
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID} when it has no such state; it
   *     names those that there are
   */
  public QueriedNode state(String name) {
    for (QueriedState state : states) {
      if (state.name().equals(name)) {
        return new QueriedNode(plan, node, states, state);
      }
    }
    throw invalid("node '" + node.name() + "' has no state '" + name + "'", "It has " + names());
  }

  private String names() {
    return states.stream()
        .map(state -> "'" + state.name() + "'")
        .collect(Collectors.joining(", ", "", "."));
  }

  /**
   * A request for what the state holds for a key.
   *
   * @throws StreamForgeException with {@link ErrorCode#QUERY_INVALID} when no state has been named
   *     and there are several, or the key is of another type than those of the node
   */
  StateRequest request(Object key) {
    QueriedState state = chosen;
    if (state == null) {
      if (states.size() > 1) {
        throw invalid(
            "node '" + node.name() + "' has several states, and none was named",
            "Name one with state(…): " + names());
      }
      state = states.get(0);
    }
    Key copied = copied(key);
    return new StateRequest(
        node.name(),
        state.name(),
        copied.key,
        copied.hash,
        state.form() instanceof Inferred.Found found ? Values.cast(found.serde()) : null);
  }

  private record Key(Object key, long hash) {}

  /** The key as a task knows it; the caller may change its own. */
  private Key copied(Object key) {
    Port input = node.inputs().get(0);
    if (!(plan.graph().keyForm(input) instanceof Inferred.Found form)) {
      throw new IllegalStateException("no serde for the keys of " + input);
    }
    Serde<Object> keys = Values.cast(form.serde());
    Type type = plan.graph().type(input).key();
    String expected = type == null ? keys.name() : TypeNames.of(type);
    if (Values.cast(key) == null) {
      throw invalid("a key is never null", "Keys of the node are of type " + expected + ".");
    }
    Class<?> raw = type == null ? Object.class : GenericTypes.erase(type);
    if (!raw.isPrimitive() && !raw.isInstance(key)) {
      throw wrongKey(key, expected, null);
    }
    try {
      ByteWriter output = new ByteWriter();
      keys.write(key, output);
      Object copy = keys.read(new ByteReader(output.toByteArray()));
      KeyKind<Object> kind = KeyKinds.of(keys);
      return new Key(copy, kind.hash(copy));
    } catch (RuntimeException e) {
      throw wrongKey(key, expected, e);
    }
  }

  private StreamForgeException wrongKey(
      Object key, String expected, @Nullable RuntimeException cause) {
    return new StreamForgeException(
        ErrorCode.QUERY_INVALID,
        new ErrorContext(plan.job(), node.name(), null, null, null),
        "keys of node '"
            + node.name()
            + "' are of type "
            + expected
            + ", but the query has "
            + TypeNames.of(key.getClass())
            + " "
            + Rendering.shortened(key),
        "Ask for a key as the records have it when they come to the node.",
        cause);
  }

  private StreamForgeException invalid(String summary, String remedy) {
    return invalid(plan, node.name(), summary, remedy);
  }

  private static StreamForgeException invalid(
      PhysicalPlan plan, @Nullable String node, String summary, String remedy) {
    return new StreamForgeException(
        ErrorCode.QUERY_INVALID,
        new ErrorContext(plan.job(), node, null, null, null),
        summary,
        remedy,
        null);
  }

  /** Index of the task that owns a key, among all tasks of the plan in the order of its stages. */
  int taskOf(long hash) {
    for (Stage stage : plan.stages()) {
      if (stage.nodes().contains(node.name())) {
        int group = KeyGroups.of(hash, plan.keyGroups());
        return firstTask(stage.id())
            + KeyGroups.taskOf(group, stage.parallelism(), plan.keyGroups());
      }
    }
    throw new IllegalStateException("node '" + node.name() + "' is in no stage");
  }

  private int firstTask(int stage) {
    return plan.stages().subList(0, stage).stream().mapToInt(Stage::parallelism).sum();
  }

  /** Indices of the tasks that combine records for the node. */
  List<Integer> combiningTasks() {
    List<Integer> indices = new ArrayList<>();
    for (Exchange exchange : plan.exchanges()) {
      if (exchange.combining() && exchange.targets().get(0).node().equals(node.name())) {
        int first = firstTask(exchange.fromStage());
        for (int i = 0; i < plan.stages().get(exchange.fromStage()).parallelism(); i++) {
          indices.add(first + i);
        }
      }
    }
    return indices;
  }

  /** Name of the node. */
  public String name() {
    return node.name();
  }
}
