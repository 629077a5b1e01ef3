package io.streamforge.graph;

import io.streamforge.function.Aggregator;
import io.streamforge.function.ColumnAggregator;
import io.streamforge.function.SideOutput;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.source.Source;
import io.streamforge.state.TimeToLive;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Trigger;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds what is wrong inside the nodes of a graph. Nodes are given in the order of declaration. */
final class NodeChecks implements NodeVisitor<List<Problem>> {
  private final LogicalGraph graph;
  private final Map<Source<?, ?>, String> sources = new IdentityHashMap<>();

  NodeChecks(LogicalGraph graph) {
    this.graph = graph;
  }

  @Override
  public List<Problem> source(Node.SourceNode node) {
    Findings findings = new Findings(node);
    String other = sources.putIfAbsent(node.source(), node.name());
    if (other != null) {
      findings.add(
          "reads the same source object as '" + other + "'",
          "make a source object for each, or read the stream of '" + other + "' twice");
    }
    WatermarkStrategy<?, ?> watermarks = node.options().watermarks();
    findings.duration("out-of-orderness", watermarks.outOfOrderness(), false);
    findings.optional("idleAfter", watermarks.idleAfter());
    findings.optional("maxDrift", watermarks.maxDrift());
    findings.optional("maxAhead", watermarks.maxAhead());
    double rate = node.options().maxRate();
    if (!(rate >= 0) || Double.isInfinite(rate)) {
      findings.add(
          "has a maxRate of " + rate + " records a second",
          "make it a positive number, or 0 for as fast as possible");
    }
    return findings.problems;
  }

  @Override
  public List<Problem> map(Node.MapNode node) {
    return List.of();
  }

  @Override
  public List<Problem> mapValues(Node.MapValuesNode node) {
    Findings findings = new Findings(node);
    oneOf(findings, node.mapper(), node.keyedMapper());
    return findings.problems;
  }

  private static void oneOf(
      Findings findings, @Nullable Object mapper, @Nullable Object keyedMapper) {
    if ((mapper == null) == (keyedMapper == null)) {
      findings.add(
          mapper == null ? "has no function" : "has two functions",
          "give it exactly one, of the value or of the key and the value");
    }
  }

  @Override
  public List<Problem> selectKey(Node.SelectKeyNode node) {
    return List.of();
  }

  @Override
  public List<Problem> filter(Node.FilterNode node) {
    return List.of();
  }

  @Override
  public List<Problem> peek(Node.PeekNode node) {
    return List.of();
  }

  @Override
  public List<Problem> flatMap(Node.FlatMapNode node) {
    return List.of();
  }

  @Override
  public List<Problem> merge(Node.MergeNode node) {
    Findings findings = new Findings(node);
    if (node.inputs().isEmpty()) {
      findings.add("merges nothing", "give it at least one stream");
    }
    return findings.problems;
  }

  @Override
  public List<Problem> branch(Node.BranchNode node) {
    Findings findings = new Findings(node);
    if (node.branches().isEmpty()) {
      findings.add("has no branches", "add some with branch(name, predicate)");
    }
    Set<String> names = new HashSet<>();
    String otherwise = null;
    for (Node.Branch branch : node.branches()) {
      findings.name("a branch", "branch", branch.name());
      if (!names.add(branch.name())) {
        findings.add(
            "has several branches named '" + branch.name() + "'",
            "call the other '" + Names.free(branch.name(), names) + "'");
      }
      if (otherwise != null) {
        findings.add(
            "has a branch '"
                + branch.name()
                + "' behind otherwise(\""
                + otherwise
                + "\"), which leaves nothing for it",
            "declare otherwise(...) last");
      }
      if (branch.predicate() == null) {
        otherwise = branch.name();
      }
    }
    return findings.problems;
  }

  @Override
  public List<Problem> groupBy(Node.GroupByNode node) {
    Findings findings = new Findings(node);
    keys(findings, node);
    return findings.problems;
  }

  /** Reports keys to group by that are none, or that have no identity. */
  private void keys(Findings findings, Node node) {
    if (graph.find(node.inputs().get(0).node()) == null) {
      return;
    }
    Port output = Port.main(node.name());
    Type type = graph.type(output).key();
    if (type == Void.class) {
      findings.add(
          "groups records that have no keys", "give them some: groupBy(name, (key, value) -> ...)");
      return;
    }
    Inferred form = graph.keyForm(output);
    if (form instanceof Inferred.Missing missing) {
      findings.add(
          type == null
              ? "has keys of unknown type: " + missing.reason()
              : "has keys of type "
                  + TypeNames.of(type)
                  + ", which have no deterministic form: "
                  + missing.reason(),
          type == null || TypeNames.tooLittle(type)
              ? "state the types with typed(KEY.class, VALUE.class) behind it"
              : "use a key of another type, or state a deterministic serde with typed(keySerde,"
                  + " valueSerde) behind it");
    } else if (form instanceof Inferred.Found found && !found.serde().deterministic()) {
      Serde<?> serde = found.serde();
      findings.add(
          "has keys whose serde '"
              + serde.name()
              + "' is not deterministic: equal keys may have different bytes",
          "use a key of another type, or state a deterministic serde with typed(keySerde,"
              + " valueSerde) behind it");
    }
  }

  @Override
  public List<Problem> rebalance(Node.RebalanceNode node) {
    return List.of();
  }

  @Override
  public List<Problem> process(Node.ProcessNode node) {
    Findings findings = new Findings(node);
    ProcessorProbe probe = graph.probe(node);
    if (probe.failure() != null) {
      findings.add(probe.failure(), probe.remedy());
    }
    Set<String> names = new HashSet<>();
    PreviousNames previousNames =
        new PreviousNames(
            "state", probe.states().stream().map(StateInfo::name).collect(Collectors.toSet()));
    for (StateInfo state : probe.states()) {
      findings.name("a state", "state", state.name());
      if (!names.add(state.name())) {
        findings.add(
            "declares several states named '" + state.name() + "'",
            "call the other '" + Names.free(state.name(), names) + "'");
      }
      previousNames.check(
          state.name(),
          state.previously(),
          "has state '" + state.name() + "', previously",
          findings::add);
      TimeToLive timeToLive = state.timeToLive();
      if (timeToLive != null) {
        findings.duration(
            "time to live of state '" + state.name() + "'", timeToLive.duration(), true);
        if (timeToLive.domain() == TimeDomain.EVENT) {
          eventTime(findings, node, "state '" + state.name() + "' that expires by event time");
        }
      }
      for (Type type : state.types()) {
        if (Serdes.infer(type) instanceof Inferred.Missing missing) {
          findings.add(
              "declares state '"
                  + state.name()
                  + "' of type "
                  + TypeNames.of(type)
                  + ", which has no serde: "
                  + missing.reason(),
              "make it a record of types that have one, or name its serde with"
                  + " @SerializedBy(MySerde.class)");
        }
      }
    }
    for (Port output : graph.outputs(node)) {
      if (!output.output().equals(Port.MAIN) && !output.derived()) {
        findings.name("a side output", "side-output", output.output());
      }
    }
    return findings.problems;
  }

  @Override
  public List<Problem> aggregate(Node.AggregateNode node) {
    Findings findings = new Findings(node);
    accumulators(findings, node.aggregation(), node.input());
    return findings.problems;
  }

  private void accumulators(Findings findings, Node.Aggregation aggregation, Port input) {
    Aggregator<?, ?, ?> aggregator = aggregation.aggregator();
    if (aggregator.columnar() == null
        && aggregator.accumulatorForm(graph.rowForm(input)) instanceof Inferred.Missing missing) {
      findings.add(
          "has accumulators that have no serde: " + missing.reason(),
          "return the serde in accumulatorForm(...), or make them a record of types that have one");
    }
  }

  @Override
  public List<Problem> window(Node.WindowNode node) {
    Findings findings = new Findings(node);
    accumulators(findings, node.aggregation(), node.input());
    Node.Windowing windowing = node.windowing();
    Windows windows = windowing.windows();
    windows(findings, windows);
    if (windows instanceof Windows.SessionWindows && !node.aggregation().aggregator().mergeable()) {
      findings.add(
          "has session windows, which merge, and an aggregate that does not",
          "implement merge and have mergeable() return true, or choose other windows");
    }
    findings.duration("allowed lateness", windowing.allowedLateness(), false);
    trigger(findings, "trigger", windowing.earlyTrigger());
    trigger(findings, "late trigger", windowing.lateTrigger());
    if (windowing.lateOutput() != null) {
      findings.name("a late output", "late", windowing.lateOutput().name());
    }
    if (!(windows instanceof Windows.GlobalWindows)) {
      eventTime(findings, node, "windows");
    } else if (windowing.earlyTrigger() instanceof Triggers.EveryEventTime<?>) {
      eventTime(findings, node, "a trigger of event time");
    }
    return findings.problems;
  }

  private static void windows(Findings findings, Windows windows) {
    if (windows instanceof Windows.TimeWindows time) {
      findings.duration("window size", time.size(), true);
      if (!Objects.equals(time.size(), time.slide())) {
        findings.duration("window slide", time.slide(), true);
      }
      findings.length("window offset", time.offset());
    } else if (windows instanceof Windows.SessionWindows session) {
      findings.duration("session gap", session.gap(), true);
    } else if (windows instanceof Windows.CalendarWindows calendar && calendar.zone() == null) {
      findings.add("has calendar windows without a time zone", "name one, such as ZoneOffset.UTC");
    }
  }

  private static void trigger(Findings findings, String label, @Nullable Trigger<?> trigger) {
    if (trigger instanceof Triggers.EveryRecords<?> every && every.records() < 1) {
      findings.add(
          "has a " + label + " every " + every.records() + " records", "make it at least 1 record");
    } else if (trigger instanceof Triggers.EveryEventTime<?> every) {
      findings.duration(label + " period", every.period(), true);
    } else if (trigger instanceof Triggers.EveryProcessingTime<?> every) {
      findings.duration(label + " period", every.period(), true);
    }
  }

  private void eventTime(Findings findings, Node node, String what) {
    for (Node.SourceNode source : graph.sourcesOf(node)) {
      WatermarkStrategy<?, ?> watermarks = source.options().watermarks();
      if (!watermarks.hasEventTime()) {
        findings.add(
            "has " + what + " over source '" + source.name() + "', which has no event time",
            "give the source a watermark strategy: source(\""
                + source.name()
                + "\", ..., WatermarkStrategy.boundedOutOfOrderness(...))");
      } else if (watermarks.timestamps() == null && !source.source().hasTimestamps()) {
        findings.add(
            "has "
                + what
                + " over source '"
                + source.name()
                + "', whose records have no timestamps",
            "add timestamps(...) to the source's watermark strategy");
      }
    }
  }

  @Override
  public List<Problem> table(Node.TableNode node) {
    Findings findings = new Findings(node);
    Node.TableOperation operation = node.operation();
    if (operation instanceof Node.TableOperation.Latest latest) {
      findings.duration("allowed lateness", latest.allowedLateness(), false);
      if (!latest.allowedLateness().isZero()) {
        eventTime(findings, node, "an allowed lateness");
      }
      rows(findings, node.input());
      return findings.problems;
    }
    reads(findings, node.input());
    if (operation instanceof Node.TableOperation.MapValues map) {
      oneOf(findings, map.mapper(), map.keyedMapper());
    } else if (operation instanceof Node.TableOperation.GroupBy) {
      keys(findings, node);
    } else if (operation instanceof Node.TableOperation.Aggregate aggregate) {
      Aggregator<?, ?, ?> aggregator = aggregate.aggregation().aggregator();
      accumulators(findings, aggregate.aggregation(), node.input());
      ColumnAggregator<?, ?> columnar = aggregator.columnar();
      if (!(columnar == null ? aggregator.subtractable() : columnar.subtractable())) {
        findings.add(
            "aggregates a table, whose rows change, but its aggregate cannot take back what it has"
                + " added",
            "implement subtract and have subtractable() return true, or aggregate a stream:"
                + " toStream(name)");
      }
    }
    return findings.problems;
  }

  /** Reports an input that is no table. */
  private void reads(Findings findings, Port input) {
    if (graph.find(input.node()) != null && !graph.carriesChanges(input)) {
      findings.add(
          "reads '" + input + "', which is not a table", "make it one: groupByKey().toTable(name)");
    }
  }

  @Override
  public List<Problem> join(Node.JoinNode node) {
    Findings findings = new Findings(node);
    if (node.matching() instanceof Node.Matching.Tables) {
      reads(findings, node.left());
      reads(findings, node.right());
      bothSides(findings, node);
      return findings.problems;
    }
    if (node.matching() instanceof Node.Matching.AsOf) {
      reads(findings, node.right());
    } else if (node.matching() instanceof Node.Matching.Latest) {
      reads(findings, node.right());
      if (!node.allowedLateness().isZero() || node.lateLeft() != null || node.lateRight() != null) {
        findings.add(
            "joins with the latest row, for which nothing is late, and says what to do with late"
                + " rows",
            "leave allowedLateness, lateTo and lateUpdatesTo away, or join with asOf()");
      }
      bothSides(findings, node);
      return findings.problems;
    } else if (node.matching() instanceof Node.Matching.Between between) {
      if (findings.length("lower bound", between.from())
              & findings.length("upper bound", between.to())
          && between.from().compareTo(between.to()) > 0) {
        findings.add(
            "joins what is between "
                + Windows.text(between.from())
                + " and "
                + Windows.text(between.to())
                + " later, which is never",
            "state the smaller bound first: between(from, to)");
      }
    } else if (node.matching() instanceof Node.Matching.InWindow in) {
      windows(findings, in.windows());
    } else {
      findings.add(
          "does not say which rows it joins",
          "say between(from, to) or window(windows) before inner, left or outer");
    }
    findings.duration("allowed lateness", node.allowedLateness(), false);
    late(findings, node.lateLeft());
    late(findings, node.lateRight());
    if (node.lateLeft() != null && node.lateLeft().equals(node.lateRight())) {
      findings.add(
          "sends late rows of both sides to '" + node.lateLeft().name() + "'",
          "give each side an output of its own");
    }
    boolean global =
        node.matching() instanceof Node.Matching.InWindow in
            && in.windows() instanceof Windows.GlobalWindows;
    if (!global) {
      eventTime(findings, node, "a join by time");
    }
    bothSides(findings, node);
    return findings.problems;
  }

  private void bothSides(Findings findings, Node.JoinNode node) {
    sameKeys(findings, node);
    if (!(node.matching() instanceof Node.Matching.Latest)) {
      rows(findings, node.left());
    }
    rows(findings, node.right());
  }

  private static void late(Findings findings, @Nullable SideOutput<?, ?> output) {
    if (output != null) {
      findings.name("a late output", "late", output.name());
    }
  }

  /** Reports keys that cannot be equal. */
  private void sameKeys(Findings findings, Node.JoinNode node) {
    Type left = graph.type(node.left()).key();
    Type right = graph.type(node.right()).key();
    if (left != null && right != null && !left.equals(right)) {
      findings.add(
          "joins keys of type "
              + TypeNames.of(left)
              + " ('"
              + node.left()
              + "') with keys of type "
              + TypeNames.of(right)
              + " ('"
              + node.right()
              + "')",
          "give both sides keys of one type: groupBy(name, (key, value) -> ...)");
    } else if (graph.keyForm(node.left()) instanceof Inferred.Found one
        && graph.keyForm(node.right()) instanceof Inferred.Found other
        && !one.serde().schema().equals(other.serde().schema())) {
      findings.add(
          "joins keys that are written by serde '"
              + one.serde().name()
              + "' ('"
              + node.left()
              + "') with keys that are written by serde '"
              + other.serde().name()
              + "' ('"
              + node.right()
              + "'): equal keys would have different bytes",
          "state the same serde for both with typed(keySerde, valueSerde)");
    }
  }

  private void rows(Findings findings, Port side) {
    if (graph.find(side.node()) != null
        && graph.rowForm(side) instanceof Inferred.Missing missing) {
      findings.add(
          "keeps rows of '" + side + "', whose values have no serde: " + missing.reason(),
          "state the types with typed(KEY.class, VALUE.class) behind '" + side + "'");
    }
  }

  @Override
  public List<Problem> sink(Node.SinkNode node) {
    return List.of();
  }

  /** The problems of one node. */
  private static final class Findings {
    private final String node;
    private final List<Problem> problems = new ArrayList<>();

    Findings(Node node) {
      this.node = node.name();
    }

    void add(String message, String remedy) {
      problems.add(new Problem(node, message, remedy));
    }

    void name(String what, String otherwise, String name) {
      String fault = Names.fault(name);
      if (fault != null) {
        add(
            "has " + what + " with the illegal name '" + name + "': " + fault,
            "call it '" + Names.nearest(name, otherwise, Set.of()) + "'; " + Names.RULE);
      }
    }

    void optional(String label, @Nullable Duration duration) {
      if (duration != null) {
        duration(label, duration, true);
      }
    }

    void duration(String label, @Nullable Duration duration, boolean positive) {
      if (!length(label, duration) || duration == null) {
        return;
      }
      if (duration.isNegative() || (positive && duration.isZero())) {
        add(
            "has "
                + article(label)
                + " of "
                + (duration.isZero() ? "zero" : Windows.text(duration)),
            positive ? "make it 1 ms or more" : "make it zero or more");
      }
    }

    /** Reports a duration that is no long of milliseconds; whether it is one. */
    boolean length(String label, @Nullable Duration duration) {
      if (duration == null) {
        add("has no " + label, "state it");
        return false;
      }
      try {
        if (Duration.ofMillis(duration.toMillis()).equals(duration)) {
          return true;
        }
        add(
            "has " + article(label) + " of " + duration + ", which is no whole milliseconds",
            "round it: milliseconds are the unit of all timestamps");
      } catch (ArithmeticException e) {
        add(
            "has " + article(label) + " of " + duration + ", which is too long",
            "make it at most " + Long.MAX_VALUE + " ms");
      }
      return false;
    }

    private static String article(String label) {
      return ("aeiou".indexOf(label.charAt(0)) >= 0 ? "an " : "a ") + label;
    }
  }
}
