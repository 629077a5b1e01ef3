package io.streamforge.testkit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.testkit.checkpoint.ModelProcess.Ledger;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.testkit.storage.SimulatedStorage.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several processes of one job, which take turns at every call of the storage. */
class CheckpointRaceTest {
  private static final int PROCESSES = 3;

  /**
   * Lets one process go on at a time, for as many calls as the seed says; often one sleeps for so
   * long that the others make many checkpoints.
   */
  private static final class Turns {
    private final SplittableRandom random;
    private final List<Integer> running = new ArrayList<>();
    private int turn;
    private int callsLeft;

    Turns(long seed) {
      random = new SplittableRandom(seed);
      for (int i = 0; i < PROCESSES; i++) {
        running.add(i);
      }
      draw();
    }

    private void draw() {
      turn = running.isEmpty() ? -1 : running.get(random.nextInt(running.size()));
      callsLeft = 1 + random.nextInt(random.nextBoolean() ? 5 : 150);
      notifyAllWaiting();
    }

    private synchronized void notifyAllWaiting() {
      notifyAll();
    }

    synchronized void await(int process) {
      while (turn != process) {
        try {
          wait();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      if (--callsLeft <= 0) {
        draw();
        callsLeft++;
        while (turn != process) {
          try {
            wait();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
      }
    }

    synchronized void ended(int process) {
      running.remove((Integer) process);
      draw();
    }
  }

  /** C11: whatever was acted on leads to what is restored; two never go on side by side. */
  @Test
  void c11OfSeveralProcessesTheLaterOneGoesOnAndTheOthersStop() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(PROCESSES);
    int fenced = 0;
    try {
      for (int seed = 0; seed < 1_500; seed++) {
        SimulatedStorage storage = new SimulatedStorage(seed);
        Ledger ledger = new Ledger();
        Turns turns = new Turns(seed);
        List<Future<Boolean>> results = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
          int process = i;
          results.add(executor.submit(() -> runs(storage.connect(), ledger, turns, process)));
        }
        for (Future<Boolean> result : results) {
          try {
            fenced += result.get() ? 0 : 1;
          } catch (ExecutionException e) {
            throw new AssertionError("seed " + seed, e.getCause());
          }
        }
        check(storage, ledger, "seed " + seed);
      }
    } finally {
      executor.shutdownNow();
    }
    // Those that ended before another began were not fenced.
    assertThat(fenced).isGreaterThan(1_000);
  }

  private static boolean runs(Connection storage, Ledger ledger, Turns turns, int process)
      throws IOException {
    storage.beforeCall(call -> turns.await(process));
    try {
      turns.await(process);
      ModelProcess model = new ModelProcess(storage, ledger, process, 1);
      for (int i = 0; i < 8; i++) {
        model.checkpoint(1_000);
      }
      return true;
    } catch (StreamForgeException e) {
      if (e.code() != ErrorCode.CHECKPOINT_FENCED) {
        throw e;
      }
      assertThat(e.summary()).contains("another process runs the job with the checkpoints in");
      return false;
    } finally {
      turns.ended(process);
    }
  }

  private static void check(SimulatedStorage storage, Ledger ledger, String what)
      throws IOException {
    CheckpointHistory history = ModelProcess.verified(storage.connect());
    LogEntry.Published newest = history.usable().checkpoint();
    assertThat(newest).as(what).isNotNull();
    ledger.checkRestored(newest, what);
    // C12: a number is never given twice.
    assertThat(new HashSet<>(ledger.numbers.values()))
        .as(what)
        .hasSameSizeAs(ledger.numbers.keySet());
  }
}
