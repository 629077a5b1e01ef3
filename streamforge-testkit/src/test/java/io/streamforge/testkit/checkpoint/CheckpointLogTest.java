package io.streamforge.testkit.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.streamforge.checkpoint.CheckpointCleaner;
import io.streamforge.checkpoint.CheckpointHistory;
import io.streamforge.checkpoint.CheckpointLog;
import io.streamforge.checkpoint.FrameKind;
import io.streamforge.checkpoint.FrameReader;
import io.streamforge.checkpoint.LogEntry;
import io.streamforge.checkpoint.LogOwner;
import io.streamforge.checkpoint.Manifest;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.file.DirectoryStorage;
import io.streamforge.testkit.VirtualClock;
import io.streamforge.testkit.checkpoint.ModelProcess.Ledger;
import io.streamforge.testkit.storage.ForwardingStorage;
import io.streamforge.testkit.storage.SimulatedStorage;
import io.streamforge.testkit.storage.StorageFaults;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointLogTest {
  private static final Manifest EMPTY = new Manifest(16, 0, List.of());

  private final SimulatedStorage storage = new SimulatedStorage(1);
  private final VirtualClock clock = new VirtualClock(0);

  private static LogOwner claim(CheckpointStorage storage, long token) throws IOException {
    return CheckpointLog.open(storage, "job").claim(token, "process " + token, 1, 1_000);
  }

  /** A process that begins behind the newest checkpoint. */
  private LogOwner take(long token) throws IOException {
    LogOwner owner = claim(storage.connect(), token);
    LogEntry.Published newest = owner.history().usable().checkpoint();
    owner.begin(newest == null ? 0 : newest.position(), 0);
    return owner;
  }

  private List<Long> positions() {
    List<Long> positions = new ArrayList<>();
    for (String name : storage.names()) {
      if (name.startsWith("log/")) {
        positions.add(Long.parseLong(name.substring(4)));
      }
    }
    return positions;
  }

  private static void assertFails(ErrorCode code, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StreamForgeException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void theFirstProcessFindsNothingAndTheNextFindsWhatWasPublished() throws IOException {
    LogOwner first = take(1);
    assertThat(first.history().usable().checkpoint()).isNull();
    assertThat(first.nextNumber()).isEqualTo(2);
    first.publish(EMPTY, 5);
    first.publish(new Manifest(32, 7, List.of()), 6);

    LogEntry.Published found = take(2).history().usable().checkpoint();

    assertThat(found).isNotNull();
    assertThat(found.number()).isEqualTo(3);
    assertThat(found.parent()).isEqualTo(2);
    assertThat(found.createdMillis()).isEqualTo(6);
    assertThat(found.manifest()).isEqualTo(new Manifest(32, 7, List.of()));
  }

  @Test
  void abortedCheckpointsAreEnteredUnderTheirNumbersSoThatThereAreNoHoles() throws IOException {
    LogOwner owner = take(1);
    owner.publish(EMPTY, 0);
    owner.abort("timed out", 0);
    owner.publish(EMPTY, 0);
    LogOwner next = take(2);
    next.abort("declined", 0);
    next.publish(EMPTY, 0);

    assertThat(positions()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(next.history().entries().get(1))
        .asInstanceOf(type(LogEntry.Aborted.class))
        .extracting(LogEntry.Aborted::reason)
        .isEqualTo("timed out");
    LogEntry.Published newest = next.newest();
    assertThat(newest).isNotNull();
    assertThat(newest.number()).isEqualTo(7);
    assertThat(newest.parent()).isEqualTo(4);
  }

  @Test
  void ofTwoThatRaceForAPositionOneWinsAndTheOtherFindsOut() throws IOException {
    LogOwner first = take(1);
    LogOwner second = take(2);
    second.publish(EMPTY, 0);

    assertFails(
        ErrorCode.CHECKPOINT_FENCED,
        "another process runs the job with the checkpoints in simulated storage: entry 2 by"
            + " 'process 2' is not of this process, whose last entry is 1",
        () -> first.publish(EMPTY, 0));
    assertFails(ErrorCode.CHECKPOINT_FENCED, "let the other process run", first::check);
    second.publish(EMPTY, 0);
    assertThat(positions()).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void aProcessThatSleptUntilItsPositionWasCleanedUpFindsOutAndItsEntryDoesNotCount()
      throws IOException {
    LogOwner sleeper = take(1);
    sleeper.publish(EMPTY, 0);
    LogOwner owner = take(2);
    for (int i = 0; i < 5; i++) {
      owner.publish(EMPTY, 0);
      new CheckpointCleaner(owner, clock).clean(100);
    }
    assertThat(positions()).containsExactly(7L, 8L);

    assertFails(ErrorCode.CHECKPOINT_FENCED, "entry 7 is not of", () -> sleeper.publish(EMPTY, 0));

    assertThat(positions()).containsExactly(3L, 7L, 8L);
    CheckpointHistory history = take(3).history();
    assertThat(history.published()).extracting(LogEntry::position).containsExactly(7L, 8L);
    assertThat(history.oldestRetained()).isEqualTo(7);
  }

  @Test
  void c11OfManyThatClaimAtOnceOnDiskOneGoesOn(@TempDir Path temp) throws Exception {
    int processes = 4;
    ExecutorService executor = Executors.newFixedThreadPool(processes);
    try {
      for (int round = 0; round < 20; round++) {
        Path directory = temp.resolve("job" + round);
        CyclicBarrier barrier = new CyclicBarrier(processes);
        List<Callable<LogOwner>> all = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
          int token = i;
          all.add(
              () -> {
                barrier.await(30, TimeUnit.SECONDS);
                return claim(DirectoryStorage.open(directory), token);
              });
        }
        int published = 0;
        for (Future<LogOwner> result : executor.invokeAll(all)) {
          try {
            LogOwner owner = result.get();
            owner.begin(0, 0);
            owner.publish(EMPTY, 0);
            published++;
          } catch (StreamForgeException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_FENCED);
          } catch (ExecutionException e) {
            assertThat(e.getCause())
                .isInstanceOfSatisfying(
                    StreamForgeException.class,
                    fenced -> assertThat(fenced.code()).isEqualTo(ErrorCode.CHECKPOINT_FENCED));
          }
        }

        assertThat(published).isEqualTo(1);
        CheckpointHistory history =
            CheckpointLog.openExisting(DirectoryStorage.openExisting(directory)).read();
        assertThat(history.last()).isEqualTo(processes + 1L);
        assertThat(history.published()).hasSize(1);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  /** However often there are checkpoints: another process may be about to start. */
  @Test
  void whatACreationHasLeftIsRemovedAfterTenMinutesAndNotBefore() throws IOException {
    LogOwner owner = take(1);
    CheckpointCleaner cleaner = new CheckpointCleaner(owner, clock);
    storage.connect().createIfAbsent("tmp/left", new byte[1]);
    for (int i = 0; i < 100; i++) {
      owner.publish(EMPTY, 0);
      cleaner.clean(100);
      clock.advance(Duration.ofMillis(10));
    }
    storage.connect().createIfAbsent("tmp/later", new byte[1]);
    cleaner.clean(100);
    clock.advance(Duration.ofMinutes(10).minusSeconds(1));
    assertThat(storage.names()).contains("tmp/left", "tmp/later");

    cleaner.clean(100);
    assertThat(storage.names()).doesNotContain("tmp/left").contains("tmp/later");
    clock.advance(Duration.ofSeconds(1));
    cleaner.clean(100);
    assertThat(storage.names()).doesNotContain("tmp/later");
  }

  /** The process that is starting has read the log, and sleeps before it writes its claim. */
  @Test
  void claimOfAPositionThatHasBeenCleanedUpIsMadeAgain() throws IOException {
    LogOwner owner = take(1);
    owner.publish(EMPTY, 0);
    CheckpointStorage slow =
        new ForwardingStorage(storage.connect()) {
          private boolean slept;

          @Override
          public boolean createIfAbsent(String name, byte[] content) throws IOException {
            if (!slept) {
              slept = true;
              for (int i = 0; i < 5; i++) {
                owner.publish(EMPTY, 0);
                new CheckpointCleaner(owner, clock).clean(100);
              }
              assertThat(storage.list("log")).noneMatch(object -> object.name().equals(name));
            }
            return storage.createIfAbsent(name, content);
          }
        };

    LogOwner next = claim(slow, 2);

    assertThat(next.attempt()).isEqualTo(8);
    assertThat(next.history().usable().checkpoint()).isEqualTo(owner.newest());
    next.begin(7, 0);
    assertFails(ErrorCode.CHECKPOINT_FENCED, "entry 8 by", () -> owner.publish(EMPTY, 0));
    next.publish(EMPTY, 0);
    new CheckpointCleaner(next, clock).clean(100);
    assertThat(positions()).as("without the claim that was too late").doesNotContain(3L);
  }

  @Test
  void c12NumbersGoOnAboveASavepointAndTheMarkersOfSinks() throws IOException {
    LogOwner owner = claim(storage.connect(), 1);
    owner.begin(0, 41);
    assertThat(owner.nextNumber()).isEqualTo(42);
    assertThat(owner.dataName(42, "t0")).isEqualTo("data/1-42-0000000000000001-t0");
    owner.publish(EMPTY, 0);
    owner.abort("declined", 0);

    LogOwner next = take(2);

    assertThat(next.nextNumber()).isEqualTo(44);
    next.publish(EMPTY, 0);
    assertThat(positions()).containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void c12NumbersGoOnWhenAnOlderCheckpointIsRestoredAndTheGivenUpOneIsNotFallenBackTo()
      throws IOException {
    LogOwner first = take(1);
    first.publish(EMPTY, 0);
    first.publish(EMPTY, 0);
    LogOwner second = claim(storage.connect(), 2);
    second.begin(2, 0);
    second.publish(EMPTY, 0);
    storage.damage("log/0000000000000000005", bytes -> Arrays.copyOf(bytes, 20));
    LogOwner third = claim(storage.connect(), 3);
    third.begin(2, 0);
    third.publish(EMPTY, 0);
    storage.damage("log/0000000000000000007", bytes -> Arrays.copyOf(bytes, 20));

    CheckpointHistory.Usable usable = take(4).history().usable();

    // 7 and 5 are damaged; what led to them cannot be told, so the newest before them counts.
    assertThat(usable.skipped())
        .extracting(CheckpointHistory.Skipped::position)
        .containsExactly(7L, 5L);
    LogEntry.Published found = usable.checkpoint();
    assertThat(found).isNotNull();
    assertThat(found.position()).isEqualTo(3);
    assertThat(third.nextNumber()).isEqualTo(8);
  }

  @Test
  void aCheckpointThatWasGivenUpByRestoringAnOlderOneIsNotInTheLineage() throws IOException {
    Ledger ledger = new Ledger();
    ModelProcess first = new ModelProcess(storage.connect(), ledger, 1, 3);
    first.checkpoint(100);
    first.checkpoint(100);
    LogOwner second = claim(storage.connect(), 2);
    second.begin(2, 0);
    second.publish(second.history().published().get(0).manifest(), 0);

    CheckpointHistory history = take(3).history();

    assertThat(history.usable().checkpoint()).extracting(LogEntry::position).isEqualTo(5L);
    assertThat(history.usableBelow(5, List.of()).checkpoint())
        .extracting(LogEntry::position)
        .isEqualTo(2L);
  }

  @Test
  void aLostReplyIsNotTakenForAnotherProcess() throws IOException {
    for (StorageFaults faults :
        List.of(
            new StorageFaults(0, 1, 0, 0, 0),
            new StorageFaults(0, 0, 0, 1, 0),
            new StorageFaults(1, 0, 0, 0, 0))) {
      SimulatedStorage place = new SimulatedStorage(3);
      LogOwner owner = claim(place.connect(), 1);
      owner.begin(0, 0);
      place.faults(faults);
      LogEntry standing = null;
      try {
        standing = owner.publish(EMPTY, 0);
      } catch (IOException e) {
        place.faults(StorageFaults.NONE);
        // In doubt; giving it up settles it.
        standing = owner.abort("in doubt", 0);
      }
      boolean hadEffect = faults.failure() == 0;

      assertThat(standing instanceof LogEntry.Published).as("%s", faults).isEqualTo(hadEffect);
      assertThat(owner.nextNumber()).isEqualTo(3);
    }
  }

  @Test
  void damageIsNamedAndTheOneBeforeIsUsed() throws IOException {
    Ledger ledger = new Ledger();
    ModelProcess process = new ModelProcess(storage.connect(), ledger, 1, 2);
    for (int i = 0; i < 4; i++) {
      process.checkpoint(100);
    }
    // 5 has a base of its own; 4 goes on from 3.
    String newest =
        storage.names().stream().filter(n -> n.startsWith("data/1-5-")).findFirst().get();
    storage.damage(newest, bytes -> Arrays.copyOf(bytes, 30));

    CheckpointHistory.Usable shorter =
        CheckpointLog.openExisting(storage.connect()).read().usable();
    assertThat(shorter.checkpoint()).extracting(LogEntry::position).isEqualTo(4L);
    assertThat(shorter.skipped())
        .singleElement()
        .extracting(CheckpointHistory.Skipped::reason)
        .asString()
        .startsWith("the object '" + newest + "' in simulated storage has 30 bytes, ");

    storage.remove(newest);
    storage.damage("log/0000000000000000004", bytes -> flipped(bytes, 50));
    CheckpointHistory.Usable older = CheckpointLog.openExisting(storage.connect()).read().usable();
    assertThat(older.checkpoint()).extracting(LogEntry::position).isEqualTo(3L);
    assertThat(older.skipped())
        .extracting(CheckpointHistory.Skipped::reason)
        .satisfiesExactly(
            reason ->
                assertThat(reason)
                    .isEqualTo("the object '" + newest + "' in simulated storage is missing"),
            reason ->
                assertThat(reason)
                    .startsWith(
                        "the object 'log/0000000000000000004' in simulated storage is altered"));
  }

  private static byte[] flipped(byte[] bytes, int at) {
    bytes[at] ^= 4;
    return bytes;
  }

  @Test
  void everyFlippedByteOfEveryObjectIsFoundAndNamed() throws IOException {
    ModelProcess process = new ModelProcess(storage.connect(), new Ledger(), 1, 2);
    process.checkpoint(100);
    process.checkpoint(100);
    List<String> names = storage.names();
    assertThat(names).hasSizeGreaterThan(4);
    for (String name : names) {
      byte[] whole = storage.content(name);
      for (int at = 0; at < whole.length; at++) {
        int place = at;
        storage.damage(name, bytes -> flipped(bytes, place));

        assertThat(problems()).as("%s, byte %d", name, at).contains("'" + name + "'");
        storage.damage(name, bytes -> whole);
      }
      for (int length = 0; length < whole.length; length++) {
        int end = length;
        storage.damage(name, bytes -> Arrays.copyOf(bytes, end));

        assertThat(problems()).as("%s, cut at %d", name, length).contains("'" + name + "'");
        storage.damage(name, bytes -> whole);
      }
    }
    assertThat(problems()).isEmpty();
  }

  /** What is wrong, as a verification of all that is there would say. */
  private String problems() throws IOException {
    StringBuilder problems = new StringBuilder();
    try {
      CheckpointStorage connection = storage.connect();
      CheckpointHistory history = CheckpointLog.open(connection, "job").read();
      history.damaged().forEach(damage -> problems.append(damage.reason()));
      for (LogEntry.Published checkpoint : history.published()) {
        ModelProcess.verify(connection, checkpoint.manifest());
      }
      for (String name : storage.names()) {
        if (name.startsWith("data/")) {
          FrameReader reader = FrameReader.whole(connection, name, FrameKind.DATA);
          while (reader.next() != null) {
            // Orphans are verified like all others.
            continue;
          }
        }
      }
    } catch (StreamForgeException e) {
      problems.append(e.summary());
    }
    return problems.toString();
  }

  @Test
  void whenNoCheckpointCanBeUsedAllAreNamed() throws IOException {
    ModelProcess process = new ModelProcess(storage.connect(), new Ledger(), 1, 2);
    process.checkpoint(100);
    process.checkpoint(100);
    storage.names().stream().filter(n -> n.startsWith("data/")).forEach(storage::remove);

    assertFails(
        ErrorCode.CHECKPOINT_DAMAGED,
        "no checkpoint in simulated storage can be used:\n    entry 3: the object 'data/1-",
        () -> CheckpointLog.open(storage.connect(), "job").read().usable());
  }

  @Test
  void checkpointsOfAnotherJobAreNotTouched() throws IOException {
    take(1);
    List<String> before = storage.names();

    assertFails(
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        "the checkpoints in simulated storage are of the job 'job', not of 'orders'",
        () -> CheckpointLog.open(storage.connect(), "orders"));
    assertThat(storage.names()).isEqualTo(before);
  }

  @Test
  void halfDeletedCheckpointsAreNotTakenForNone() throws IOException {
    ModelProcess process = new ModelProcess(storage.connect(), new Ledger(), 1, 1);
    for (int i = 0; i < 4; i++) {
      process.checkpoint(100);
    }
    take(2);
    byte[] format = storage.content("format");
    storage.remove("format");
    assertFails(
        ErrorCode.CHECKPOINT_DAMAGED,
        "the checkpoints in simulated storage are half deleted: the object 'format' is missing, 3"
            + " entries of the log",
        () -> CheckpointLog.open(storage.connect(), "job"));

    storage.connect().createIfAbsent("format", format);
    storage.remove("log/0000000000000000004");
    storage.remove("log/0000000000000000005");
    assertFails(
        ErrorCode.CHECKPOINT_DAMAGED,
        "half deleted: the entries of 'log' before 6 are missing",
        () -> take(3));

    storage.names().stream().filter(n -> n.startsWith("log/")).forEach(storage::remove);
    assertFails(
        ErrorCode.CHECKPOINT_DAMAGED,
        "half deleted: 'log' is empty, 'data' has",
        () -> CheckpointLog.open(storage.connect(), "job"));
  }

  @Test
  void aPlaceWithoutCheckpointsIsNamed() {
    assertFails(
        ErrorCode.CHECKPOINT_INCOMPATIBLE,
        "there are no checkpoints in simulated storage",
        () -> CheckpointLog.openExisting(storage.connect()));
    assertThat(storage.names()).isEmpty();
  }

  @Test
  void aPlaceThatCannotBeReachedIsNamed() {
    storage.faults(new StorageFaults(1, 0, 0, 0, 0));

    assertFails(
        ErrorCode.STORAGE_UNAVAILABLE,
        "the checkpoints cannot be opened in simulated storage: java.io.IOException: simulated"
            + " failure of read format",
        () -> CheckpointLog.open(storage.connect(), "job"));
  }

  @Test
  void anObjectThatARetainedCheckpointNeedsIsNeverRemoved() throws IOException {
    for (int retained = 1; retained <= 4; retained++) {
      SimulatedStorage place = new SimulatedStorage(retained);
      for (int token = 0; token < 4; token++) {
        ModelProcess process = new ModelProcess(place.connect(), new Ledger(), token, retained);
        for (int i = 0; i < 8; i++) {
          process.checkpoint(1 + i % 3);
          CheckpointHistory history = CheckpointLog.openExisting(place.connect()).read();
          assertThat(history.published()).hasSizeLessThanOrEqualTo(retained + 1);
          for (LogEntry.Published checkpoint : history.published()) {
            ModelProcess.verify(place.connect(), checkpoint.manifest());
          }
        }
      }
    }
  }
}
