package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.engine.Engine;
import io.streamforge.engine.StateQuery;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.Record;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What {@code docs/state.md} shows of queries. */
class QueriesTest {
  private final InMemoryChannel<String, Long> orders = Sources.channel(100);

  private static final class Basket implements Processor<String, Long, String, Long> {
    private ListState<Long> items;
    private LongState total;

    @Override
    public void states(StateDeclarations states) {
      items = states.list("items", Long.class);
      total = states.longValue("total");
    }

    @Override
    public void process(String key, Long price, ProcessorContext<String, Long> context) {
      items.add(price);
      context.emit(key, total.add(price));
    }
  }

  @Test
  void countOfARunningJobIsQueried() throws Exception {
    CountDownLatch shown = new CountDownLatch(3);
    Topology topology =
        Topology.builder("shop")
            .source("orders", orders)
            .typed(String.class, Long.class)
            .groupByKey("by-product")
            .count("counts")
            .sink("out", Sinks.forEach(record -> shown.countDown()))
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(2).build())) {
      orders.send("tea", 3L);
      orders.send("tea", 4L);
      orders.send("milk", 1L);
      shown.await();
      // tag::count[]
      StateQuery<Long> counts = engine.query("counts");
      Long teas = counts.get("tea"); // 2; null for a product that was never ordered
      // end::count[]
      assertThat(teas).isEqualTo(2);
      assertThat(counts.get("coffee")).isNull();

      // tag::async[]
      CompletableFuture<String> label =
          counts.within(Duration.ofSeconds(1)).getAsync("tea").thenApply(n -> n + " teas");
      // end::async[]
      assertThat(label.get()).isEqualTo("2 teas");
      assertThatThrownBy(() -> engine.query("out"))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_INVALID))
          .hasMessageContaining("Nodes with state: 'counts'.");
    }
  }

  @Test
  void stateOfAProcessorIsQueriedByName() throws Exception {
    CountDownLatch shown = new CountDownLatch(2);
    Topology topology =
        Topology.builder("shop")
            .source("orders", orders)
            .typed(String.class, Long.class)
            .groupByKey("by-customer")
            .process("baskets", Basket::new)
            .sink("out", Sinks.forEach(record -> shown.countDown()))
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(2).build())) {
      orders.send("ann", 3L);
      orders.send("ann", 4L);
      shown.await();
      // tag::state[]
      List<Long> items = engine.query("baskets").<List<Long>>state("items").get("ann");
      Long total = engine.query("baskets").<Long>state("total").get("ann");
      // end::state[]
      assertThat(items).containsExactly(3L, 4L);
      assertThat(total).isEqualTo(7);
    }
  }

  @Test
  void windowsAreQueriedBeforeTheyClose() throws Exception {
    InMemoryChannel<String, Long> timed = InMemoryChannel.timestamped(100);
    Topology topology =
        Topology.builder("shop")
            .source("orders", timed, WatermarkStrategy.<String, Long>monotonous())
            .typed(String.class, Long.class)
            .groupByKey("by-product")
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .sum("per-minute", amount -> amount)
            .sink("out", Sinks.none())
            .build();
    try (Engine engine = Engine.start(topology, EngineConfig.builder().parallelism(2).build())) {
      timed.send(Record.of("tea", 3L, 10_000));
      timed.send(Record.of("tea", 4L, 50_000));
      awaitText("[[0,60000)=7]", () -> engine.query("per-minute").get("tea"));
      // tag::windows[]
      StateQuery<List<Windowed<Long>>> perMinute = engine.query("per-minute");
      List<Windowed<Long>> teas = perMinute.get("tea"); // the minute that is still open
      // end::windows[]
      assertThat(teas).hasToString("[[0,60000)=7]");
    }
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      driver.<String, Long>input("orders").pipe("tea", 3L, 10_000).pipe("tea", 4L, 50_000);
      assertThat(driver.query("per-minute", "tea")).hasToString("[[0,60000)=7]");
    }
  }

  /** Records take a moment to come to the node. */
  private static void awaitText(String expected, Callable<Object> query) throws Exception {
    for (int i = 0; i < 100_000 && !expected.equals(String.valueOf(query.call())); i++) {
      Thread.onSpinWait();
    }
  }
}
