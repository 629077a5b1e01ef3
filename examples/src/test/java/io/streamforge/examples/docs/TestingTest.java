package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Topology;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.function.SideOutput;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TestOutput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What {@code docs/testing.md} shows. */
class TestingTest {
  private static final SideOutput<String, Long> LATE = SideOutput.of("late");

  private static Topology perMinute() {
    return Topology.builder("per-minute")
        .source(
            "orders",
            Sources.collection(List.of(Record.of("tea", 1L, 0))),
            WatermarkStrategy.<String, Long>boundedOutOfOrderness(Duration.ofSeconds(5))
                .idleAfter(Duration.ofSeconds(30)))
        .groupByKey("by-item")
        .window(Windows.tumbling(Duration.ofMinutes(1)))
        .lateTo(LATE)
        .sum("per-minute", amount -> amount)
        .sink("totals", Sinks.none())
        .build();
  }

  @Test
  void first() {
    Topology topology = perMinute();
    // tag::first[]
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      TestInput<String, Long> orders = driver.input("orders");
      TestOutput<String, Windowed<Long>> totals = driver.output("totals");

      orders.pipe("tea", 3L, 10_000).pipe("tea", 4L, 50_000);
      assertThat(totals.isEmpty()).isTrue();

      orders.pipe("milk", 1L, 65_000); // the watermark is 5 s behind: 60 s
      assertThat(totals.read()).hasToString("tea=[0,60000)=7@59999");

      driver.end(); // what is open fires
      assertThat(totals.readAll()).hasToString("[milk=[60000,120000)=1@119999]");
    }
    // end::first[]
  }

  @Test
  void watermarksAndSideOutputs() {
    Topology topology = perMinute();
    // tag::watermark[]
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      TestInput<String, Long> orders = driver.input("orders");
      orders.advanceWatermark(60_000);
      orders.pipe("tea", 3L, 59_999);

      assertThat(driver.sideOutput("per-minute", LATE).readValues()).containsExactly(3L);
      assertThat(driver.metrics().node("per-minute").late()).isEqualTo(1);
    }
    // end::watermark[]
  }

  @Test
  void partitions() {
    Topology topology = perMinute();
    // tag::partitions[]
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).partitions("orders", 2).start()) {
      TestInput<String, Long> first = driver.input("orders", 0);
      TestInput<String, Long> second = driver.input("orders", 1);
      first.pipe("tea", 3L, 10_000);
      second.pipe("tea", 4L, 20_000);
      first.pipe("tea", 5L, 70_000);
      assertThat(driver.output("totals").isEmpty()).as("the second is behind").isTrue();

      driver.advanceTime(Duration.ofSeconds(30)); // both are idle now
      assertThat(driver.output("totals").read()).hasToString("tea=[0,60000)=7@59999");
    }
    // end::partitions[]
  }

  @Test
  void seeds() {
    // tag::stress[]
    Set<List<KeyValue<String, Windowed<Long>>>> results = new HashSet<>();
    for (long seed = 0; seed < 100; seed++) {
      try (TopologyTestDriver driver =
          TopologyTestDriver.builder(perMinute()).stress(seed).start()) {
        TestInput<String, Long> orders = driver.input("orders");
        orders.pipe("tea", 3L, 10_000).pipe("tea", 4L, 20_000).pipe("tea", 5L, 70_000);
        driver.end();
        results.add(driver.<String, Windowed<Long>>output("totals").readKeyValues());
      }
    }
    assertThat(results).hasSize(1);
    // end::stress[]
  }

  @Test
  void changedValues() {
    Topology topology =
        Topology.builder("alias")
            .source("in", Sources.values("a"))
            .groupBy("one", (key, text) -> 1)
            .<Integer, byte[]>process("buffer", () -> new ReusingBuffer())
            .typed(Integer.class, byte[].class)
            .sink("out", Sinks.none())
            .build();
    // tag::alias[]
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      TestInput<Void, String> input = driver.input("in");
      input.pipe(null, "a");
      assertThatThrownBy(() -> input.pipe(null, "b"))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.VALUE_MUTATED);
                assertThat(e.context().node()).isEqualTo("buffer");
              });
    }
    // end::alias[]
  }

  // tag::reusing[]
  /** Wrong: it fills the same array again and again. */
  static final class ReusingBuffer implements Processor<Integer, String, Integer, byte[]> {
    private final byte[] buffer = new byte[1];

    @Override
    public void process(Integer key, String value, ProcessorContext<Integer, byte[]> context) {
      buffer[0] = (byte) value.charAt(0);
      context.emit(key, buffer);
    }
  }

  // end::reusing[]

  @Test
  void failures() {
    List<String> names = new ArrayList<>();
    Topology topology =
        Topology.builder("failing")
            .source("in", Sources.values("a"))
            .mapValues("parse", text -> Integer.parseInt(text))
            .sink("out", Sinks.none())
            .build();
    try (TopologyTestDriver driver = TopologyTestDriver.of(topology)) {
      TestInput<Void, String> input = driver.input("in");
      assertThatThrownBy(() -> input.pipe(null, "x"))
          .isInstanceOfSatisfying(
              StreamForgeException.class, e -> names.add(String.valueOf(e.context().node())));
    }
    assertThat(names).containsExactly("parse");
  }
}
