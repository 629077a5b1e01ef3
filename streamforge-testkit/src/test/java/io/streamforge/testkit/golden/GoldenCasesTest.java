package io.streamforge.testkit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.streamforge.Topology;
import io.streamforge.error.DeadLetter;
import io.streamforge.error.StreamForgeException;
import io.streamforge.graph.LogicalGraph;
import io.streamforge.graph.Node;
import io.streamforge.graph.Port;
import io.streamforge.record.Record;
import io.streamforge.testkit.TestInput;
import io.streamforge.testkit.TopologyTestDriver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder of {@code src/test/golden} is a case: {@code input.txt}, and what must come of it:
 * {@code explain.txt} and {@code output.txt}, or {@code error.txt}. Its topology stands in {@link
 * GoldenTopologies}. {@code make golden-update} writes what must come anew; the diff is reviewed.
 *
 * <p>Lines of an input: {@code source key value time}, {@code source[1] key value time} for another
 * partition, {@code source watermark time}, {@code wait 5s}; {@code -} is null, {@code #} begins a
 * comment. At its end all sources end. Every case also runs under other interleavings, batch sizes
 * and parallelisms, and started anew from a checkpoint behind every line, at another parallelism
 * each time; it must give the same records.
 */
class GoldenCasesTest {
  private static final Path ROOT = Path.of("src/test/golden");
  private static final boolean UPDATE = Boolean.getBoolean("golden.update");
  private static final int STRESS_RUNS = 20;
  private static final Pattern RECORD =
      Pattern.compile("(\\S+?)(?:\\[(\\d+)])? (\\S+) (\\S+) (-?\\d+)");
  private static final Pattern WATERMARK =
      Pattern.compile("(\\S+?)(?:\\[(\\d+)])? watermark (-?\\d+)");
  private static final Pattern WAIT = Pattern.compile("wait (\\d+)(ms|s)");

  static List<String> cases() {
    return List.copyOf(GoldenTopologies.all().keySet());
  }

  @Test
  void everyFolderHasATopology() throws IOException {
    try (var folders = Files.list(ROOT)) {
      assertThat(folders.map(folder -> folder.getFileName().toString()).sorted().toList())
          .isEqualTo(cases());
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theCaseGivesWhatItsFilesSay(String name) {
    Path folder = ROOT.resolve(name);
    Supplier<Topology> supplier = GoldenTopologies.all().get(name);
    Topology topology;
    try {
      topology = supplier.get();
    } catch (StreamForgeException e) {
      check(folder.resolve("error.txt"), e.getMessage());
      return;
    }
    check(folder.resolve("explain.txt"), topology.explain(2).text());
    List<String> input = read(folder.resolve("input.txt")).lines().toList();
    List<String> output;
    try (TopologyTestDriver driver =
        TopologyTestDriver.builder(topology).partitions("in", 2).start()) {
      output = run(driver, topology, input);
    } catch (StreamForgeException e) {
      check(folder.resolve("error.txt"), e.getMessage());
      return;
    }
    check(folder.resolve("output.txt"), String.join("\n", output) + "\n");
    List<String> sorted = output.stream().sorted().toList();
    IntStream.range(0, STRESS_RUNS)
        .forEach(
            seed -> {
              try (TopologyTestDriver driver =
                  TopologyTestDriver.builder(supplier.get())
                      .stress(seed)
                      .partitions("in", 2)
                      .start()) {
                assertThat(run(driver, topology, input).stream().sorted().toList())
                    .as("seed %d", seed)
                    .isEqualTo(sorted);
              }
              try (TopologyTestDriver driver =
                  TopologyTestDriver.builder(supplier.get())
                      .stress(seed)
                      .partitions("in", 2)
                      .checkpoints()
                      .start()) {
                List<String> restarted =
                    run(driver, topology, input, line -> driver.restart(1 + (seed + line) % 4));
                assertThat(restarted.stream().sorted().toList())
                    .as("restarts, seed %d", seed)
                    .isEqualTo(sorted);
              }
            });
  }

  private static List<String> run(
      TopologyTestDriver driver, Topology topology, List<String> input) {
    return run(driver, topology, input, line -> {});
  }

  private static List<String> run(
      TopologyTestDriver driver, Topology topology, List<String> input, IntConsumer behindLine) {
    int number = 0;
    for (String line : input) {
      String text = line.replaceFirst("#.*", "").strip();
      if (!text.isEmpty()) {
        apply(driver, text);
        behindLine.accept(number++);
      }
    }
    driver.end();
    assertThat(driver.finished()).isTrue();
    driver.metrics().nodes().forEach(node -> assertThat(node.balanced()).as("%s", node).isTrue());
    List<String> output = new ArrayList<>();
    for (Node node : topology.graph().nodes()) {
      if (node instanceof Node.SinkNode) {
        add(output, driver, node.name());
      }
      for (Port port : topology.graph().outputs(node)) {
        if ((node instanceof Node.WindowNode || node instanceof Node.JoinNode)
            && !port.output().equals(Port.MAIN)) {
          add(output, driver, port.toString());
        }
      }
    }
    return output;
  }

  private static void add(List<String> output, TopologyTestDriver driver, String name) {
    if (name.endsWith(LogicalGraph.DEAD_LETTERS)) {
      for (Record<byte[], byte[]> letter : driver.<byte[], byte[]>output(name).readAll()) {
        output.add(name + ": " + DeadLetter.line(letter) + "@" + letter.timestampMillis());
      }
      return;
    }
    for (Record<Object, Object> record : driver.output(name).readAll()) {
      output.add(name + ": " + record);
    }
  }

  private static void apply(TopologyTestDriver driver, String text) {
    Matcher watermark = WATERMARK.matcher(text);
    Matcher wait = WAIT.matcher(text);
    Matcher record = RECORD.matcher(text);
    if (watermark.matches()) {
      input(driver, watermark).advanceWatermark(Long.parseLong(watermark.group(3)));
    } else if (wait.matches()) {
      long amount = Long.parseLong(wait.group(1));
      driver.advanceTime(
          wait.group(2).equals("s") ? Duration.ofSeconds(amount) : Duration.ofMillis(amount));
    } else if (record.matches()) {
      input(driver, record)
          .pipe(
              nullable(record.group(3)),
              nullable(record.group(4)),
              Long.parseLong(record.group(5)));
    } else {
      fail("not a line of an input: " + text);
    }
  }

  private static TestInput<String, String> input(TopologyTestDriver driver, Matcher line) {
    return driver.input(line.group(1), line.group(2) == null ? 0 : Integer.parseInt(line.group(2)));
  }

  private static @Nullable String nullable(String text) {
    return text.equals("-") ? null : text;
  }

  private static void check(Path file, String actual) {
    if (UPDATE) {
      try {
        Files.writeString(file, actual.endsWith("\n") ? actual : actual + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    assertThat(actual.stripTrailing()).as("%s", file).isEqualTo(read(file).stripTrailing());
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
