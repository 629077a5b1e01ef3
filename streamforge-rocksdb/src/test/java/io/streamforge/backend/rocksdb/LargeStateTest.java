package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.config.StateConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.engine.Engine;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.ValueState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job whose state is more than twice as large as heap and native memory together. */
class LargeStateTest {
  private static final int KEYS = 40_000;
  private static final int VALUE_CHARS = 2_000;
  private static final int HEAP_MIB = 24;
  private static final int NATIVE_MIB = 8;

  /** What a JVM takes besides heap and RocksDB: code, classes, threads, collector. */
  private static final int JVM_MIB = 150;

  /** Keeps a text a key, and emits 1 when the one of before is as it was left. */
  static final class Texts implements Processor<Integer, Integer, Integer, Integer> {
    private ValueState<String> text;

    @Override
    public void states(StateDeclarations states) {
      text = states.value("text", String.class);
    }

    @Override
    public void process(Integer key, Integer index, ProcessorContext<Integer, Integer> context) {
      int round = index / KEYS;
      String before = text.get();
      if (before != null) {
        context.emit(key, before.equals(textOf(key, round - 1)) ? 1 : 0);
      }
      text.set(textOf(key, round));
    }

    private static String textOf(int key, int round) {
      String part = key + ":" + round + ";";
      return part.repeat(VALUE_CHARS / part.length());
    }
  }

  /** The job's process: prints how many texts were right and wrong, and the most memory it had. */
  static final class Job {
    public static void main(String[] arguments) throws Exception {
      AtomicLong right = new AtomicLong();
      AtomicLong wrong = new AtomicLong();
      Topology topology =
          Topology.builder("texts")
              .source("numbers", Sources.generator((i, random) -> (int) i).count(2L * KEYS))
              .groupBy("by-key", (none, i) -> (int) (i * 7_919L % KEYS))
              .process("texts", Texts::new)
              .sink("out", Sinks.forEach(r -> (r.value() == 1 ? right : wrong).incrementAndGet()))
              .build();
      Path directory = Path.of(arguments[0]);
      EngineConfig config =
          EngineConfig.builder()
              .parallelism(2)
              .state(
                  StateConfig.of("rocksdb")
                      .inDirectory(directory.resolve("local"))
                      .withNativeMemory((long) NATIVE_MIB << 20))
              .checkpoints(
                  CheckpointConfig.at(directory.resolve("checkpoints").toString())
                      .every(Duration.ofSeconds(2)))
              .build();
      try (Engine engine = Engine.start(topology, config)) {
        engine.awaitCompletion();
      }
      String most =
          Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("VmHWM:"))
              .findFirst()
              .orElse("VmHWM: 0 kB");
      System.out.println(right + " right, " + wrong + " wrong");
      System.out.println(Long.parseLong(most.replaceAll("[^0-9]", "")) / 1024);
    }
  }

  @Test
  void stateLargerThanMemoryIsAllThereAndMemoryStaysBounded(@TempDir Path directory)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MIB + "m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Job.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor(1, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    String[] lines = output.strip().split("\n", -1);
    assertThat(lines[0]).isEqualTo(KEYS + " right, 0 wrong");
    long mebibytes = Long.parseLong(lines[1]);
    assertThat(mebibytes).isLessThan(HEAP_MIB + 2 * NATIVE_MIB + JVM_MIB);
    assertThat((long) KEYS * VALUE_CHARS >> 20)
        .as("MiB of state")
        .isGreaterThan(2 * (HEAP_MIB + NATIVE_MIB));
  }
}
