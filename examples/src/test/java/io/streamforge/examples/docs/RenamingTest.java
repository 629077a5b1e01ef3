package io.streamforge.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.engine.Engine;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.sink.Sink;
import io.streamforge.source.Source;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/operators.md} and {@code docs/checkpoints.md} show of renaming. */
class RenamingTest {
  private static final int PAGES = 3;

  @TempDir private Path directory;

  /** Requests of one page after the other, for ever. */
  private static Source<Void, String> requests() {
    return Sources.generator((i, random) -> "page-" + i % PAGES).ratePerSecond(1_000);
  }

  @Test
  void jobGoesOnWithOtherNames() throws Exception {
    String location = directory.resolve("state").toString();
    String savepoint = directory.resolve("savepoint").toString();
    Map<String, Long> last = new ConcurrentHashMap<>();
    CountDownLatch some = new CountDownLatch(100);
    Topology before =
        Topology.builder("pages")
            .source("requests", requests())
            .groupBy("by-page", (key, page) -> page)
            .process("hits", Hits::new)
            .sink(
                "out",
                Sinks.forEach(
                    record -> {
                      last.merge(record.key(), record.value(), Math::max);
                      some.countDown();
                    }))
            .build();
    try (Engine engine = Engine.start(before, at(CheckpointConfig.at(location)))) {
      some.await();
      engine.stopWithSavepoint(savepoint);
    }
    Map<String, Long> first = new ConcurrentHashMap<>();
    CountDownLatch each = new CountDownLatch(PAGES);
    Sink<String, Long> sink =
        Sinks.forEach(
            record -> {
              if (first.putIfAbsent(record.key(), record.value()) == null) {
                each.countDown();
              }
            });
    Source<Void, String> requests = requests();
    // tag::nodes[]
    Topology topology =
        Topology.builder("pages")
            .source("requests", requests)
            .groupBy("by-page", (key, page) -> page)
            .process("visits", Visits::new)
            .sink("visits-out", sink)
            .previously("visits", "hits")
            .previously("visits-out", "out")
            .build();
    // end::nodes[]
    String elsewhere = directory.resolve("elsewhere").toString();
    try (Engine engine =
        Engine.start(topology, at(CheckpointConfig.at(elsewhere).startingFrom(savepoint)))) {
      each.await();
    }

    assertThat(last).hasSize(PAGES);
    last.forEach((page, visits) -> assertThat(first).containsEntry(page, visits + 1));
  }

  private static EngineConfig at(CheckpointConfig checkpoints) {
    return EngineConfig.builder().checkpoints(checkpoints).build();
  }

  static final class Hits implements Processor<String, String, String, Long> {
    private LongState count;

    @Override
    public void states(StateDeclarations states) {
      count = states.longValue("count");
    }

    @Override
    public void process(String page, String request, ProcessorContext<String, Long> context) {
      context.emit(page, count.add(1));
    }
  }

  static final class Visits implements Processor<String, String, String, Long> {
    private LongState total;

    // tag::state[]
    @Override
    public void states(StateDeclarations states) {
      total = states.previously("count").longValue("total");
    }

    // end::state[]

    @Override
    public void process(String page, String request, ProcessorContext<String, Long> context) {
      context.emit(page, total.add(1));
    }
  }
}
