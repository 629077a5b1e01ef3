package io.streamforge.testkit.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What {@link CheckpointStorage} promises, as tests for JUnit. Whoever writes a storage extends
 * this class and says how to connect to it; all tests are inherited:
 *
 * <ul>
 *   <li>each test needs a place of its own that is empty when the test begins; JUnit makes a new
 *       instance of the class for each;
 *   <li>{@link #connect} is called several times in a test, also by several threads, and each time
 *       gives what another process would get at the same place.
 * </ul>
 *
 * <p>Not covered is what no test can do from outside: the death of the machine. A storage has to be
 * argued to survive that, as the comment in its class should.
 *
 * <p>Needs {@code org.junit.jupiter:junit-jupiter} on the class path of the tests.
 */
public abstract class CheckpointStorageContract {
  private static final int RACERS = 8;
  private static final int RACES = 25;

  private final List<CheckpointStorage> connections =
      Collections.synchronizedList(new ArrayList<>());

  /** For subclasses. */
  protected CheckpointStorageContract() {}

  /** A connection to the place of this test; the test closes it. */
  protected abstract CheckpointStorage connect() throws IOException;

  /**
   * Bytes of an object that is large for this storage: one that it writes in several parts, if it
   * does such a thing.
   */
  protected int largeObject() {
    return 300_000;
  }

  /** Closes all connections. */
  @AfterEach
  protected final void closeConnections() throws IOException {
    for (CheckpointStorage connection : connections) {
      connection.close();
    }
    connections.clear();
  }

  private CheckpointStorage open() throws IOException {
    CheckpointStorage connection = connect();
    connections.add(connection);
    return connection;
  }

  private static void put(CheckpointStorage storage, String name, String content)
      throws IOException {
    byte[] bytes = content.getBytes(UTF_8);
    try (ObjectWriter writer = storage.write(name)) {
      writer.write(bytes, 0, bytes.length);
      writer.complete();
    }
  }

  private static String text(CheckpointStorage storage, String name) throws IOException {
    return new String(storage.read(name, 0, 1_000), UTF_8);
  }

  /** Reading gives the bytes from the offset on, fewer where the object ends. */
  @Test
  protected void whatIsWrittenIsReadInParts() throws IOException {
    CheckpointStorage storage = open();
    put(storage, "data/a", "0123456789");

    assertEquals("0123456789", text(storage, "data/a"));
    assertEquals("3456", new String(storage.read("data/a", 3, 4), UTF_8));
    assertEquals("89", new String(storage.read("data/a", 8, 100), UTF_8));
    assertEquals(0, storage.read("data/a", 10, 1).length);
    assertEquals(0, storage.read("data/a", 1_000_000, 1).length);
    assertEquals(0, storage.read("data/a", 3, 0).length);
  }

  /** An empty object is there. */
  @Test
  protected void anObjectMayBeEmpty() throws IOException {
    CheckpointStorage storage = open();
    put(storage, "data/a", "");
    assertTrue(storage.createIfAbsent("log/1", new byte[0]));

    assertEquals("", text(storage, "data/a"));
    assertEquals("", text(storage, "log/1"));
    assertEquals(List.of(new StoredObject("data/a", 0)), storage.list("data"));
  }

  /** A large object is what was written, however it was cut. */
  @Test
  protected void aLargeObjectIsWhatWasWritten() throws IOException {
    CheckpointStorage storage = open();
    byte[] content = new byte[largeObject()];
    SplittableRandom random = new SplittableRandom(1);
    random.nextBytes(content);
    try (ObjectWriter writer = storage.write("data/a")) {
      byte[] reused = new byte[100_000];
      int from = 0;
      while (from < content.length) {
        int at = random.nextInt(10);
        int count = Math.min(random.nextInt(1, reused.length - at), content.length - from);
        System.arraycopy(content, from, reused, at, count);
        writer.write(reused, at, count);
        from += count;
      }
      writer.complete();
    }
    storage.sync();

    assertEquals(List.of(new StoredObject("data/a", content.length)), storage.list("data"));
    assertArrayEquals(content, storage.read("data/a", 0, content.length + 1));
  }

  /** A missing object is an exception of its own, with the name as its message. */
  @Test
  protected void aMissingObjectIsNamed() throws IOException {
    CheckpointStorage storage = open();
    for (int length : List.of(0, 1)) {
      NoSuchFileException missing =
          assertThrows(NoSuchFileException.class, () -> storage.read("data/b", 0, length));
      assertEquals("data/b", missing.getMessage());
    }
  }

  /** A list has the objects of one folder, in the order of their names. */
  @Test
  protected void aListIsSortedAndKnowsSizes() throws IOException {
    CheckpointStorage storage = open();
    put(storage, "data/b", "22");
    put(storage, "data/a", "1");
    put(storage, "data/B", "333");
    put(storage, "data/a.1", "4444");
    put(storage, "tmp/c", "other folder");
    storage.createIfAbsent("format", new byte[] {1});

    assertEquals(
        List.of(
            new StoredObject("data/B", 3),
            new StoredObject("data/a", 1),
            new StoredObject("data/a.1", 4),
            new StoredObject("data/b", 2)),
        storage.list("data"));
    assertEquals(List.of(), storage.list("log"));
    assertEquals(List.of(), storage.list("other"));
  }

  /** A process sees at once what another one has done. */
  @Test
  protected void processesSeeWhatOthersHaveDone() throws IOException {
    CheckpointStorage one = open();
    CheckpointStorage other = open();
    put(one, "data/a", "of one");
    assertTrue(other.createIfAbsent("log/1", "of the other".getBytes(UTF_8)));

    assertEquals("of one", text(other, "data/a"));
    assertEquals("of the other", text(one, "log/1"));
    assertEquals(List.of(new StoredObject("log/1", 12)), one.list("log"));

    other.delete(List.of("data/a"));
    assertThrows(NoSuchFileException.class, () -> one.read("data/a", 0, 1));
  }

  /** Objects outlive the connection that made them. */
  @Test
  protected void objectsStayWhenAConnectionIsClosed() throws IOException {
    try (CheckpointStorage storage = connect()) {
      put(storage, "data/a", "1");
      storage.createIfAbsent("log/1", new byte[] {2});
      storage.sync();
    }
    CheckpointStorage next = open();

    assertEquals("1", text(next, "data/a"));
    assertEquals(1, next.list("log").size());
  }

  /** Neither a creation nor a writer replaces an object. */
  @Test
  protected void nothingReplacesAnObject() throws IOException {
    CheckpointStorage storage = open();
    put(storage, "data/a", "first");
    assertTrue(storage.createIfAbsent("log/1", "first".getBytes(UTF_8)));

    assertFalse(storage.createIfAbsent("data/a", "second".getBytes(UTF_8)));
    assertFalse(storage.createIfAbsent("log/1", "second".getBytes(UTF_8)));
    assertThrows(FileAlreadyExistsException.class, () -> put(storage, "data/a", "second"));
    assertEquals("first", text(storage, "data/a"));
    assertEquals("first", text(storage, "log/1"));
  }

  /** A large object does not replace another one, either. */
  @Test
  protected void aLargeObjectReplacesNothing() throws IOException {
    CheckpointStorage storage = open();
    put(storage, "data/a", "first");

    assertThrows(
        FileAlreadyExistsException.class,
        () -> {
          try (ObjectWriter writer = storage.write("data/a")) {
            writer.write(new byte[largeObject()], 0, largeObject());
            writer.complete();
          }
        });
    assertEquals("first", text(storage, "data/a"));
  }

  /** What was not completed is removed, however much of it was written. */
  @Test
  protected void anObjectThatIsNotCompletedIsRemoved() throws IOException {
    CheckpointStorage storage = open();
    for (int length : List.of(0, 10, largeObject())) {
      try (ObjectWriter writer = storage.write("data/a" + length)) {
        writer.write(new byte[length], 0, length);
      }
    }

    assertEquals(List.of(), storage.list("data"));
  }

  /** Deleting what is not there is no error, and keeps nothing from being deleted. */
  @Test
  protected void deletingWhatIsNotThereIsFine() throws IOException {
    CheckpointStorage storage = open();
    put(storage, "data/a", "1");
    put(storage, "data/c", "1");

    storage.delete(List.of("data/a", "data/b", "data/c"));
    storage.delete(List.of("data/a"));
    storage.delete(List.of());
    storage.sync();

    assertEquals(List.of(), storage.list("data"));
  }

  /** Names are checked in every call, so none leads out of the place. */
  @Test
  protected void namesCannotLeadOutOfThePlace() throws IOException {
    CheckpointStorage storage = open();
    for (String name :
        List.of("../x", "data/../x", "data//x", "/x", "data/.x", "", "a b", "x/y/z")) {
      assertThrows(IllegalArgumentException.class, () -> storage.read(name, 0, 1), name);
      assertThrows(IllegalArgumentException.class, () -> storage.write(name).close(), name);
      assertThrows(
          IllegalArgumentException.class, () -> storage.createIfAbsent(name, new byte[1]), name);
      assertThrows(IllegalArgumentException.class, () -> storage.delete(List.of(name)), name);
    }
  }

  /** The promise on which it depends that a job runs once only. */
  @Test
  protected void ofAllWhoCreateAnObjectExactlyOneIsToldTrue() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(RACERS);
    try {
      List<CheckpointStorage> racers = new ArrayList<>();
      for (int i = 0; i < RACERS; i++) {
        racers.add(open());
      }
      for (int race = 0; race < RACES; race++) {
        CyclicBarrier start = new CyclicBarrier(RACERS);
        String name = "log/" + race;
        List<Callable<Boolean>> tries = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
          CheckpointStorage storage = racers.get(i);
          byte[] content = ("racer " + i).getBytes(UTF_8);
          tries.add(
              () -> {
                start.await(60, TimeUnit.SECONDS);
                return storage.createIfAbsent(name, content);
              });
        }
        List<Future<Boolean>> replies = executor.invokeAll(tries);
        List<String> winners = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
          if (replies.get(i).get()) {
            winners.add("racer " + i);
          }
        }

        assertEquals(1, winners.size(), () -> name + " was won by " + winners);
        assertEquals(winners.get(0), text(racers.get(0), name));
      }
      assertEquals(RACES, racers.get(0).list("log").size());
    } finally {
      executor.shutdownNow();
    }
  }
}
