package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.metrics.NodeMetrics;
import io.streamforge.record.KeyValue;
import io.streamforge.record.Record;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.ValueState;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.TimeDomain;
import io.streamforge.time.WatermarkStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Topologies drawn from a seed, run in an order of steps and with settings drawn from it, give what
 * a plain computation over lists gives.
 */
class RandomTopologyTest {
  private static final int SEEDS = 900;
  private static final long AT_THE_END = 1_000_000_000_000L;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void randomTopologiesGiveWhatPlainComputationGives(int part) {
    for (long seed = part; seed < SEEDS; seed += 6) {
      Case drawn = new Case(seed);
      long trace = drawn.runAndCompare();
      if (seed % 10 == part) {
        assertThat(new Case(seed).runAndCompare()).as("trace of seed %d", seed).isEqualTo(trace);
      }
    }
  }

  @Test
  void valueChangedAfterItsEmissionNamesTheNodeThatEmittedIt() {
    TopologyBuilder builder = Topology.builder("mutable");
    builder
        .source("in", InMemoryChannel.<String, Integer>timestamped(1))
        .typed(String.class, Integer.class)
        .mapValues("make", v -> new byte[] {v.byteValue()})
        .typed(String.class, byte[].class)
        .peek("spoil", (k, v) -> v[0]++)
        .sink("out", Sinks.none());
    try (TopologyTestDriver driver = TopologyTestDriver.of(builder.build())) {
      assertThatThrownBy(() -> driver.<String, Integer>input("in").pipe("a", 1, 0))
          .isInstanceOfSatisfying(
              StreamForgeException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.VALUE_MUTATED);
                assertThat(e.context().node()).isEqualTo("make");
              });
    }
  }

  /** A topology and what should come out at each of its nodes, whatever the order. */
  private static final class Case {
    private final long seed;
    private final SplittableRandom random;
    private final TopologyBuilder builder;
    private final List<Stream<String, Integer>> streams = new ArrayList<>();
    private final List<List<KeyValue<String, Integer>>> models = new ArrayList<>();
    private final Map<String, List<List<Record<String, Integer>>>> inputs = new TreeMap<>();
    private int names;

    Case(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.builder = Topology.builder("random-" + seed);
      int sources = 1 + random.nextInt(2);
      for (int i = 0; i < sources; i++) {
        source("in-" + i);
      }
      int steps = 3 + random.nextInt(8);
      for (int i = 0; i < steps; i++) {
        step();
      }
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).sink("out-" + i, random.nextBoolean() ? Sinks.none() : blocking());
      }
    }

    private static io.streamforge.sink.Sink<String, Integer> blocking() {
      return Sinks.forEach(record -> {});
    }

    private void source(String name) {
      List<List<Record<String, Integer>>> partitions = new ArrayList<>();
      List<KeyValue<String, Integer>> model = new ArrayList<>();
      int count = 1 + random.nextInt(3);
      for (int p = 0; p < count; p++) {
        List<Record<String, Integer>> records = new ArrayList<>();
        int size = random.nextInt(40);
        for (int i = 0; i < size; i++) {
          String key = "k" + random.nextInt(6);
          int value = random.nextInt(1_000) - 500;
          records.add(new Record<>(key, value, random.nextInt(2_000) - 1_000, null));
          model.add(KeyValue.of(key, value));
        }
        partitions.add(records);
      }
      inputs.put(name, partitions);
      add(
          builder.source(
              name,
              InMemoryChannel.<String, Integer>timestamped(1),
              WatermarkStrategy.<String, Integer>boundedOutOfOrderness(Duration.ofMillis(100))
                  .unaligned()),
          model);
    }

    private void add(Stream<String, Integer> stream, List<KeyValue<String, Integer>> model) {
      streams.add(stream.typed(String.class, Integer.class));
      models.add(model);
    }

    private String name() {
      return "n" + names++;
    }

    private void step() {
      int from = random.nextInt(streams.size());
      Stream<String, Integer> stream = streams.get(from);
      List<KeyValue<String, Integer>> model = models.get(from);
      int draw = random.nextInt(100);
      switch (random.nextInt(11)) {
        case 0 ->
            add(
                stream.mapValues(name(), v -> v + draw),
                each(model, (k, v, to) -> to.put(k, v + draw)));
        case 1 ->
            add(
                stream.filter(name(), (k, v) -> Math.floorMod(v + draw, 3) > 0),
                each(
                    model,
                    (k, v, to) -> {
                      if (Math.floorMod(v + draw, 3) > 0) {
                        to.put(k, v);
                      }
                    }));
        case 2 ->
            add(
                stream.flatMapValues(name(), v -> copies(v)),
                each(model, (k, v, to) -> copies(v).forEach(c -> to.put(k, c))));
        case 3 ->
            add(
                stream.<Integer>flatMapValuesTo(name(), (v, out) -> copies(v).forEach(out::emit)),
                each(model, (k, v, to) -> copies(v).forEach(c -> to.put(k, c))));
        case 4 ->
            add(
                stream.selectKey(name(), (k, v) -> "k" + Math.floorMod(v, 5)),
                each(model, (k, v, to) -> to.put("k" + Math.floorMod(v, 5), v)));
        case 5 -> add(stream.rebalance(name()), model);
        case 6 -> {
          int other = random.nextInt(streams.size());
          if (other != from) {
            List<KeyValue<String, Integer>> both = new ArrayList<>(model);
            both.addAll(models.get(other));
            add(stream.merge(name(), streams.get(other)), both);
          }
        }
        case 7 -> {
          var branches =
              stream
                  .split(name())
                  .branch("low", (k, v) -> Math.floorMod(v, 10) < 3)
                  .branch("high", (k, v) -> Math.floorMod(v, 10) > 6);
          add(branches.stream("low"), where(model, v -> Math.floorMod(v, 10) < 3));
          add(branches.stream("high"), where(model, v -> Math.floorMod(v, 10) > 6));
        }
        case 8 ->
            add(
                stream.groupByKey(name()).count(name()).mapValues(name(), n -> n.intValue()),
                counted(model));
        case 9 ->
            add(
                stream
                    .groupBy(name(), (k, v) -> "g" + Math.floorMod(v, 7))
                    .process(name(), SumAtTheEnd::new),
                summed(each(model, (k, v, to) -> to.put("g" + Math.floorMod(v, 7), v))));
        default -> {
          var grouped = stream.groupByKey(name());
          add(grouped.count(name()).mapValues(name(), n -> n.intValue()), counted(model));
          add(grouped.process(name(), SumAtTheEnd::new), summed(model));
        }
      }
      if (models.get(models.size() - 1).size() > 5_000) {
        // Topologies that multiply without end say nothing new.
        models.set(models.size() - 1, where(models.get(models.size() - 1), v -> v % 100 == 0));
        streams.set(
            streams.size() - 1,
            streams
                .get(streams.size() - 1)
                .filter(name(), (k, v) -> v % 100 == 0)
                .typed(String.class, Integer.class));
      }
    }

    /** The order of steps, for the same seed the same. */
    long runAndCompare() {
      TopologyTestDriver.Builder settings =
          TopologyTestDriver.builder(builder.build()).stress(seed);
      inputs.forEach((name, partitions) -> settings.partitions(name, partitions.size()));
      try (TopologyTestDriver driver = settings.start()) {
        inputs.forEach(
            (name, partitions) -> {
              for (int p = 0; p < partitions.size(); p++) {
                driver.<String, Integer>input(name, p).pipeAll(partitions.get(p));
              }
            });
        driver.advanceTime(Duration.ofMillis(50));
        driver.end();
        assertThat(driver.finished()).as("seed %d has finished", seed).isTrue();
        for (int i = 0; i < models.size(); i++) {
          assertThat(driver.<String, Integer>output("out-" + i).readKeyValues())
              .as("seed %d, stream %d", seed, i)
              .containsExactlyInAnyOrderElementsOf(models.get(i));
        }
        assertThat(driver.metrics().nodes())
            .as("books of seed %d", seed)
            .allMatch(NodeMetrics::balanced);
        return driver.trace();
      }
    }
  }

  private interface Target {
    void put(String key, int value);
  }

  private interface Each {
    void apply(String key, int value, Target to);
  }

  private interface Condition {
    boolean holds(int value);
  }

  private static List<KeyValue<String, Integer>> each(
      List<KeyValue<String, Integer>> model, Each function) {
    List<KeyValue<String, Integer>> result = new ArrayList<>();
    model.forEach(
        pair -> function.apply(pair.key(), pair.value(), (k, v) -> result.add(KeyValue.of(k, v))));
    return result;
  }

  private static List<KeyValue<String, Integer>> where(
      List<KeyValue<String, Integer>> model, Condition condition) {
    return model.stream().filter(pair -> condition.holds(pair.value())).toList();
  }

  private static List<KeyValue<String, Integer>> counted(List<KeyValue<String, Integer>> model) {
    Map<String, Integer> counts = new HashMap<>();
    return each(model, (k, v, to) -> to.put(k, counts.merge(k, 1, Integer::sum)));
  }

  private static List<KeyValue<String, Integer>> summed(List<KeyValue<String, Integer>> model) {
    Map<String, Integer> sums = new TreeMap<>();
    model.forEach(pair -> sums.merge(pair.key(), pair.value(), Integer::sum));
    List<KeyValue<String, Integer>> result = new ArrayList<>();
    sums.forEach((k, v) -> result.add(KeyValue.of(k, v)));
    return result;
  }

  private static List<Integer> copies(int value) {
    List<Integer> copies = new ArrayList<>();
    for (int i = 0; i < Math.floorMod(value, 4); i++) {
      copies.add(value + i);
    }
    return copies;
  }

  private static final class SumAtTheEnd implements Processor<String, Integer, String, Integer> {
    private ValueState<Integer> sum;

    @Override
    public void states(StateDeclarations states) {
      sum = states.value("sum", Integer.class);
    }

    @Override
    public void process(String key, Integer value, ProcessorContext<String, Integer> context)
        throws Exception {
      Integer before = sum.get();
      sum.set((before == null ? 0 : before) + value);
      context.timers().setEventTimer(AT_THE_END);
    }

    @Override
    public void onTimer(
        String key, long timerMillis, TimeDomain domain, ProcessorContext<String, Integer> context)
        throws Exception {
      context.emit(key, sum.get());
    }
  }
}
