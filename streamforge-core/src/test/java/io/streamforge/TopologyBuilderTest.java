package io.streamforge;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.function.Aggregates;
import io.streamforge.function.SideOutput;
import io.streamforge.graph.Node;
import io.streamforge.record.KeyValue;
import io.streamforge.source.SourceOptions;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That topologies read well, and that each method adds the node that it says. */
class TopologyBuilderTest {
  private static final Set<String> STOP_WORDS = Set.of("the", "a");

  record Order(String customer, long amount, double weight) {}

  record Summary(long count, double mean) {}

  private static List<String> words(String line) {
    return Arrays.asList(line.split(" "));
  }

  @Test
  void wordCountOfTheReadmeCompiles() {
    Topology topology =
        Topology.builder("wordcount")
            .source("lines", Fakes.lines())
            .flatMapValues("split", line -> words(line))
            .filter("no-stop-words", (key, word) -> !STOP_WORDS.contains(word))
            .groupBy("word", (key, word) -> word)
            .count("counter")
            .sink("output", Fakes.sink())
            .build();

    assertThat(topology.name()).isEqualTo("wordcount");
    assertThat(topology.graph().nodes())
        .extracting(Node::name)
        .containsExactly("lines", "split", "no-stop-words", "word", "counter", "output");
  }

  @Test
  void windowedCountOfTheReadmeCompiles() {
    Topology topology =
        Topology.builder("per-minute")
            .source(
                "orders", Fakes.source(String.class, Order.class), WatermarkStrategy.monotonous())
            .groupByKey()
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .count("per-minute")
            .sink("output", Fakes.sink())
            .build();

    assertThat(topology.graph().nodes())
        .extracting(Node::name)
        .containsExactly("orders", "orders/by-key", "per-minute", "output");
  }

  @Test
  void everyOperatorFindsItsTypes() {
    TopologyBuilder builder = Topology.builder("all");
    Stream<String, Order> orders =
        builder.source(
            "orders",
            Fakes.source(String.class, Order.class),
            SourceOptions.watermarks(WatermarkStrategy.<String, Order>monotonous()).maxRate(1000));
    Stream<String, Long> amounts =
        orders
            .peek("look", (key, order) -> {})
            .filterNot("no-gifts", (key, order) -> order.amount() == 0)
            .mapValues("amount", Order::amount);
    Stream<Long, String> swapped =
        amounts.map("swap", (key, amount) -> KeyValue.of(amount, key)).rebalance("spread");
    Stream<String, Integer> lengths =
        swapped
            .flatMap("twice", (amount, key) -> List.of(KeyValue.of(key, 1), KeyValue.of(key, 2)))
            .flatMapStream(
                "again", (key, i) -> IntStream.range(0, i).mapToObj(j -> KeyValue.of(key, j)))
            .<String, Integer>flatMapTo("push", (key, i, output) -> output.emit(key, i))
            .flatMapValues("values", i -> List.of(i, i))
            .flatMapValuesStream("more", i -> java.util.stream.Stream.of(i))
            .<Integer>flatMapValuesTo("most", (i, output) -> output.emit(i))
            .mapValuesWithKey("with-key", (key, i) -> key.length() + i)
            .selectKey("keyed", (key, i) -> key + i)
            .typed(String.class, Integer.class);
    lengths
        .merge("together", lengths, lengths.filter("odd", (key, i) -> i % 2 == 1))
        .sink("lengths", Fakes.sink());

    Branches<String, Order> bySize =
        orders
            .split("by-size")
            .branch("big", (key, order) -> order.amount() > 100)
            .branch(
                "small",
                (key, order) -> order.amount() > 10,
                small -> small.sink("smalls", Fakes.sink()))
            .otherwise("rest");
    bySize.stream("big").sink("bigs", Fakes.sink());
    bySize.stream("rest").sink("rests", Fakes.sink());

    KeyedStream<String, Order> byCustomer =
        orders.groupBy("customer", (key, order) -> order.customer());
    Stream<String, Long> counts = byCustomer.count("count");
    Stream<String, Long> sums = byCustomer.sum("sum", Order::amount);
    Stream<String, Double> weights = byCustomer.sumDouble("weight", Order::weight);
    Stream<String, Double> means = byCustomer.average("mean", order -> order.weight());
    Stream<String, Long> least = byCustomer.min("min", order -> order.amount());
    Stream<String, String> greatest = byCustomer.max("max", Order::customer);
    Stream<String, Order> reduced =
        byCustomer.reduce("reduce", (left, right) -> left.amount() > right.amount() ? left : right);
    Stream<String, Summary> summaries =
        byCustomer.aggregate(
            "both",
            Aggregates.both(
                Aggregates.count(),
                Aggregates.average(order -> order.weight()),
                (count, mean) -> new Summary(count, mean)));
    Stream<String, Map<String, Object>> all =
        byCustomer.aggregate(
            "map",
            Aggregates.<Order>all(
                Map.of("n", Aggregates.count(), "w", Aggregates.sumDouble(Order::weight))));
    for (Stream<String, ?> stream :
        List.of(counts, sums, weights, means, least, greatest, reduced, summaries, all)) {
      stream.sink(stream.port().node() + "-sink", Fakes.sink());
    }

    SideOutput<String, Order> late = SideOutput.of("late");
    Stream<String, Windowed<Long>> windowed =
        byCustomer
            .window(Windows.sliding(Duration.ofHours(1), Duration.ofMinutes(5)))
            .allowedLateness(Duration.ofMinutes(1))
            .trigger(Triggers.everyRecords(10))
            .lateTrigger(Triggers.everyProcessingTime(Duration.ofSeconds(1)))
            .discarding()
            .accumulating()
            .lateTo(late)
            .sum("hourly", Order::amount);
    windowed.sink("hours", Fakes.sink());
    windowed.sideOutput(late).sink("late", Fakes.sink());

    Topology topology = builder.build();

    assertThat(topology.graph().type(windowed.port()).value()).hasToString("Windowed<Long>");
    assertThat(topology.graph().type(greatest.port()).value()).isEqualTo(String.class);
    assertThat(topology.graph().type(summaries.port()).value()).isEqualTo(Summary.class);
  }

  @Test
  void groupingTheSameStreamByItsKeyTwiceMakesOneNode() {
    TopologyBuilder builder = Topology.builder("twice");
    Stream<String, Long> stream = builder.source("in", Fakes.source(String.class, Long.class));
    stream.groupByKey().count("count").sink("counts", Fakes.sink());
    stream.groupByKey().sum("sum", value -> value).sink("sums", Fakes.sink());

    assertThat(builder.build().graph().nodes())
        .extracting(Node::name)
        .containsExactly("in", "in/by-key", "count", "counts", "sum", "sums");
  }
}
