package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.record.Record;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code docs/joins.md} shows. */
class JoinsTest {
  private final TopologyBuilder builder = Topology.builder("shop");
  private final KeyedStream<String, Long> orders = keyed("orders");
  private final KeyedStream<String, Long> payments = keyed("payments");

  private KeyedStream<String, Long> keyed(String name) {
    return builder
        .source(
            name,
            CollectionSource.of(List.of(Record.of("order", 0L, 0))),
            WatermarkStrategy.<String, Long>monotonous())
        .groupByKey();
  }

  @Test
  void between() {
    // tag::between[]
    Stream<String, String> paid =
        orders
            .joinWith(payments)
            .between(Duration.ofMinutes(-1), Duration.ofHours(1))
            .left("paid", (order, payment) -> payment == null ? "unpaid" : order + " " + payment);
    // end::between[]
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(paid.sink("out", Sinks.none()).build())) {
      driver.<String, Long>input("orders").pipe("order", 5L, 100_000);
      driver.<String, Long>input("payments").pipe("order", 6L, 40_000);
      driver.<String, Long>input("orders").pipe("order", 7L, 3_600_000_000L);
      driver.end();
      assertThat(out(driver)).containsExactly("order=5 6@100000", "order=unpaid@3600000000");
    }
  }

  @Test
  void window() {
    // tag::window[]
    Stream<String, String> sameMinute =
        orders
            .joinWith(payments)
            .window(Windows.tumbling(Duration.ofMinutes(1)))
            .outer("same-minute", (order, payment) -> order + " " + payment);
    // end::window[]
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(sameMinute.sink("out", Sinks.none()).build())) {
      driver.<String, Long>input("orders").pipe("order", 5L, 59_999);
      driver.<String, Long>input("payments").pipe("order", 6L, 60_000);
      driver.end();
      assertThat(out(driver)).containsExactly("order=5 null@59999", "order=null 6@60000");
    }
  }

  private static List<String> out(TopologyTestDriver driver) {
    return driver.output("out").readAll().stream().map(Object::toString).toList();
  }
}
