package io.streamforge.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerSchedulerTest {
  private static final int ROUNDS = 100_000;

  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  @Test
  void noWakeUpIsLostBetweenTwoWorkersThatSleepAfterEveryStep() throws Exception {
    AtomicInteger turn = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(2);
    DeferredWaker left = new DeferredWaker();
    DeferredWaker right = new DeferredWaker();
    try (WorkerScheduler scheduler = scheduler(2)) {
      left.target(scheduler.register("left", 0, new Player(turn, 0, right, done)));
      right.target(scheduler.register("right", 1, new Player(turn, 1, left, done)));
      scheduler.start();

      assertThat(done.await(60, TimeUnit.SECONDS)).as("a turn of %s", turn).isTrue();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void sleepingTaskRunsAtItsDeadline() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    try (WorkerScheduler scheduler = scheduler(1)) {
      long due = scheduler.clock().monotonicNanos() + Duration.ofMillis(20).toNanos();
      scheduler.register(
          "late",
          0,
          new Task() {
            @Override
            public Progress run() {
              if (scheduler.clock().monotonicNanos() < due) {
                return Progress.IDLE;
              }
              done.countDown();
              return Progress.DONE;
            }

            @Override
            public long deadlineNanos() {
              return due;
            }
          });
      scheduler.start();

      assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void whatEscapesATaskIsReportedAndTheOthersOfItsWorkerGoOn() throws Exception {
    CountDownLatch done = new CountDownLatch(2);
    AtomicInteger turn = new AtomicInteger();
    DeferredWaker left = new DeferredWaker();
    DeferredWaker right = new DeferredWaker();
    try (WorkerScheduler scheduler = scheduler(1)) {
      scheduler.register(
          "bad",
          0,
          new Task() {
            @Override
            public Progress run() {
              throw new IllegalStateException("escaped");
            }

            @Override
            public long deadlineNanos() {
              return Long.MAX_VALUE;
            }
          });
      left.target(scheduler.register("left", 0, new Player(turn, 0, right, done)));
      right.target(scheduler.register("right", 0, new Player(turn, 1, left, done)));
      scheduler.start();

      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(failures).singleElement().extracting(Throwable::getMessage).isEqualTo("escaped");
  }

  private WorkerScheduler scheduler(int workers) {
    return new WorkerScheduler("test", workers, Duration.ofSeconds(10), failures::add);
  }

  /** Moves when it is its turn, wakes the other one, and sleeps. */
  private static final class Player implements Task {
    private final AtomicInteger turn;
    private final int parity;
    private final Waker other;
    private final CountDownLatch done;

    Player(AtomicInteger turn, int parity, Waker other, CountDownLatch done) {
      this.turn = turn;
      this.parity = parity;
      this.other = other;
      this.done = done;
    }

    @Override
    public Progress run() {
      int now = turn.get();
      if (now % 2 == parity && now < ROUNDS) {
        turn.incrementAndGet();
        other.wake();
        return Progress.IDLE;
      }
      if (now < ROUNDS) {
        return Progress.IDLE;
      }
      other.wake();
      done.countDown();
      return Progress.DONE;
    }

    @Override
    public long deadlineNanos() {
      return Long.MAX_VALUE;
    }
  }
}
