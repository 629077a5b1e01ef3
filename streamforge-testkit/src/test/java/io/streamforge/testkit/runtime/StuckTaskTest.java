package io.streamforge.testkit.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.streamforge.Topology;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.Sources;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.plan.Planner;
import io.streamforge.record.Record;
import io.streamforge.runtime.JobRuntime;
import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.runtime.checkpoint.CheckpointPlace;
import io.streamforge.scheduler.WorkerScheduler;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.ValueState;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.file.DirectoryStorage;
import io.streamforge.testkit.storage.ForwardingStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A function that does not return while its task writes a checkpoint. */
class StuckTaskTest {
  /** With {@link #VALUE_BYTES} each far more than waits for the storage at a time. */
  private static final int KEYS = 640;

  private static final int VALUE_BYTES = 64 << 10;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final CountDownLatch leave = new CountDownLatch(1);
  private final AtomicInteger open = new AtomicInteger();

  /** Counts the objects that are being written. */
  private final class Watched extends ForwardingStorage {
    Watched(CheckpointStorage storage) {
      super(storage);
    }

    @Override
    public ObjectWriter write(String name) throws IOException {
      ObjectWriter writer = super.write(name);
      open.incrementAndGet();
      begun.countDown();
      return new ObjectWriter() {
        private boolean closed;

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          writer.write(bytes, offset, length);
        }

        @Override
        public void complete() throws IOException {
          writer.complete();
        }

        @Override
        public void close() throws IOException {
          writer.close();
          if (!closed) {
            closed = true;
            open.decrementAndGet();
          }
        }
      };
    }
  }

  /** Keeps the last value of each key, and gets stuck when the checkpoint is being written. */
  private final class Keeping implements Processor<Long, byte[], Long, Long> {
    private ValueState<byte[]> last;

    @Override
    public void states(StateDeclarations states) {
      last = states.value("last", byte[].class);
    }

    @Override
    public void process(Long key, byte[] value, ProcessorContext<Long, Long> context) {
      last.set(value);
      if (begun.getCount() == 0) {
        stuck.countDown();
        while (leave.getCount() > 0) {
          try {
            leave.await();
          } catch (InterruptedException e) {
            // A function that takes no notice.
            continue;
          }
        }
      }
    }
  }

  @Test
  void jobThatIsClosedLeavesNoObjectOpen(@TempDir Path temp) throws Exception {
    Topology topology =
        Topology.builder("stuck")
            .source(
                "in",
                Sources.<Long, byte[]>recordGenerator(
                    (index, random) -> Record.of(index % KEYS, new byte[VALUE_BYTES], index)))
            .typed(Long.class, byte[].class)
            .groupByKey("keys")
            .process("keep", Keeping::new)
            .typed(Long.class, Long.class)
            .sink("out", Sinks.none())
            .build();
    EngineConfig config =
        EngineConfig.builder()
            .parallelism(1)
            .workers(1)
            .keyGroups(16)
            .batchSize(4)
            .stepBudget(4)
            .closeTimeout(Duration.ofMillis(400))
            .checkpoints(
                CheckpointConfig.at(temp.resolve("job").toString()).every(Duration.ofHours(1)))
            .build();
    CheckpointLog log =
        CheckpointLog.open(new Watched(DirectoryStorage.open(temp.resolve("job"))), "stuck");
    JobRuntime job =
        JobRuntime.start(
            Planner.plan(topology.graph(), 1, 16),
            config,
            new CheckpointPlace(log, () -> 1, "test"),
            new WorkerScheduler("stuck", 1, Duration.ofMillis(200), e -> {}),
            RuntimeHooks.NONE);
    try {
      await().until(() -> job.metrics().node("keep").in() >= KEYS);
      job.requestCheckpoint();
      assertThat(stuck.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(open.get()).isEqualTo(1);

      job.close();

      await().until(() -> open.get() == 0);
      assertThat(log.storage().list("data")).isEmpty();
    } finally {
      leave.countDown();
    }
  }
}
