package io.streamforge.plan;

import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.graph.TypeNames;
import io.streamforge.plan.NodeNotes.Notes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The text form of {@link Explain}: a tree for each stage, in which a node stands below the one
 * that it reads. What nodes are and what they emit stands in columns beside the tree.
 */
final class ExplainText {
  /** How wide the tree may make its column; what is wider moves the rest of its line. */
  private static final int WIDEST_TREE = 44;

  /** How wide the column of what nodes do may be. */
  private static final int WIDEST_WHAT = 52;

  /** A line: the tree, what is there, and the types that come out. */
  private record Line(String tree, String what, String types) {}

  /** What hangs below a node: a node of the stage, or an exchange to another. */
  private record Child(Port via, String node, int exchange) {
    static Child node(LogicalGraph.Edge edge) {
      return new Child(edge.from(), edge.node().name(), -1);
    }
  }

  private final Explain explain;
  private final PhysicalPlan plan;
  private final LogicalGraph graph;
  private final List<Line> lines = new ArrayList<>();
  private final Set<String> shown = new HashSet<>();

  ExplainText(Explain explain) {
    this.explain = explain;
    this.plan = explain.plan();
    this.graph = plan.graph();
  }

  String render() {
    StringBuilder text = new StringBuilder();
    text.append("topology '").append(plan.job()).append("': ");
    text.append(plural(plan.stages().size(), "stage")).append(", ");
    text.append(plural(plan.exchanges().size(), "exchange")).append(", ");
    text.append("parallelism ").append(explain.parallelism()).append('\n');
    List<List<Line>> stages = new ArrayList<>();
    for (Stage stage : plan.stages()) {
      lines.clear();
      stage(stage);
      stages.add(List.copyOf(lines));
    }
    int tree = width(stages, WIDEST_TREE, true);
    int what = width(stages, WIDEST_WHAT, false);
    for (int i = 0; i < stages.size(); i++) {
      text.append("\nstage ").append(i).append(", ").append(explain.tasks()).append('\n');
      for (Line line : stages.get(i)) {
        StringBuilder row = new StringBuilder(pad(line.tree(), tree));
        row.append("  ").append(line.types().isEmpty() ? line.what() : pad(line.what(), what));
        if (!line.types().isEmpty()) {
          row.append("  → ").append(line.types());
        }
        text.append(row.toString().stripTrailing()).append('\n');
      }
    }
    return text.toString();
  }

  private static String plural(int count, String noun) {
    return (count == 0 ? "no" : String.valueOf(count)) + " " + noun + (count == 1 ? "" : "s");
  }

  private static int width(List<List<Line>> stages, int limit, boolean tree) {
    int width = 0;
    for (List<Line> stage : stages) {
      for (Line line : stage) {
        if (tree || !line.types().isEmpty()) {
          int length = (tree ? line.tree() : line.what()).length();
          width = Math.max(width, length <= limit ? length : 0);
        }
      }
    }
    return width;
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private void stage(Stage stage) {
    for (String name : stage.nodes()) {
      if (graph.node(name) instanceof Node.SourceNode) {
        node(stage, name, "", "", "");
      }
    }
    List<Exchange> received = plan.inputsOf(stage);
    for (int i = 0; i < received.size(); i++) {
      Exchange exchange = received.get(i);
      lines.add(new Line("⇒ from stage " + exchange.fromStage(), what(exchange), ""));
      List<String> targets = targets(exchange);
      if (i + 1 < received.size() && targets.equals(targets(received.get(i + 1)))) {
        continue;
      }
      for (int j = 0; j < targets.size(); j++) {
        boolean last = j == targets.size() - 1;
        node(stage, targets.get(j), last ? "└─ " : "├─ ", last ? "   " : "│  ", "");
      }
    }
  }

  private static List<String> targets(Exchange exchange) {
    return exchange.targets().stream().map(Exchange.Target::node).distinct().toList();
  }

  /** Such as {@code exchange 0, hash by String}. */
  private String what(Exchange exchange) {
    return "exchange "
        + exchange.id()
        + ", "
        + NodeNotes.word(exchange.kind())
        + (exchange.kind() == Exchange.Kind.HASH
            ? " by " + TypeNames.of(graph.type(exchange.from()).key())
            : "");
  }

  private void node(Stage stage, String name, String prefix, String indent, String via) {
    Node node = graph.node(name);
    if (!shown.add(name)) {
      lines.add(new Line(prefix + via + name, "(as above)", ""));
      return;
    }
    Notes notes = explain.notes(node);
    List<Child> children = children(stage, node);
    Port output = Port.main(name);
    boolean typed = graph.outputs(node).contains(output);
    lines.add(
        new Line(
            prefix + via + name,
            notes.kind() + (notes.detail().isEmpty() ? "" : "  " + notes.detail()),
            typed ? explain.types(output) : ""));
    String beside = indent + (children.isEmpty() ? "" : "│");
    notes
        .more()
        .forEach((label, text) -> lines.add(new Line(beside, "· " + label + ": " + text, "")));
    for (int i = 0; i < children.size(); i++) {
      boolean last = i == children.size() - 1;
      child(
          stage, children.get(i), indent + (last ? "└─ " : "├─ "), indent + (last ? "   " : "│  "));
    }
  }

  private void child(Stage stage, Child child, String prefix, String indent) {
    Port from = child.via();
    String via =
        from.output().equals(Port.MAIN) || from.derived() ? "" : "[" + from.output() + "] ";
    if (child.exchange() < 0) {
      node(stage, child.node(), prefix, indent, via);
      return;
    }
    Exchange exchange = plan.exchanges().get(child.exchange());
    lines.add(
        new Line(
            prefix + via + "⇒ to stage " + exchange.toStage(),
            what(exchange) + ": " + exchange.reason(),
            ""));
    if (exchange.combining()) {
      String beside = " ".repeat(prefix.length());
      lines.add(
          new Line(beside, "· combined before by '" + exchange.targets().get(0).node() + "'", ""));
    }
  }

  private List<Child> children(Stage stage, Node node) {
    List<Child> children = new ArrayList<>();
    for (Port output : graph.outputs(node)) {
      List<Exchange> sent =
          plan.outputsOf(stage).stream().filter(e -> e.from().equals(output)).toList();
      for (LogicalGraph.Edge edge : graph.consumers(output)) {
        boolean exchanged =
            sent.stream()
                .anyMatch(
                    e ->
                        e.targets()
                            .contains(new Exchange.Target(edge.node().name(), edge.input())));
        if (!exchanged) {
          children.add(Child.node(edge));
        }
      }
      for (Exchange exchange : sent) {
        children.add(new Child(output, "", exchange.id()));
      }
    }
    return children;
  }
}
