package io.streamforge.testkit.golden;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Table;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.error.ErrorPolicy;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.record.Record;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The topologies of the golden cases, by the name of the case's folder. All sources are of strings.
 */
final class GoldenTopologies {
  private GoldenTopologies() {}

  static Map<String, Supplier<Topology>> all() {
    Map<String, Supplier<Topology>> all = new TreeMap<>();
    all.put("word-count", GoldenTopologies::wordCount);
    all.put("running-aggregates", GoldenTopologies::runningAggregates);
    all.put("tumbling-with-lateness", GoldenTopologies::tumblingWithLateness);
    all.put("sliding", GoldenTopologies::sliding);
    all.put("sessions", GoldenTopologies::sessions);
    all.put("early-and-discarding", GoldenTopologies::earlyAndDiscarding);
    all.put("calendar-days", GoldenTopologies::calendarDays);
    all.put("branches-and-merge", GoldenTopologies::branchesAndMerge);
    all.put("keyed-alike-is-not-exchanged-twice", GoldenTopologies::keyedAlike);
    all.put("timers", GoldenTopologies::timers);
    all.put("two-sources", GoldenTopologies::twoSources);
    all.put("join-between", GoldenTopologies::joinBetween);
    all.put("join-windows", () -> joinWindows(Windows.tumbling(Duration.ofMillis(10))));
    all.put("join-sessions", () -> joinWindows(Windows.session(Duration.ofMillis(5))));
    all.put("join-as-of", GoldenTopologies::joinAsOf);
    all.put("table-aggregate", GoldenTopologies::tableAggregate);
    all.put("table-join", GoldenTopologies::tableJoin);
    all.put("error-policies", GoldenTopologies::errorPolicies);
    all.put("error-null-key", GoldenTopologies::nullKey);
    all.put("error-failing-function", GoldenTopologies::failingFunction);
    all.put("error-many-problems", GoldenTopologies::manyProblems);
    return all;
  }

  private static CollectionSource<String, String> strings() {
    return CollectionSource.of(List.of(Record.of("k", "v", 0)));
  }

  private static WatermarkStrategy<String, String> inOrder() {
    return WatermarkStrategy.monotonous();
  }

  private static Stream<String, String> in(String topology) {
    return Topology.builder(topology).source("in", strings(), inOrder());
  }

  private static Topology errorPolicies() {
    return Topology.builder("error-policies")
        .onError(ErrorPolicy.skip())
        .source("in", strings(), inOrder())
        .mapValues("number", Long::parseLong)
        .onError(ErrorPolicy.deadLetter(Sinks.none()))
        .groupBy("sign", (key, number) -> number == 0 ? null : Long.signum(number))
        .sum("sum", number -> number)
        .sink("out", Sinks.none())
        .onError("sum", ErrorPolicy.fail())
        .build();
  }

  private static Topology wordCount() {
    return in("word-count")
        .flatMapValues("split", line -> Arrays.asList(line.split("_")))
        .filterNot("no-empty", (key, word) -> word.isEmpty())
        .groupBy("word", (key, word) -> word)
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology runningAggregates() {
    return in("running-aggregates")
        .mapValues("number", Long::parseLong)
        .groupByKey()
        .aggregate(
            "totals",
            Aggregates.three(
                Aggregates.<Long>count(),
                Aggregates.<Long>sum(n -> n),
                Aggregates.<Long, Long>max(n -> n),
                (count, sum, max) -> count + " values, sum " + sum + ", max " + max))
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology tumblingWithLateness() {
    SideOutput<String, String> late = SideOutput.of("late");
    return in("tumbling-with-lateness")
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(10)))
        .allowedLateness(Duration.ofMillis(5))
        .lateTo(late)
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology sliding() {
    return in("sliding")
        .mapValues("number", Long::parseLong)
        .groupByKey()
        .window(Windows.sliding(Duration.ofMillis(10), Duration.ofMillis(4)))
        .sum("sum", n -> n)
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology sessions() {
    return in("sessions")
        .groupByKey()
        .window(Windows.session(Duration.ofMillis(5)))
        .allowedLateness(Duration.ofMillis(10))
        .reduce("joined", (left, right) -> left + right)
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology earlyAndDiscarding() {
    return in("early-and-discarding")
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(100)))
        .trigger(Triggers.everyRecords(2))
        .discarding()
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology calendarDays() {
    return in("calendar-days")
        .groupByKey()
        .window(Windows.days(ZoneId.of("Europe/Berlin")))
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology branchesAndMerge() {
    var branches =
        in("branches-and-merge")
            .split("by-size")
            .branch("small", (key, value) -> value.length() < 3)
            .branch("large", (key, value) -> value.length() > 5);
    Stream<String, String> small = branches.stream("small").mapValues("mark", v -> v + "!");
    return small.merge("all", branches.stream("large")).sink("out", Sinks.none()).build();
  }

  private static Topology keyedAlike() {
    return in("keyed-alike")
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(10)))
        .count("per-window")
        .filter("busy", (key, windowed) -> windowed.value() > 1)
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(100)))
        .count("busy-windows")
        .sink("out", Sinks.none())
        .build();
  }

  /** Emits how many records a key has had, 10 ms of event time after its last one. */
  private static final class Quiet implements Processor<String, String, String, Long> {
    private LongState count;
    private LongState deadline;

    @Override
    public void states(StateDeclarations states) {
      count = states.longValue("count");
      deadline = states.longValue("deadline");
    }

    @Override
    public void process(String key, String value, ProcessorContext<String, Long> context) {
      count.add(1);
      if (deadline.get() != 0) {
        context.timers().deleteEventTimer(deadline.get());
      }
      deadline.set(context.timestampMillis() + 10);
      context.timers().setEventTimer(deadline.get());
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Long> context) {
      context.emit(key, count.get());
      count.clear();
      deadline.clear();
    }
  }

  private static Topology timers() {
    return in("timers").groupByKey().process("quiet", Quiet::new).sink("out", Sinks.none()).build();
  }

  private static Topology twoSources() {
    TopologyBuilder builder = Topology.builder("two-sources");
    Stream<String, String> left = builder.source("left", strings(), inOrder());
    Stream<String, String> right = builder.source("right", strings(), inOrder());
    return left.merge("both", right)
        .groupByKey()
        .window(Windows.tumbling(Duration.ofMillis(10)))
        .count("count")
        .sink("out", Sinks.none())
        .build();
  }

  private static KeyedStream<String, String> keyed(TopologyBuilder builder, String name) {
    return builder.source(name, strings(), inOrder()).groupByKey();
  }

  private static Topology joinBetween() {
    TopologyBuilder builder = Topology.builder("join-between");
    return keyed(builder, "left")
        .joinWith(keyed(builder, "right"))
        .between(Duration.ofMillis(-2), Duration.ofMillis(5))
        .lateRightTo(SideOutput.of("late"))
        .outer("joined", GoldenTopologies::both)
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology joinWindows(Windows windows) {
    TopologyBuilder builder = Topology.builder("join-windows");
    return keyed(builder, "left")
        .joinWith(keyed(builder, "right"))
        .window(windows)
        .left("joined", GoldenTopologies::both)
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology joinAsOf() {
    TopologyBuilder builder = Topology.builder("join-as-of");
    Table<String, String> rows =
        keyed(builder, "updates")
            .toTable("rows")
            .filterNot("hidden", (key, row) -> row.equals("x"));
    return keyed(builder, "records")
        .joinWith(rows)
        .left("joined", GoldenTopologies::both)
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology tableAggregate() {
    return in("table-aggregate")
        .groupByKey()
        .toTable("cities")
        .groupBy("by-city", (customer, city) -> city)
        .count("customers")
        .toStream("changes")
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology tableJoin() {
    TopologyBuilder builder = Topology.builder("table-join");
    return keyed(builder, "left")
        .toTable("lefts")
        .joinWith(keyed(builder, "right").toTable("rights"))
        .outer("joined", GoldenTopologies::both)
        .toStream("changes")
        .sink("out", Sinks.none())
        .build();
  }

  private static String both(@Nullable String left, @Nullable String right) {
    return left + "+" + right;
  }

  private static Topology nullKey() {
    return in("null-key").groupByKey().count("count").sink("out", Sinks.none()).build();
  }

  private static Topology failingFunction() {
    return in("failing-function")
        .mapValues("trim", value -> value.trim())
        .mapValues("parse", value -> Integer.parseInt(value))
        .mapValues("double", value -> value * 2)
        .sink("out", Sinks.none())
        .build();
  }

  private static Topology manyProblems() {
    return Topology.builder("many-problems")
        .source("in", strings())
        .filter("fil ter", (key, value) -> true)
        .groupByKey()
        .window(Windows.tumbling(Duration.ZERO))
        .count("in")
        .sink("out", Sinks.none())
        .build();
  }
}
