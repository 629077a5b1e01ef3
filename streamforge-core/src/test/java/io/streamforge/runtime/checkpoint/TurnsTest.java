package io.streamforge.runtime.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.scheduler.WorkerScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final int STEPS = 50;

  private final WorkerScheduler scheduler =
      new WorkerScheduler("turns", 1, Duration.ofSeconds(10), e -> {});
  private final Turns turns = new Turns();

  @AfterEach
  void close() {
    scheduler.close();
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void workApartIsDoneAtTheSameTime() {
    CyclicBarrier both = new CyclicBarrier(2);
    Runnable step = () -> turns.apart(() -> meet(both));

    turns.run(List.of(step, step), scheduler, 2);
  }

  @Test
  void allElseIsDoneByOneAfterTheOther() {
    List<Integer> shared = new ArrayList<>();
    AtomicInteger going = new AtomicInteger();
    List<Runnable> steps = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      int step = i;
      steps.add(
          () -> {
            assertThat(going.incrementAndGet()).isEqualTo(1);
            shared.add(step);
            going.decrementAndGet();
            turns.apart(Thread::yield);
            assertThat(going.incrementAndGet()).isEqualTo(1);
            going.decrementAndGet();
          });
    }
    turns.run(steps, scheduler, 4);

    assertThat(shared).hasSize(STEPS).doesNotHaveDuplicates();
  }

  @Test
  void withOneThreadStepsRunInTheirOrderOnTheCaller() {
    List<String> order = new ArrayList<>();
    turns.run(
        List.of(
            () -> order.add("first on " + Thread.currentThread().getName()),
            () -> order.add("second on " + Thread.currentThread().getName())),
        scheduler,
        1);

    String caller = Thread.currentThread().getName();
    assertThat(order).containsExactly("first on " + caller, "second on " + caller);
  }

  @Test
  void ofSeveralFailuresTheFirstInTheOrderOfStepsIsThrown() {
    CyclicBarrier both = new CyclicBarrier(2);
    Runnable first =
        () -> {
          turns.apart(() -> meet(both));
          throw new IllegalStateException("first");
        };
    Runnable second =
        () -> {
          turns.apart(() -> meet(both));
          throw new IllegalStateException("second");
        };

    assertThatThrownBy(() -> turns.run(List.of(first, second), scheduler, 2)).hasMessage("first");
  }

  /** The long one is stopped when it next asks, and what comes behind is not begun. */
  @Test
  void failureStopsTheOtherStepsAndTheOnesToCome() {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger behind = new AtomicInteger();
    Runnable endless =
        () ->
            turns.apart(
                () -> {
                  begun.countDown();
                  while (true) {
                    turns.check();
                    Thread.onSpinWait();
                  }
                });
    Runnable failing =
        () -> {
          turns.apart(
              () -> {
                try {
                  assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
          throw new IllegalStateException("failed");
        };

    assertThatThrownBy(
            () ->
                turns.run(
                    List.of(endless, failing, behind::incrementAndGet, behind::incrementAndGet),
                    scheduler,
                    2))
        .hasMessage("failed");
    assertThat(behind).hasValue(0);
  }
}
