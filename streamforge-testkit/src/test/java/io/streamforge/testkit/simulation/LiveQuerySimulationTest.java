package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.KeyedStream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.Record;
import io.streamforge.state.ListState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Window;
import io.streamforge.window.Windowed;
import io.streamforge.window.Windows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Queries at drawn moments of drawn runs, with restarts, beside a model; and that they change
 * nothing.
 */
class LiveQuerySimulationTest {
  /** Each restart loads the classes of all nodes anew where they are specialised. */
  private static final int SEEDS = Boolean.getBoolean("streamforge.specialise") ? 10 : 100;

  private static final int STEPS = 60;
  private static final int KEYS = 6;
  private static final int WINDOW_MILLIS = 10;
  private static final int LATENESS_MILLIS = 15;

  /** Collects the values of a key, and begins anew behind three. */
  private static final class Threes implements Processor<String, Long, String, String> {
    private ListState<Long> values;

    @Override
    public void states(StateDeclarations states) {
      values = states.list("values", Long.class);
    }

    @Override
    public void process(String key, Long value, ProcessorContext<String, String> context) {
      values.add(value);
      if (values.get().size() == 3) {
        context.emit(key, values.get().toString());
        values.clear();
      }
    }
  }

  private static Topology topology() {
    TopologyBuilder builder = Topology.builder("queried");
    KeyedStream<String, Long> keyed =
        builder
            .source(
                "in",
                Sources.collection(List.of(Record.of("k", 1L, 0))),
                WatermarkStrategy.<String, Long>monotonous())
            .groupByKey("keys");
    keyed.sum("sum", v -> v).sink("sums", Sinks.none());
    keyed.process("threes", Threes::new).sink("threes-out", Sinks.none());
    keyed
        .window(Windows.tumbling(Duration.ofMillis(WINDOW_MILLIS)))
        .allowedLateness(Duration.ofMillis(LATENESS_MILLIS))
        .count("windows")
        .sink("windows-out", Sinks.none());
    return builder.build();
  }

  /** What the states are by what was sent. */
  private static final class Model {
    final Map<String, Long> sums = new HashMap<>();
    final Map<String, List<Long>> threes = new HashMap<>();
    final Map<String, TreeMap<Window, Long>> windows = new HashMap<>();
    long watermark = Long.MIN_VALUE;

    void add(String key, long value, long timestampMillis) {
      sums.merge(key, value, Long::sum);
      List<Long> values = threes.computeIfAbsent(key, k -> new ArrayList<>());
      values.add(value);
      if (values.size() == 3) {
        values.clear();
      }
      long start = timestampMillis / WINDOW_MILLIS * WINDOW_MILLIS;
      Window window = new Window(start, start + WINDOW_MILLIS);
      watermark = Math.max(watermark, timestampMillis);
      windows.computeIfAbsent(key, k -> new TreeMap<>()).merge(window, 1L, Long::sum);
    }

    @Nullable List<Long> threes(String key) {
      List<Long> values = threes.getOrDefault(key, List.of());
      return values.isEmpty() ? null : values;
    }

    @Nullable List<Windowed<Long>> windows(String key) {
      List<Windowed<Long>> open = new ArrayList<>();
      windows
          .getOrDefault(key, new TreeMap<>())
          .forEach(
              (window, count) -> {
                if (window.endMillis() + LATENESS_MILLIS > watermark) {
                  open.add(new Windowed<>(window, count));
                }
              });
      return open.isEmpty() ? null : open;
    }
  }

  private record Outcome(List<String> output, long trace) {}

  /** A drawn run; what is drawn is the same whether there are queries or not. */
  private static Outcome run(long seed, boolean queried) {
    SplittableRandom random = new SplittableRandom(seed);
    Model model = new Model();
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology()).stress(seed).checkpoints().start()) {
      TestInput<String, Long> input = driver.input("in");
      long timeMillis = 0;
      for (int step = 0; step < STEPS; step++) {
        String key = "k" + random.nextInt(KEYS);
        int drawn = random.nextInt(20);
        if (drawn == 0) {
          driver.restart(1 + random.nextInt(4));
        } else if (drawn < 12) {
          timeMillis += random.nextInt(4);
          long value = random.nextInt(100);
          input.pipe(key, value, timeMillis);
          model.add(key, value, timeMillis);
        } else if (queried) {
          assertThat(driver.query("sum", key))
              .as("sum of %s, seed %d, step %d", key, seed, step)
              .isEqualTo(model.sums.get(key));
          assertThat(driver.query("threes", key))
              .as("values of %s, seed %d, step %d", key, seed, step)
              .isEqualTo(model.threes(key));
          assertThat(driver.query("windows", key))
              .as("windows of %s, seed %d, step %d", key, seed, step)
              .isEqualTo(model.windows(key));
        }
      }
      driver.end();
      List<String> output = new ArrayList<>();
      for (String sink : List.of("sums", "threes-out", "windows-out")) {
        driver.output(sink).readAll().stream()
            .map(record -> sink + " " + record)
            .sorted()
            .forEach(output::add);
      }
      return new Outcome(output, driver.trace());
    }
  }

  @Test
  void everyAnswerIsTheModelsAndQueriesChangeNothing() {
    for (long seed = 0; seed < SEEDS; seed++) {
      assertThat(run(seed, true).output()).as("seed %d", seed).isEqualTo(run(seed, false).output());
    }
  }

  @Test
  void sameSeedGivesTheSameTraceWithQueries() {
    for (long seed = 0; seed < SEEDS / 5; seed++) {
      assertThat(run(seed, true)).as("seed %d", seed).isEqualTo(run(seed, true));
    }
  }
}
