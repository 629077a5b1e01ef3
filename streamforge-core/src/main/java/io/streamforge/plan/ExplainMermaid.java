package io.streamforge.plan;

import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.plan.NodeNotes.Notes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Mermaid form of {@link Explain}. */
final class ExplainMermaid {
  private final Explain explain;
  private final PhysicalPlan plan;
  private final Map<String, String> ids = new HashMap<>();

  ExplainMermaid(Explain explain) {
    this.explain = explain;
    this.plan = explain.plan();
  }

  String render() {
    StringBuilder text = new StringBuilder("flowchart TB\n");
    for (Stage stage : plan.stages()) {
      text.append("  subgraph stage").append(stage.id()).append("[\"stage ").append(stage.id());
      text.append(", ").append(explain.tasks()).append("\"]\n");
      for (String name : stage.nodes()) {
        text.append("    ").append(box(name)).append('\n');
      }
      text.append("  end\n");
    }
    for (Stage stage : plan.stages()) {
      for (String name : stage.nodes()) {
        edges(plan.graph().node(name), text);
      }
    }
    return text.toString();
  }

  private String box(String name) {
    String id = "n" + ids.size();
    ids.put(name, id);
    Node node = plan.graph().node(name);
    Notes notes = explain.notes(node);
    String label =
        "\"<b>"
            + escape(name)
            + "</b><br/>"
            + escape(notes.kind() + (notes.detail().isEmpty() ? "" : " " + notes.detail()))
            + "\"";
    if (node instanceof Node.SourceNode) {
      return id + "([" + label + "])";
    }
    return node instanceof Node.SinkNode ? id + "[/" + label + "/]" : id + "[" + label + "]";
  }

  private void edges(Node node, StringBuilder text) {
    for (int i = 0; i < node.inputs().size(); i++) {
      Port from = node.inputs().get(i);
      Exchange exchange = exchange(new Exchange.Target(node.name(), i), from);
      String label = from.output().equals(Port.MAIN) || from.derived() ? "" : escape(from.output());
      if (exchange != null) {
        label += (label.isEmpty() ? "" : ", ") + NodeNotes.word(exchange.kind());
      }
      text.append("  ").append(ids.get(from.node())).append(exchange != null ? " ==>" : " -->");
      text.append(label.isEmpty() ? "" : "|\"" + label + "\"|");
      text.append(' ').append(ids.get(node.name())).append('\n');
    }
  }

  private @Nullable Exchange exchange(Exchange.Target target, Port from) {
    for (Exchange exchange : plan.exchanges()) {
      if (exchange.from().equals(from) && exchange.targets().contains(target)) {
        return exchange;
      }
    }
    return null;
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("\"", "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\n", " ");
  }
}
