package io.streamforge.testkit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.testkit.checkpoint.ModelProcess.Ledger;
import io.streamforge.testkit.storage.SimulatedCrash;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.testkit.storage.SimulatedStorage.Connection;
import io.streamforge.testkit.storage.StorageFaults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes and machines that die at every call of the storage. */
class CheckpointCrashTest {
  private static final int CHECKPOINTS = 6;
  private static final int NO_LIMIT = 1_000;

  private static void run(Connection storage, Ledger ledger, long token, int retained)
      throws IOException {
    ModelProcess process = new ModelProcess(storage, ledger, token, retained);
    for (int i = 0; i < CHECKPOINTS; i++) {
      process.checkpoint(NO_LIMIT);
    }
  }

  /** All that is retained can be read; whatever was acted on is part of what is restored. */
  private static void check(SimulatedStorage storage, Ledger ledger, String what)
      throws IOException {
    CheckpointHistory history = ModelProcess.verified(storage.connect());
    CheckpointHistory.Usable usable = history.usable();
    assertThat(usable.skipped()).as(what).isEmpty();
    LogEntry.Published newest = usable.checkpoint();
    if (newest == null) {
      assertThat(ledger.acted).as(what).isEmpty();
    } else {
      ledger.checkRestored(newest, what);
    }
  }

  /** After some undisturbed checkpoints only what is needed is left. */
  private static void checkNothingIsLeft(SimulatedStorage storage, int retained, String what)
      throws IOException {
    CheckpointHistory history = CheckpointLog.open(storage.connect(), "job").read();
    TreeSet<String> expected = new TreeSet<>();
    expected.add("format");
    for (LogEntry.Published checkpoint : history.published()) {
      expected.addAll(checkpoint.manifest().objects());
    }
    List<String> left = new ArrayList<>();
    long entries = 0;
    for (String name : storage.names()) {
      if (name.startsWith("log/")) {
        entries++;
      } else if (!expected.remove(name)) {
        left.add(name);
      }
    }
    assertThat(left).as(what).isEmpty();
    assertThat(expected).as(what).isEmpty();
    assertThat(history.published()).as(what).hasSize(retained + 1);
    assertThat(entries).as(what).isEqualTo(retained + 1);
  }

  /** C14, C15: twice in a row, so that also what repairs the first death is interrupted. */
  @ParameterizedTest
  @CsvSource({"1, true", "1, false", "2, true", "2, false"})
  void c14NewestCheckpointSurvivesDeathAtEveryCall(int retained, boolean machine)
      throws IOException {
    SimulatedStorage undisturbed = new SimulatedStorage(0);
    run(undisturbed.connect(), new Ledger(), 1, retained);
    long calls = undisturbed.calls();
    assertThat(calls).isGreaterThan(100);
    SplittableRandom random = new SplittableRandom(retained);
    for (long diesAt = 1; diesAt <= calls; diesAt++) {
      for (int variant = 0; variant < 2; variant++) {
        String what = "retained " + retained + ", dies at " + diesAt + ", variant " + variant;
        SimulatedStorage storage = new SimulatedStorage(diesAt * 10 + variant);
        Ledger ledger = new Ledger();
        long[] deaths = {diesAt, 1 + random.nextLong(calls)};
        for (int i = 0; i < deaths.length; i++) {
          Connection process = storage.connect();
          process.crashAt(deaths[i]);
          try {
            run(process, ledger, i, retained);
          } catch (SimulatedCrash e) {
            process.kill();
          }
          if (machine) {
            storage.crashMachine();
          }
          check(storage, ledger, what);
        }
        run(storage.connect(), ledger, 99, retained);
        check(storage, ledger, what);
        checkNothingIsLeft(storage, retained, what);
      }
    }
  }

  /** A call that fails may have had its effect, may have it later, and may be repeated. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failedLateAndRepeatedCallsLeaveNoDoubt(boolean machine) throws IOException {
    int published = 0;
    int stopped = 0;
    for (int seed = 0; seed < 800; seed++) {
      SimulatedStorage storage = new SimulatedStorage(seed);
      Ledger ledger = new Ledger();
      storage.faults(StorageFaults.SOME);
      for (int i = 0; i < 3; i++) {
        Connection process = storage.connect();
        process.crashAt(20 + (seed * 31L + i * 17L) % 150);
        try {
          run(process, ledger, i, 1);
        } catch (SimulatedCrash | IOException e) {
          stopped++;
        } catch (StreamForgeException e) {
          // The storage could not be opened.
          assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
          stopped++;
        }
        process.kill();
        if (machine) {
          storage.crashMachine();
        }
      }
      storage.faults(StorageFaults.NONE);
      check(storage, ledger, "seed " + seed);
      published += ledger.acted.size();
    }

    assertThat(published).isGreaterThan(1_600);
    assertThat(stopped).isGreaterThan(800);
  }
}
