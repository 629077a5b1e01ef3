package io.streamforge.plan;

import io.streamforge.error.ErrorPolicy;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.graph.StreamType;
import io.streamforge.graph.TypeNames;
import io.streamforge.plan.NodeNotes.Notes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a topology is executed, for people ({@link #text}), programs ({@link #json}) and pictures
 * ({@link #mermaid}): its stages, the exchanges between them and why each is there, what the nodes
 * do, the types of their output, windows and state. Immutable.
 */
public final class Explain {
  private final PhysicalPlan plan;
  private final NodeNotes notes;
  private final @Nullable Integer parallelism;

  private Explain(PhysicalPlan plan, @Nullable Integer parallelism) {
    this.plan = plan;
    this.notes = new NodeNotes(plan.graph(), Partitioning.of(plan.graph()));
    this.parallelism = parallelism;
  }

  /** Of a graph without problems, whatever the parallelism, which is shown as {@code P}. */
  public static Explain of(LogicalGraph graph) {
    return new Explain(Planner.plan(graph, 1, 1), null);
  }

  /** Of a graph without problems, with this parallelism. */
  public static Explain of(LogicalGraph graph, int parallelism) {
    return new Explain(Planner.plan(graph, parallelism, 1), parallelism);
  }

  /** Of a plan. */
  public static Explain of(PhysicalPlan plan) {
    return new Explain(plan, plan.stages().isEmpty() ? 1 : plan.stages().get(0).parallelism());
  }

  /** A tree for each stage. */
  public String text() {
    return new ExplainText(this).render();
  }

  /**
   * JSON: {@code topology}, {@code parallelism} (null: any), {@code stages} with their nodes, and
   * {@code exchanges}.
   */
  public String json() {
    Map<String, @Nullable Object> root = new LinkedHashMap<>();
    root.put("topology", plan.job());
    root.put("parallelism", parallelism);
    root.put("stages", plan.stages().stream().map(this::stage).toList());
    root.put("exchanges", plan.exchanges().stream().map(this::exchange).toList());
    return JsonWriter.write(root);
  }

  /** A flowchart for Mermaid, with a box for each stage. */
  public String mermaid() {
    return new ExplainMermaid(this).render();
  }

  private Map<String, Object> stage(Stage stage) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", stage.id());
    json.put("nodes", stage.nodes().stream().map(this::node).toList());
    return json;
  }

  private Map<String, Object> node(String name) {
    Node node = plan.graph().node(name);
    Notes told = notes(node);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("kind", told.kind());
    if (!told.detail().isEmpty()) {
      json.put("detail", told.detail());
    }
    json.put("inputs", node.inputs().stream().map(Port::toString).toList());
    json.put("outputs", plan.graph().outputs(node).stream().map(this::output).toList());
    if (!told.more().isEmpty()) {
      json.put("notes", told.more());
    }
    return json;
  }

  private Map<String, Object> output(Port port) {
    StreamType type = plan.graph().type(port);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("port", port.toString());
    json.put("key", TypeNames.of(type.key()));
    json.put("value", TypeNames.of(type.value()));
    return json;
  }

  private Map<String, Object> exchange(Exchange exchange) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("id", exchange.id());
    json.put("kind", NodeNotes.word(exchange.kind()));
    json.put("from", exchange.from().toString());
    json.put("fromStage", exchange.fromStage());
    json.put("toStage", exchange.toStage());
    json.put("targets", exchange.targets().stream().map(Exchange.Target::node).toList());
    json.put("combining", exchange.combining());
    json.put("reason", exchange.reason());
    return json;
  }

  PhysicalPlan plan() {
    return plan;
  }

  Notes notes(Node node) {
    Notes told = onError(node, node.accept(notes));
    List<String> previously = plan.graph().renaming().ofNode(node.name());
    return previously.isEmpty() ? told : told.with("previously", String.join(", ", previously));
  }

  /** With what becomes of rejected records, unless they fail the job. */
  private Notes onError(Node node, Notes told) {
    ErrorPolicy policy = plan.graph().policy(node);
    if (policy instanceof ErrorPolicy.Fail) {
      return told;
    }
    return told.with(
        "on error",
        policy instanceof ErrorPolicy.Skip
            ? "the record is skipped, and counted"
            : "the record goes to '" + plan.graph().deadLetters(node) + "', and is counted");
  }

  String parallelism() {
    return parallelism == null ? "P" : String.valueOf(parallelism);
  }

  /** Such as {@code P tasks} or {@code 1 task}. */
  String tasks() {
    return parallelism() + (parallelism != null && parallelism == 1 ? " task" : " tasks");
  }

  /** Types of an output such as {@code String, Long}. */
  String types(Port port) {
    StreamType type = plan.graph().type(port);
    return TypeNames.of(type.key()) + ", " + TypeNames.of(type.value());
  }

  @Override
  public String toString() {
    return text();
  }
}
