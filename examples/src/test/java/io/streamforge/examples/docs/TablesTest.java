package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.KeyedStream;
import io.streamforge.Stream;
import io.streamforge.Table;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.collection.CollectionSource;
import io.streamforge.record.Record;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code docs/tables.md} shows. */
class TablesTest {
  private final TopologyBuilder builder = Topology.builder("shop");

  private <V> KeyedStream<String, V> keyed(String name, V example) {
    return builder
        .source(
            name,
            CollectionSource.of(List.of(Record.of("key", example, 0))),
            WatermarkStrategy.<String, V>monotonous())
        .groupByKey();
  }

  @Test
  void asOf() {
    KeyedStream<String, Long> updates = keyed("updates", 0L);
    KeyedStream<String, Long> orders = keyed("orders", 0L);
    // tag::table[]
    Table<String, Long> prices = updates.toTable("prices");
    // end::table[]
    // tag::asOf[]
    Stream<String, Long> priced =
        orders.joinWith(prices).inner("priced", (pieces, price) -> pieces * price);
    // end::asOf[]
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(priced.sink("out", Sinks.none()).build())) {
      driver.<String, Long>input("updates").pipe("tea", 3L, 0);
      driver.<String, Long>input("updates").pipe("tea", 4L, 10);
      driver.<String, Long>input("orders").pipe("tea", 2L, 9);
      driver.<String, Long>input("orders").pipe("tea", 2L, 10);
      driver.end();
      assertThat(out(driver)).containsExactly("tea=6@9", "tea=8@10");
    }
  }

  @Test
  void aggregate() {
    Table<String, String> cities = keyed("moves", "").toTable("cities");
    // tag::aggregate[]
    Table<String, Long> customers =
        cities.groupBy("by-city", (customer, city) -> city).count("customers");
    // end::aggregate[]
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(customers.toStream("changes").sink("out", Sinks.none()).build())) {
      driver.<String, String>input("moves").pipe("ann", "Bonn", 1);
      driver.<String, String>input("moves").pipe("bob", "Bonn", 2);
      driver.<String, String>input("moves").pipe("ann", "Ulm", 3);
      driver.<String, String>input("moves").pipe("bob", null, 4);
      driver.end();
      assertThat(out(driver))
          .containsExactly("Bonn=1@1", "Bonn=2@2", "Bonn=1@3", "Ulm=1@3", "Bonn=null@4");
    }
  }

  @Test
  void tables() {
    Table<String, String> names = keyed("renamings", "").toTable("names");
    Table<String, String> cities = keyed("moves", "").toTable("cities");
    // tag::tables[]
    Table<String, String> addresses =
        names
            .joinWith(cities)
            .left("addresses", (name, city) -> city == null ? name : name + ", " + city);
    // end::tables[]
    try (TopologyTestDriver driver =
        TopologyTestDriver.of(addresses.toStream("changes").sink("out", Sinks.none()).build())) {
      driver.<String, String>input("renamings").pipe("1", "Ann", 1);
      driver.<String, String>input("moves").pipe("1", "Bonn", 2);
      driver.<String, String>input("moves").pipe("1", null, 3);
      driver.<String, String>input("renamings").pipe("1", null, 4);
      driver.end();
      assertThat(out(driver)).containsExactly("1=Ann@1", "1=Ann, Bonn@2", "1=Ann@3", "1=null@4");
    }
  }

  private static List<String> out(TopologyTestDriver driver) {
    return driver.output("out").readAll().stream().map(Object::toString).toList();
  }
}
