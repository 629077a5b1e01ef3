package io.streamforge.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Branches;
import io.streamforge.Fakes;
import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.Port;
import io.streamforge.plan.Exchange.Kind;
import io.streamforge.plan.Exchange.Target;
import io.streamforge.record.KeyValue;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private final TopologyBuilder builder = Topology.builder("plan");

  private Stream<String, Long> source(String name) {
    return builder.source(
        name, Fakes.source(String.class, Long.class), WatermarkStrategy.monotonous());
  }

  private PhysicalPlan plan() {
    return Planner.plan(builder.build().graph(), 3, 128);
  }

  /** The plan's stages as lists of names. */
  private static List<List<String>> stages(PhysicalPlan plan) {
    return plan.stages().stream().map(Stage::nodes).toList();
  }

  private static List<String> reasons(PhysicalPlan plan) {
    return plan.exchanges().stream().map(e -> e.kind() + ": " + e.reason()).toList();
  }

  /** The reasons for exchanges behind {@code groupByKey} of this stream. */
  private List<String> groupedByKey(Stream<?, ?> stream) {
    stream.groupByKey("last").count("n").sink("out", Fakes.sink());
    return plan().exchanges().stream()
        .filter(exchange -> exchange.from().equals(Port.main("last")))
        .map(Exchange::reason)
        .toList();
  }

  @Test
  void nodesWithoutExchangeAreOneStage() {
    source("in")
        .filter("a", (key, value) -> true)
        .mapValues("b", value -> value)
        .sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(plan.stages()).containsExactly(new Stage(0, List.of("in", "a", "b", "out"), 3));
    assertThat(plan.exchanges()).isEmpty();
    assertThat(plan.keyGroups()).isEqualTo(128);
    assertThat(plan.job()).isEqualTo("plan");
  }

  @Test
  void recordsAreCombinedBeforeAnExchangeToOneWindowOverLongs() {
    var windowed =
        source("in")
            .groupBy("g", (key, value) -> value)
            .window(Windows.tumbling(Duration.ofMinutes(1)));
    windowed.count("n").sink("out", Fakes.sink());

    assertThat(plan().exchanges()).extracting(Exchange::combining).containsExactly(true);

    windowed.count("n2").sink("out2", Fakes.sink());

    assertThat(plan().exchanges()).extracting(Exchange::combining).containsExactly(false);
  }

  @Test
  void recordsAreNotCombinedForObjectsOrBeforeAWindowCloses() {
    var keyed = source("a").groupBy("g", (key, value) -> value);
    keyed
        .window(Windows.tumbling(Duration.ofMinutes(1)))
        .aggregate("most", Aggregates.max((Long value) -> value))
        .sink("out", Fakes.sink());
    source("b").groupBy("h", (key, value) -> value).count("all").sink("out2", Fakes.sink());
    source("c")
        .groupBy("i", (key, value) -> value)
        .window(Windows.tumbling(Duration.ofMinutes(1)))
        .trigger(Triggers.everyRecords(10))
        .count("early")
        .sink("out3", Fakes.sink());

    assertThat(plan().exchanges()).extracting(Exchange::combining).containsOnly(false);
  }

  @Test
  void nodeThatGroupsIsTheLastOfItsStage() {
    source("in").groupBy("g", (key, value) -> value).count("n").sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(stages(plan)).containsExactly(List.of("in", "g"), List.of("n", "out"));
    assertThat(plan.exchanges())
        .containsExactly(
            new Exchange(
                0,
                Port.main("g"),
                0,
                List.of(new Target("n", 0)),
                1,
                Kind.HASH,
                false,
                "groupBy 'g' gives each record its key"));
  }

  @Test
  void allReadersOfAnExchangedOutputShareOneExchange() {
    KeyedStream<Long, Long> keyed = source("in").groupBy("g", (key, value) -> value);
    keyed.count("n").sink("ns", Fakes.sink());
    keyed.sum("s", value -> value).sink("ss", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(stages(plan)).containsExactly(List.of("in", "g"), List.of("n", "ns", "s", "ss"));
    assertThat(plan.exchanges()).hasSize(1);
    assertThat(plan.exchanges().get(0).targets())
        .containsExactly(new Target("n", 0), new Target("s", 0));
  }

  @Test
  void equalKeyingIsNotExchangedTwice() {
    SideOutput<String, Long> late = SideOutput.of("late");
    var windowed =
        source("in")
            .groupByKey()
            .count("n")
            .filter("f", (key, n) -> n > 1)
            .peek("p", (key, n) -> {})
            .mapValues("m", n -> n + 1)
            .flatMapValues("fm", n -> List.of(n))
            .groupByKey()
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .lateTo(late)
            .sum("w", n -> n);
    windowed.groupByKey().count("n2").sink("out", Fakes.sink());
    windowed.sideOutput(late).groupByKey().count("n3").sink("out2", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(reasons(plan))
        .containsExactly("HASH: groupByKey: source 'in' is not partitioned by key");
    assertThat(plan.stages()).hasSize(2);
  }

  @Test
  void groupByKeyBehindABranchOfAGroupedStreamIsNotExchanged() {
    Branches<String, Long> branches =
        source("in")
            .groupByKey()
            .count("c")
            .split("s")
            .branch("a", (key, n) -> n > 1)
            .otherwise("b");
    branches.stream("b").sink("bs", Fakes.sink());

    assertThat(groupedByKey(branches.stream("a"))).isEmpty();
  }

  @Test
  void mergeOfGroupedStreamsIsGrouped() {
    Stream<String, Long> left = source("left").groupByKey().count("l");
    Stream<String, Long> right = source("right").groupByKey().count("r");

    assertThat(groupedByKey(left.merge("both", right))).isEmpty();
  }

  @Test
  void mergeWithAStreamThatIsNotGroupedIsNotGrouped() {
    Stream<String, Long> left = source("left").groupByKey().count("l");

    assertThat(groupedByKey(left.merge("both", source("right"))))
        .containsExactly(
            "groupByKey: of what merge 'both' joins, source 'right' is not partitioned by key");
  }

  @Test
  void mapLosesTheKey() {
    assertThat(
            groupedByKey(
                source("in")
                    .groupByKey()
                    .count("c")
                    .map("m", (key, n) -> KeyValue.of(key, n))
                    .typed(String.class, Long.class)))
        .containsExactly("groupByKey: map 'm' may change keys");
  }

  @Test
  void flatMapLosesTheKey() {
    assertThat(
            groupedByKey(
                source("in")
                    .groupByKey()
                    .count("c")
                    .flatMap("m", (key, n) -> List.of(KeyValue.of(key, n)))
                    .typed(String.class, Long.class)))
        .containsExactly("groupByKey: flatMap 'm' may change keys");
  }

  @Test
  void selectKeyLosesTheKey() {
    assertThat(groupedByKey(source("in").groupByKey().count("c").selectKey("k", (key, n) -> n)))
        .containsExactly("groupByKey: selectKey 'k' changes keys");
  }

  @Test
  void processLosesTheKey() {
    assertThat(groupedByKey(source("in").groupByKey().process("p", Same::new)))
        .containsExactly("groupByKey: process 'p' may emit other keys");
  }

  @Test
  void rebalanceLosesTheKey() {
    assertThat(groupedByKey(source("in").groupByKey().count("c").rebalance("r")))
        .containsExactly("groupByKey: rebalance 'r' spreads records whatever their keys");
  }

  @Test
  void groupByWithASelectorIsAlwaysExchanged() {
    source("in")
        .groupByKey()
        .count("c")
        .groupBy("again", (key, n) -> key)
        .count("n")
        .sink("out", Fakes.sink());

    assertThat(reasons(plan()))
        .containsExactly(
            "HASH: groupByKey: source 'in' is not partitioned by key",
            "HASH: groupBy 'again' gives each record its key");
  }

  @Test
  void rebalanceIsTheLastOfItsStage() {
    source("in").rebalance("r").peek("p", (key, value) -> {}).sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(stages(plan)).containsExactly(List.of("in", "r"), List.of("p", "out"));
    assertThat(reasons(plan)).containsExactly("REBALANCE: rebalance 'r' spreads records evenly");
  }

  @Test
  void mergeOfDifferentStagesBeginsAStage() {
    source("a").merge("all", source("b")).sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(stages(plan)).containsExactly(List.of("a"), List.of("b"), List.of("all", "out"));
    assertThat(plan.exchanges())
        .containsExactly(
            new Exchange(
                0,
                Port.main("a"),
                0,
                List.of(new Target("all", 0)),
                2,
                Kind.FORWARD,
                false,
                "merge 'all' joins streams of different stages"),
            new Exchange(
                1,
                Port.main("b"),
                1,
                List.of(new Target("all", 1)),
                2,
                Kind.FORWARD,
                false,
                "merge 'all' joins streams of different stages"));
  }

  @Test
  void mergeWithinAStageIsFused() {
    Stream<String, Long> in = source("in");
    in.filter("f", (key, value) -> true)
        .merge("all", in.filterNot("g", (key, value) -> true), in)
        .sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(stages(plan)).containsExactly(List.of("in", "f", "g", "all", "out"));
    assertThat(plan.exchanges()).isEmpty();
  }

  @Test
  void mergeOfARebalancedStreamWithAnotherHasAnExchangeOfItsOwn() {
    Stream<String, Long> spread = source("in").rebalance("r");
    spread.sink("direct", Fakes.sink());
    spread.merge("all", source("other")).sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(stages(plan))
        .containsExactly(
            List.of("in", "r"), List.of("other"), List.of("direct"), List.of("all", "out"));
    assertThat(plan.exchanges())
        .extracting(e -> e.from() + " " + e.kind() + " " + e.toStage() + " " + e.targets())
        .containsExactly(
            "r REBALANCE 2 [Target[node=direct, input=0]]",
            "r REBALANCE 3 [Target[node=all, input=0]]",
            "other FORWARD 3 [Target[node=all, input=1]]");
  }

  @Test
  void mergeOfAStreamWithItselfSharesTheExchange() {
    Stream<String, Long> spread = source("in").rebalance("r");
    spread.merge("all", spread).sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    assertThat(plan.exchanges()).hasSize(1);
    assertThat(plan.exchanges().get(0).targets())
        .containsExactly(new Target("all", 0), new Target("all", 1));
  }

  @Test
  void stagesOfSourcesComeFirst() {
    source("a").rebalance("r").sink("x", Fakes.sink());
    source("b").sink("y", Fakes.sink());

    assertThat(stages(plan())).containsExactly(List.of("a", "r"), List.of("b", "y"), List.of("x"));
  }

  @Test
  void exchangesOfAStageAreFound() {
    source("in").groupByKey().count("n").rebalance("r").sink("out", Fakes.sink());

    PhysicalPlan plan = plan();

    Stage middle = plan.stages().get(1);
    assertThat(plan.inputsOf(middle)).extracting(Exchange::id).containsExactly(0);
    assertThat(plan.outputsOf(middle)).extracting(Exchange::id).containsExactly(1);
  }

  @Test
  void parallelismBelowOneIsRefused() {
    source("in").sink("out", Fakes.sink());

    assertThatThrownBy(() -> Planner.plan(builder.build().graph(), 0, 128))
        .hasMessage("parallelism must be at least 1: 0");
  }

  private static final class Same implements Processor<String, Long, String, Long> {
    @Override
    public void process(String key, Long value, ProcessorContext<String, Long> context) {
      context.emit(key, value);
    }
  }
}
