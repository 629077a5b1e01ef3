package io.streamforge.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Branches;
import io.streamforge.Fakes;
import io.streamforge.Golden;
import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.function.Aggregates;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.serde.Serdes;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Triggers;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ExplainTest {
  record Order(String customer, long amount) {}

  private static List<String> words(String line) {
    return List.of(line.split(" "));
  }

  private static Topology wordCount() {
    return Topology.builder("wordcount")
        .source("lines", Fakes.lines())
        .flatMapValues("split", ExplainTest::words)
        .filter("no-blanks", (key, word) -> !word.isEmpty())
        .groupBy("word", (key, word) -> word)
        .count("counter")
        .sink("output", Fakes.sink())
        .build();
  }

  private static Topology orders() {
    TopologyBuilder builder = Topology.builder("orders");
    Stream<String, Order> web =
        builder.source(
            "web",
            Fakes.source(String.class, Order.class),
            WatermarkStrategy.<String, Order>boundedOutOfOrderness(Duration.ofSeconds(5))
                .idleAfter(Duration.ofMinutes(1)));
    Stream<String, Order> shop =
        builder.source(
            "shop", Fakes.source(String.class, Order.class), WatermarkStrategy.monotonous());
    Branches<String, Order> bySize =
        web.merge("all", shop)
            .split("by-size")
            .branch("big", (key, order) -> order.amount() > 1000)
            .otherwise("small", small -> small.sink("smalls", Fakes.sink()));
    KeyedStream<String, Order> byCustomer =
        bySize.stream("big").groupBy("customer", (key, order) -> order.customer());
    byCustomer
        .count("count")
        .filter("frequent", (key, count) -> count > 2)
        .groupByKey()
        .sum("total", count -> count)
        .sink("totals", Fakes.sink());
    SideOutput<String, Order> late = SideOutput.of("late");
    var hourly =
        byCustomer
            .window(Windows.tumbling(Duration.ofHours(1)))
            .allowedLateness(Duration.ofMinutes(1))
            .lateTo(late)
            .sum("hourly", Order::amount);
    hourly.sink("hours", Fakes.sink());
    hourly.sideOutput(late).sink("lates", Fakes.sink());
    byCustomer.process("dedup", Dedup::new).rebalance("spread").sink("deduped", Fakes.sink());
    byCustomer
        .window(Windows.session(Duration.ofMinutes(5)))
        .trigger(Triggers.everyRecords(10))
        .discarding()
        .aggregate(
            "visits",
            Aggregates.both(
                Aggregates.count(),
                Aggregates.average(order -> order.amount()),
                (count, mean) -> count + mean))
        .sink("visit-sink", Fakes.sink());
    return builder
        .previously("dedup", "distinct")
        .previously("dedup", "once")
        .previously("deduped", "out")
        .build();
  }

  private static final class Dedup implements Processor<String, Order, String, Order> {
    @Override
    public void states(StateDeclarations states) {
      states.value("last", Order.class);
      TimeToLive hour = TimeToLive.of(Duration.ofHours(1));
      states.previously("ids").expiring(hour).map("seen", String.class, Long.class);
      states.expiring(hour.inProcessingTime().renewedByReads()).longValue("times");
      states.list("notes", Serdes.string());
    }

    @Override
    public void process(String key, Order order, ProcessorContext<String, Order> context) {}
  }

  @Test
  void textShowsStagesNodesTypesAndExchanges() {
    Golden.assertMatches("explain/wordcount.txt", wordCount().explain().toString());
  }

  @Test
  void textShowsWindowsStateBranchesAndMerges() {
    Golden.assertMatches("explain/orders.txt", orders().explain(2).text());
  }

  @Test
  void jsonIsValidAndComplete() {
    JsonNode json = JsonMapper.shared().readTree(orders().explain(4).json());

    assertThat(json.get("topology").stringValue()).isEqualTo("orders");
    assertThat(json.get("parallelism").intValue()).isEqualTo(4);
    assertThat(json.get("stages")).hasSize(5);
    assertThat(json.at("/stages/2/nodes/1").toString())
        .isEqualTo(
            "{\"name\":\"by-size\",\"kind\":\"split\",\"inputs\":[\"all\"],\"outputs\":["
                + "{\"port\":\"by-size/big\",\"key\":\"String\",\"value\":\"Order\"},"
                + "{\"port\":\"by-size/small\",\"key\":\"String\",\"value\":\"Order\"}],"
                + "\"notes\":{\"branch big\":\"if lambda in ExplainTest.orders\","
                + "\"branch small\":\"all that is left\"}}");
    assertThat(json.at("/exchanges/2").toString())
        .isEqualTo(
            "{\"id\":2,\"kind\":\"hash\",\"from\":\"customer\",\"fromStage\":2,\"toStage\":3,"
                + "\"targets\":[\"count\",\"hourly\",\"dedup\",\"visits\"],"
                + "\"combining\":false,\"reason\":\"groupBy 'customer' gives each record its key\"}");
  }

  @Test
  void jsonOfAnyParallelismHasNone() {
    JsonNode json = JsonMapper.shared().readTree(wordCount().explain().json());

    assertThat(json.get("parallelism").isNull()).isTrue();
  }

  @Test
  void jsonEscapesWhatHasTo() {
    String json = JsonWriter.write(List.of("\"\\\n\r\t\u0001\uD83D\uDE00é"));

    assertThat(json).isEqualTo("[\n  \"\\\"\\\\\\n\\r\\t\\u0001\\ud83d\\ude00é\"\n]\n");
    assertThat(JsonMapper.shared().readTree(json).get(0).stringValue())
        .isEqualTo("\"\\\n\r\t\u0001\uD83D\uDE00é");
  }

  @Test
  void mermaidHasABoxForEachStage() {
    assertThat(wordCount().explain(4).mermaid())
        .isEqualTo(
            """
            flowchart TB
              subgraph stage0["stage 0, 4 tasks"]
                n0(["<b>lines</b><br/>source lines of a.txt"])
                n1["<b>split</b><br/>flatMapValues ExplainTest::words"]
                n2["<b>no-blanks</b><br/>filter lambda in ExplainTest.wordCount"]
                n3["<b>word</b><br/>groupBy lambda in ExplainTest.wordCount"]
              end
              subgraph stage1["stage 1, 4 tasks"]
                n4["<b>counter</b><br/>count"]
                n5[/"<b>output</b><br/>sink nowhere"/]
              end
              n0 --> n1
              n1 --> n2
              n2 --> n3
              n3 ==>|"hash"| n4
              n4 --> n5
            """);
  }
}
