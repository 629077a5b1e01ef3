package io.streamforge.runtime.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.Manifest;
import io.streamforge.metrics.NodeCounters;
import io.streamforge.operator.Output;
import io.streamforge.record.Headers;
import io.streamforge.runtime.channel.Gate;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Task;
import io.streamforge.scheduler.TaskHandle;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.time.Clock;
import io.streamforge.time.WatermarkStrategy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceInputTest {
  private static final long IDLE_MILLIS = 1_000;

  private final ManualScheduler scheduler = new ManualScheduler();
  private final Gate gate = new Gate();
  private final Script reader = new Script();
  private final List<Object> emitted = new ArrayList<>();
  private int wakes;
  private boolean closeGateAfterNext;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void t01SilentSplitHoldsEventTimeUntilItIsIdle(boolean blocking) throws Exception {
    SourceInput input = input(blocking, "a", "b");
    reader.items.add(() -> reader.output.emit(0, "k", 1, 500, null, 1));
    turn(input);

    assertThat(input.watermark()).isEqualTo(Long.MIN_VALUE);
    assertThat(input.holder()).contains("split b");
    scheduler.advance(IDLE_MILLIS - 1);
    turn(input);
    assertThat(input.watermark()).isEqualTo(Long.MIN_VALUE);
    scheduler.advance(1);
    turn(input);
    assertThat(input.watermark()).isEqualTo(500);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void t08RecordsThatWaitForRoomWhenTheIdleTimeRunsOutAreNotOvertaken(boolean blocking)
      throws Exception {
    SourceInput input = input(blocking, "a", "b");
    reader.items.add(() -> reader.output.emit(1, "k", 0, 10, null, 1));
    turn(input);
    closeGateAfterNext = true;
    reader.items.add(() -> reader.output.emit(0, "k", 1, 500, null, 1));
    reader.items.add(() -> reader.output.emit(1, "k", 2, 20, null, 2));
    turn(input);
    assertThat(emitted).containsExactly(0, 1);

    // The task waits for room, longer than the idle time; b's record has been read or is there.
    scheduler.runIo();
    scheduler.advance(10 * IDLE_MILLIS);
    scheduler.runIo();
    gate.outputFree();
    input.step(100);

    assertThat(input.watermark()).isLessThanOrEqualTo(20);
    turn(input);
    assertThat(emitted).containsExactly(0, 1, 2);
    assertThat(input.watermark()).isEqualTo(20);
  }

  @Test
  void t08RecordInABatchThatIsStillBeingReadKeepsItsSplitFromBeingIdle() throws Exception {
    SourceInput input = input(true, "a", "b");
    reader.items.add(() -> reader.output.emit(0, "k", 1, 500, null, 1));
    turn(input);
    // In the middle of a read: b's record has been read, and the reader reads on.
    reader.items.add(
        () -> {
          reader.output.emit(1, "k", 2, 20, null, 1);
          scheduler.advance(IDLE_MILLIS);
          try {
            input.step(100);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          assertThat(input.watermark()).isEqualTo(Long.MIN_VALUE);
        });
    turn(input);

    assertThat(emitted).containsExactly(1, 2);
    assertThat(input.watermark()).isEqualTo(20);
  }

  @Test
  void readThatBlocksWithNothingLetsItsSplitsGoIdle() throws Exception {
    SourceInput input = input(true, "a");
    reader.items.add(() -> reader.output.emit(0, "k", 1, 500, null, 1));
    turn(input);
    reader.items.add(
        () -> {
          try {
            scheduler.advance(IDLE_MILLIS);
            input.step(100);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          assertThat(input.idle()).isTrue();
        });
    turn(input);

    assertThat(reader.items).isEmpty();
  }

  @Test
  void idleClockHasNoDeadlineThatPassesWithoutEffect() throws Exception {
    SourceInput input = input(true, "a", "b");
    reader.status = ReadStatus.MORE;
    input.step(100);
    scheduler.advance(10 * IDLE_MILLIS);
    input.step(100);

    assertThat(input.deadlineNanos()).isGreaterThan(scheduler.monotonicNanos());
  }

  @Test
  void waitingReaderIsAskedAgainAfterItsPollTime() throws Exception {
    SourceInput input = input(true, "a");
    turn(input);
    for (int i = 0; i < 5; i++) {
      int before = reader.reads;
      assertThat(input.deadlineNanos())
          .isLessThanOrEqualTo(scheduler.monotonicNanos() + 100_000_000);
      scheduler.advance(100);
      wakes = 0;
      input.step(100);
      scheduler.runIo();
      assertThat(reader.reads).isEqualTo(before + 1);
      assertThat(wakes).as("the task is told that the reader waits again").isPositive();
      input.step(100);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void t03TaskWithoutSplitsIsIdleAndASplitThatComesLaterWakesIt(boolean blocking) throws Exception {
    SourceInput input = input(blocking);
    turn(input);
    assertThat(input.idle()).isTrue();
    assertThat(input.ended()).isFalse();
    assertThat(input.deadlineNanos()).isEqualTo(Long.MAX_VALUE);

    reader.items.add(() -> reader.output.emit(0, "k", 7, 70, null, 1));
    input.addSplits(List.of(Manifest.SplitPart.unread("late", 0)), false);
    turn(input);

    assertThat(emitted).containsExactly(7);
    assertThat(input.idle()).isFalse();
    assertThat(input.watermark()).isEqualTo(70);
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_600_000, 3_600_000})
  void c13JumpOfTheWallClockNeitherMakesSplitsIdleNorKeepsThemFromIt(long jump) throws Exception {
    SourceInput input = input(false, "a");
    reader.items.add(() -> reader.output.emit(0, "k", 1, 500, null, 1));
    turn(input);

    scheduler.wallOffset = jump;
    turn(input);
    assertThat(input.idle()).isFalse();
    scheduler.advance(IDLE_MILLIS);
    turn(input);
    assertThat(input.idle()).isTrue();
  }

  @Test
  void splitWithAKnownBacklogIsNotIdle() throws Exception {
    SourceInput input = input(false, "a");
    reader.items.add(
        () -> {
          reader.output.emit(0, "k", 1, 500, null, 1);
          reader.output.backlog(0, 3);
        });
    turn(input);
    scheduler.advance(10 * IDLE_MILLIS);
    turn(input);

    assertThat(input.idle()).isFalse();
    assertThat(input.deadlineNanos()).isGreaterThan(scheduler.monotonicNanos());
  }

  @Test
  void readerIsReleasedOnce() throws Exception {
    SourceInput input = input(true, "a");
    turn(input);
    input.close();
    input.release();
    scheduler.runIo();

    assertThat(reader.closes).isEqualTo(1);
  }

  /** A step, what it sets off on other threads, and a step for what they have brought. */
  private void turn(SourceInput input) throws Exception {
    if (!reader.items.isEmpty()) {
      input.sourceWoken();
    }
    for (int i = 0; i < 5 && !gate.closed; i++) {
      input.step(100);
      scheduler.runIo();
    }
  }

  private SourceInput input(boolean blocking, String... splits) {
    reader.blocking = blocking;
    SourceInput input =
        new SourceInput(
            "in",
            reader,
            WatermarkStrategy.<String, Integer>monotonous()
                .idleAfter(Duration.ofMillis(IDLE_MILLIS)),
            true,
            null,
            null,
            0,
            16,
            scheduler,
            () -> wakes++,
            gate,
            new NodeCounters(),
            new Head(),
            null,
            e -> {
              throw new IllegalStateException(e);
            });
    input.addSplits(
        Arrays.stream(splits).map(id -> Manifest.SplitPart.unread(id, 0)).toList(), false);
    return input;
  }

  private final class Head implements Output {
    @Override
    public void process(Object key, Object value, long timestampMillis, Headers headers) {
      emitted.add(value);
      if (closeGateAfterNext) {
        closeGateAfterNext = false;
        gate.outputFull();
      }
    }
  }

  /** Does an item a time, as long as there is room, and then waits. */
  private static final class Script implements SourceReader<String, Integer> {
    final Queue<Runnable> items = new ArrayDeque<>();
    RecordOutput<String, Integer> output;
    ReadStatus status = ReadStatus.WAITING;
    boolean blocking;
    int reads;
    int closes;

    @Override
    public void add(Split split) {}

    @Override
    public ReadStatus read(RecordOutput<String, Integer> to) {
      reads++;
      output = to;
      while (!to.full() && !items.isEmpty()) {
        items.remove().run();
      }
      return items.isEmpty() ? status : ReadStatus.MORE;
    }

    @Override
    public boolean blocking() {
      return blocking;
    }

    @Override
    public void close() {
      closes++;
    }
  }

  /** Time and I/O that a test moves by hand. */
  private static final class ManualScheduler implements Scheduler, Clock {
    private final Queue<Runnable> works = new ArrayDeque<>();
    private long nanos = 1;
    private long wallOffset;

    void advance(long millis) {
      nanos += millis * 1_000_000;
    }

    /** Some of what is due, since a reader may always have more. */
    void runIo() {
      for (int i = 0; i < 5 && !works.isEmpty(); i++) {
        works.remove().run();
      }
    }

    @Override
    public Clock clock() {
      return this;
    }

    @Override
    public long wallMillis() {
      return nanos / 1_000_000 + wallOffset;
    }

    @Override
    public long monotonicNanos() {
      return nanos;
    }

    @Override
    public TaskHandle register(String name, int affinity, Task task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void io(String name, Runnable work) {
      works.add(work);
    }

    @Override
    public void start() {}

    @Override
    public boolean concurrent() {
      return false;
    }

    @Override
    public void close() {}
  }
}
