package io.streamforge.plan;

import io.streamforge.function.SideOutput;
import io.streamforge.graph.FunctionNames;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.NodeKinds;
import io.streamforge.graph.NodeVisitor;
import io.streamforge.graph.Port;
import io.streamforge.graph.StateInfo;
import io.streamforge.graph.TypeNames;
import io.streamforge.graph.WindowForm;
import io.streamforge.source.SourceOptions;
import io.streamforge.state.TimeToLive;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@link Explain} says of each node. */
final class NodeNotes implements NodeVisitor<NodeNotes.Notes> {
  /**
   * What is said of a node.
   *
   * @param kind name of the builder's method
   * @param detail what it does, in a few words; may be empty
   * @param more the rest, label by label
   */
  record Notes(String kind, String detail, Map<String, String> more) {
    Notes with(String label, String text) {
      Map<String, String> all = new LinkedHashMap<>(more);
      all.put(label, text);
      return new Notes(kind, detail, all);
    }
  }

  private final LogicalGraph graph;
  private final Partitioning partitioning;

  NodeNotes(LogicalGraph graph, Partitioning partitioning) {
    this.graph = graph;
    this.partitioning = partitioning;
  }

  private static Notes notes(Node node, String detail) {
    return new Notes(NodeKinds.of(node), detail, Map.of());
  }

  private static Notes ofFunction(Node node, @Nullable Object function) {
    return notes(node, function == null ? "" : FunctionNames.of(function));
  }

  @Override
  public Notes source(Node.SourceNode node) {
    Map<String, String> more = new LinkedHashMap<>();
    SourceOptions<?, ?> options = node.options();
    more.put("event time", eventTime(options.watermarks()));
    if (options.maxRate() > 0) {
      more.put("at most", number(options.maxRate()) + " records a second");
    }
    return new Notes("source", node.source().describe(), more);
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.valueOf(value);
  }

  private static String eventTime(WatermarkStrategy<?, ?> watermarks) {
    StringBuilder text = new StringBuilder();
    switch (watermarks.kind()) {
      case NONE -> {
        return "none; the clock at reading";
      }
      case BOUNDED ->
          text.append("watermark ")
              .append(
                  watermarks.outOfOrderness().isZero()
                      ? "at"
                      : Windows.text(watermarks.outOfOrderness()) + " behind")
              .append(" the largest timestamp");
      case PUNCTUATED -> text.append("watermarks in the records");
    }
    if (watermarks.timestamps() != null) {
      text.append(", timestamps by ").append(FunctionNames.of(watermarks.timestamps()));
    }
    if (watermarks.idleAfter() != null) {
      text.append(", idle after ").append(Windows.text(watermarks.idleAfter()));
    }
    if (watermarks.maxDrift() != null) {
      text.append(", splits aligned within ").append(Windows.text(watermarks.maxDrift()));
    }
    if (watermarks.maxAhead() != null) {
      text.append(", at most ")
          .append(Windows.text(watermarks.maxAhead()))
          .append(" ahead of the clock");
    }
    return text.toString();
  }

  @Override
  public Notes map(Node.MapNode node) {
    return ofFunction(node, node.mapper());
  }

  @Override
  public Notes mapValues(Node.MapValuesNode node) {
    return ofFunction(node, node.mapper() != null ? node.mapper() : node.keyedMapper());
  }

  @Override
  public Notes selectKey(Node.SelectKeyNode node) {
    return ofFunction(node, node.selector());
  }

  @Override
  public Notes filter(Node.FilterNode node) {
    return ofFunction(node, node.predicate());
  }

  @Override
  public Notes peek(Node.PeekNode node) {
    return ofFunction(node, node.action());
  }

  @Override
  public Notes flatMap(Node.FlatMapNode node) {
    return ofFunction(node, node.mapper().function());
  }

  @Override
  public Notes merge(Node.MergeNode node) {
    return notes(
        node, "of " + node.inputs().stream().map(Port::toString).collect(Collectors.joining(", ")));
  }

  @Override
  public Notes branch(Node.BranchNode node) {
    Map<String, String> more = new LinkedHashMap<>();
    boolean otherwise = false;
    for (Node.Branch branch : node.branches()) {
      otherwise |= branch.predicate() == null;
      more.put(
          "branch " + branch.name(),
          branch.predicate() == null
              ? "all that is left"
              : "if " + FunctionNames.of(branch.predicate()));
    }
    if (!otherwise) {
      more.put("otherwise", "dropped, and counted");
    }
    return new Notes("split", "", more);
  }

  @Override
  public Notes groupBy(Node.GroupByNode node) {
    if (partitioning.exchanged(node)) {
      return ofFunction(node, node.selector());
    }
    return new Notes(
        "groupByKey",
        "",
        Map.of(
            "no exchange",
            "records of a key are together " + partitioning.of(node.input()).because()));
  }

  @Override
  public Notes rebalance(Node.RebalanceNode node) {
    return notes(node, "");
  }

  @Override
  public Notes process(Node.ProcessNode node) {
    Map<String, String> more = new LinkedHashMap<>();
    List<StateInfo> states = graph.states(node);
    for (StateInfo state : states) {
      more.put(
          "state " + state.name(),
          text(state) + " for each key" + expiry(state) + previously(state));
    }
    if (states.isEmpty()) {
      more.put("state", "none");
    }
    return new Notes("process", graph.processorName(node), more);
  }

  private static String text(StateInfo state) {
    String types = state.types().stream().map(TypeNames::of).collect(Collectors.joining(" → "));
    return switch (state.kind()) {
          case "value", "long" -> "one ";
          default -> "a ";
        }
        + state.kind()
        + (types.isEmpty() ? "" : " of " + types);
  }

  private static String previously(StateInfo state) {
    return state.previously().isEmpty()
        ? ""
        : "; previously " + String.join(", ", state.previously());
  }

  private static String expiry(StateInfo state) {
    TimeToLive timeToLive = state.timeToLive();
    if (timeToLive == null) {
      return "";
    }
    String part =
        switch (state.kind()) {
          case "list" -> ", each element";
          case "map" -> ", each field";
          default -> ",";
        };
    return part + " for " + timeToLive;
  }

  @Override
  public Notes aggregate(Node.AggregateNode node) {
    return new Notes(
        NodeKinds.of(node),
        text(node.aggregation()),
        Map.of("state", "an accumulator for each key; emits an update at every record"));
  }

  private static String text(Node.Aggregation aggregation) {
    if (aggregation.function() != null) {
      return FunctionNames.of(aggregation.function());
    }
    String text = aggregation.aggregator().toString();
    if (text.equals(aggregation.label())) {
      return "";
    }
    return text.contains("@") || text.contains("$$")
        ? TypeNames.of(aggregation.aggregator().getClass())
        : text;
  }

  @Override
  public Notes window(Node.WindowNode node) {
    Node.Windowing windowing = node.windowing();
    boolean global = windowing.windows() instanceof Windows.GlobalWindows;
    Map<String, String> more = new LinkedHashMap<>();
    more.put("windows", windowing.windows().toString());
    StringBuilder fires = new StringBuilder();
    fires.append(global ? "when all input has ended" : "when the watermark reaches the end");
    if (windowing.earlyTrigger() != null) {
      fires.append(", and before that ").append(windowing.earlyTrigger());
    }
    if (!windowing.allowedLateness().isZero()) {
      fires
          .append(
              windowing.lateTrigger() != null
                  ? ", and then " + windowing.lateTrigger()
                  : ", and then at each record")
          .append(" for ")
          .append(Windows.text(windowing.allowedLateness()));
    }
    more.put("fires", fires.toString());
    more.put(
        "emits",
        windowing.accumulation() == Node.Accumulation.ACCUMULATING
            ? "the aggregate of the whole window (accumulating)"
            : "the aggregate since its last result (discarding)");
    if (!global) {
      more.put("late records", late(windowing.lateOutput()));
    }
    WindowForm form = WindowForm.of(node);
    String kind =
        switch (form.kind()) {
          case SLICES -> "an accumulator for each key and slice";
          case PER_WINDOW -> "an accumulator for each key and window";
          case SESSIONS -> "an accumulator for each key and session";
        };
    more.put("state", kind + ": " + form.reason());
    String detail = text(node.aggregation());
    return new Notes(NodeKinds.of(node), detail, more);
  }

  @Override
  public Notes table(Node.TableNode node) {
    Node.TableOperation operation = node.operation();
    if (operation instanceof Node.TableOperation.Latest latest) {
      Map<String, String> more = new LinkedHashMap<>();
      more.put("newer is", latest.byTime() ? "what has the later timestamp" : "what comes later");
      more.put(
          "state",
          latest.byTime()
              ? "the latest value of each key; that it was deleted, until the watermark has passed"
                  + (latest.allowedLateness().isZero()
                      ? ""
                      : " and another " + Windows.text(latest.allowedLateness()))
              : "the latest value of each key");
      if (latest.byTime()) {
        more.put("late records", "of keys without a row: " + late(null));
      }
      return new Notes(NodeKinds.of(node), "", more);
    } else if (operation instanceof Node.TableOperation.Filter filter) {
      return ofFunction(node, filter.predicate());
    } else if (operation instanceof Node.TableOperation.MapValues map) {
      return ofFunction(node, map.mapper() != null ? map.mapper() : map.keyedMapper());
    } else if (operation instanceof Node.TableOperation.GroupBy groupBy) {
      return ofFunction(node, groupBy.selector());
    } else if (operation instanceof Node.TableOperation.Aggregate aggregate) {
      return new Notes(
          NodeKinds.of(node),
          text(aggregate.aggregation()),
          Map.of("state", "an accumulator for each key that has rows; adds and takes back"));
    }
    return notes(node, "");
  }

  @Override
  public Notes join(Node.JoinNode node) {
    Map<String, String> more = new LinkedHashMap<>();
    more.put("left", node.left().toString());
    more.put("right", node.right().toString());
    if (graph.carriesChanges(node.right())) {
      return withTable(node, more);
    }
    String lateness =
        node.allowedLateness().isZero() ? "" : " plus " + Windows.text(node.allowedLateness());
    String unmatched;
    if (node.matching() instanceof Node.Matching.InWindow in) {
      more.put("rows match", "when they are in one window: " + in.windows());
      unmatched = "when the watermark reaches the end of the window" + lateness;
    } else if (node.matching() instanceof Node.Matching.Between between) {
      more.put(
          "rows match",
          "when the right one is between "
              + Windows.text(between.from())
              + " and "
              + Windows.text(between.to())
              + " later");
      unmatched = "when the watermark has passed all that could match" + lateness;
    } else {
      unmatched = "";
    }
    switch (node.kind()) {
      case INNER -> more.put("unmatched rows", "nowhere");
      case LEFT -> more.put("unmatched rows", "those of the left, " + unmatched);
      case OUTER -> more.put("unmatched rows", "those of both sides, " + unmatched);
    }
    more.put("late rows of the left", late(node.lateLeft()));
    more.put("late rows of the right", late(node.lateRight()));
    more.put("state", "rows of both sides for each key, as long as a partner may come");
    return new Notes(NodeKinds.of(node), FunctionNames.of(node.joiner()), more);
  }

  private static Notes withTable(Node.JoinNode node, Map<String, String> more) {
    if (node.matching() instanceof Node.Matching.AsOf) {
      String lateness =
          node.allowedLateness().isZero()
              ? ""
              : " by more than " + Windows.text(node.allowedLateness());
      more.put(
          "joins", "the row as of the record's time, when the watermark has passed it" + lateness);
      more.put("late records", late(node.lateLeft()));
      more.put("late updates", late(node.lateRight()));
      more.put("state", "records that wait, and the versions of rows that they may ask for");
    } else if (node.matching() instanceof Node.Matching.Latest) {
      more.put("joins", "the row that is there when the record comes");
      more.put("state", "the row of each key");
    } else {
      more.put("joins", "the rows of both tables, at each change of one of them");
      more.put("state", "the rows of each key");
    }
    return new Notes(NodeKinds.of(node), FunctionNames.of(node.joiner()), more);
  }

  private static String late(@Nullable SideOutput<?, ?> output) {
    return output != null
        ? "to side output '" + output.name() + "', and counted"
        : "dropped, and counted";
  }

  @Override
  public Notes sink(Node.SinkNode node) {
    return notes(node, node.sink().describe());
  }

  /** The word for a kind of exchange. */
  static String word(Exchange.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
