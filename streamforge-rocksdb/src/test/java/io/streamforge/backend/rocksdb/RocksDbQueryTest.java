package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.Topology;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.plan.PhysicalPlan;
import io.streamforge.plan.Planner;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.QueriedNode;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.task.StateRequest;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.testkit.SteppedScheduler;
import io.streamforge.testkit.VirtualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries find what has left the heap. */
class RocksDbQueryTest {
  private static final int KEYS = 300;
  private static final long MANY_STEPS = 1_000_000;

  @TempDir private Path directory;

  private static final class Keeper implements Processor<Integer, Long, Integer, Long> {
    private LongState sum;
    private ListState<Long> all;

    @Override
    public void states(StateDeclarations states) {
      sum = states.longValue("sum");
      all = states.list("all", Long.class);
    }

    @Override
    public void process(Integer key, Long value, ProcessorContext<Integer, Long> context) {
      all.add(value);
      context.emit(key, sum.add(value));
    }
  }

  @Test
  void stateThatHasHardlyAnyRoomOnTheHeapIsAnsweredInFull() throws Exception {
    InMemoryChannel<Integer, Long> channel = InMemoryChannel.of(2 * KEYS);
    Topology topology =
        Topology.builder("queried")
            .source("in", channel)
            .typed(Integer.class, Long.class)
            .groupByKey("keys")
            .process("keep", Keeper::new)
            .sink("out", Sinks.none())
            .build();
    for (int i = 0; i < 2 * KEYS; i++) {
      channel.send(i % KEYS, (long) i);
    }
    EngineConfig config =
        EngineConfig.builder().parallelism(2).workers(1).keyGroups(16).specialise(false).build();
    PhysicalPlan plan = Planner.plan(topology.graph(), 2, 16);
    try (SteppedScheduler scheduler = new SteppedScheduler(new VirtualClock(0), 7)) {
      RocksDbBackend database = TestBackends.open(directory, 0);
      RuntimeHooks hooks =
          new RuntimeHooks() {
            @Override
            public KeyedStateBackend backend() {
              return database;
            }
          };
      JobRuntime job = JobRuntime.start(plan, config, scheduler, hooks);
      scheduler.runUntilQuiet(MANY_STEPS);
      assertThat(database.store().tables()).as("tables in the database").isEqualTo(4);

      QueriedNode node = QueriedNode.of(plan, "keep");
      for (int key = 0; key <= KEYS; key++) {
        StateRequest sum = job.ask(node.state("sum"), key, Duration.ZERO);
        StateRequest all = job.ask(node.state("all"), key, Duration.ZERO);
        scheduler.runUntilQuiet(MANY_STEPS);

        boolean there = key < KEYS;
        assertThat(sum.answer().join().value()).isEqualTo(there ? 2L * key + KEYS : null);
        assertThat(all.answer().join().value())
            .isEqualTo(there ? List.of((long) key, (long) key + KEYS) : null);
      }
      job.close();
    }
  }
}
