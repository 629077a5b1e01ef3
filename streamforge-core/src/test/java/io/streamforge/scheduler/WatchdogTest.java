package io.streamforge.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  /** Blocks in its first step until it is let go. */
  private static final class Stuck implements Task {
    final CountDownLatch letGo = new CountDownLatch(1);

    @Override
    public Progress run() {
      try {
        letGo.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Progress.DONE;
    }

    @Override
    public long deadlineNanos() {
      return Long.MAX_VALUE;
    }
  }

  @Test
  void aStepThatDoesNotEndIsReportedOnceWithTheTaskAndItsStack() throws InterruptedException {
    Worker worker = new Worker("worker", new SystemClock(), e -> {});
    Stuck stuck = new Stuck();
    worker.add("task 0[0] (parse, enrich)", stuck);
    BlockingQueue<String> reports = new ArrayBlockingQueue<>(10);
    Watchdog watchdog = new Watchdog(List.of(worker), Duration.ofMillis(1), reports::add);
    Thread thread = new Thread(watchdog);
    worker.start();
    thread.start();
    String report = reports.poll(10, TimeUnit.SECONDS);
    assertThat(report)
        .contains("worker has been in one step of task 0[0] (parse, enrich) for more than 1 ms")
        .contains("WatchdogTest$Stuck.run");
    stuck.letGo.countDown();
    thread.join(10_000);
    assertThat(thread.isAlive()).isFalse();
    assertThat(reports).isEmpty();
  }
}
