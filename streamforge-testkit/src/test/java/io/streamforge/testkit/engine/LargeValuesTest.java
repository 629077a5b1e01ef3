package io.streamforge.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.engine.Engine;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.Record;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.ValueState;
import io.streamforge.testkit.sink.MarkedSink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of 50 MB and keys of 64 kB, in checkpoints. */
class LargeValuesTest {
  private static final int VALUE_BYTES = 50_000_000;
  private static final String LONG_KEY = "k".repeat(64 << 10);

  private final Lengths lengths = new Lengths();
  private final MarkedSink<String, String> sink = new MarkedSink<>();

  /** A large value and large keys; then, when they are released, small values for them. */
  private static final class Lengths extends OneSplitSource<byte[]> {
    final AtomicInteger released = new AtomicInteger();

    Lengths() {
      super(byte[].class);
    }

    @Override
    @Nullable Record<String, byte[]> at(long position) {
      if (position >= released.get()) {
        return null;
      }
      return switch ((int) position) {
        case 0 -> Record.of("large", endingIn(new byte[VALUE_BYTES], 7), 0);
        case 1 -> Record.of(LONG_KEY + "a", new byte[1], 1);
        case 2 -> Record.of(LONG_KEY + "b", new byte[2], 2);
        case 3 -> Record.of("large", new byte[3], 3);
        case 4 -> Record.of(LONG_KEY + "a", new byte[4], 4);
        case 5 -> Record.of(LONG_KEY + "b", new byte[5], 5);
        default -> null;
      };
    }

    private static byte[] endingIn(byte[] value, int last) {
      value[value.length - 1] = (byte) last;
      return value;
    }

    @Override
    boolean hasEnded(long position) {
      return position >= 6;
    }
  }

  /** Adds up the lengths of its key's values, and keeps the longest of them. */
  private static final class Longest implements Processor<String, byte[], String, String> {
    private ValueState<byte[]> longest;
    private LongState sum;

    @Override
    public void states(StateDeclarations states) {
      longest = states.value("longest", byte[].class);
      sum = states.longValue("sum");
    }

    @Override
    public void process(String key, byte[] value, ProcessorContext<String, String> context) {
      byte[] before = longest.get();
      byte[] now = before == null || before.length < value.length ? value : before;
      longest.set(now);
      String end = key.substring(Math.max(0, key.length() - 5));
      context.emit(
          key,
          "%s: %d, longest %d, its last %d"
              .formatted(end, sum.add(value.length), now.length, now[now.length - 1]));
    }
  }

  @Test
  void a08LargeValuesAndKeysAreRestored(@TempDir Path temp) throws Exception {
    Topology topology =
        Topology.builder("large")
            .source("in", lengths)
            .groupByKey("keys")
            .process("longest", Longest::new)
            .sink("out", sink)
            .build();
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(2)
            .workers(2)
            .keyGroups(16)
            .checkpoints(
                CheckpointConfig.at(temp.resolve("job").toString()).every(Duration.ofMillis(10)))
            .build();
    lengths.released.set(3);
    try (Engine engine = Engine.start(topology, config)) {
      await().atMost(Duration.ofMinutes(1)).until(() -> sink.records().size() == 3);
      assertThat(engine.metrics().checkpoints().abandoned()).isZero();
    }
    lengths.released.set(6);
    try (Engine engine = Engine.start(topology, config.toBuilder().parallelism(3).build())) {
      engine.awaitCompletion();
    }

    assertThat(sink.records().subList(3, 6))
        .extracting(Record::value)
        .containsExactlyInAnyOrder(
            "large: 50000003, longest 50000000, its last 7",
            "kkkka: 5, longest 4, its last 0",
            "kkkkb: 7, longest 5, its last 0");
  }
}
