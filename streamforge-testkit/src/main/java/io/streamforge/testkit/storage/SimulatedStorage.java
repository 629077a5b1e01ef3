package io.streamforge.testkit.storage;

import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectNames;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import io.streamforge.testkit.VirtualClock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A place for checkpoints in memory that keeps what {@link CheckpointStorage} promises and nothing
 * more. Processes {@link #connect} to it. When the machine dies, what was not synced is whole, torn
 * or gone, each object on its own; when a process dies, what it was about to write is there in
 * part. Calls fail, take effect late or twice as {@link StorageFaults} say. The same seed and the
 * same calls give the same outcome.
 *
 * <p>Thread-safe; the order of calls is the caller's business.
 */
public final class SimulatedStorage {
  private static final int MAX_DELAY_MILLIS = 120_000;

  private final SplittableRandom random;
  private final @Nullable VirtualClock clock;

  /** What everybody sees, and what the death of the machine leaves. */
  private final TreeMap<String, byte[]> seen = new TreeMap<>();

  private final TreeMap<String, byte[]> kept = new TreeMap<>();

  /** Effects of calls that are still to come. */
  private final List<Runnable> late = new ArrayList<>();

  private StorageFaults faults = StorageFaults.NONE;
  private long calls;

  /** An empty place where nothing goes wrong; for tests without a clock. */
  public SimulatedStorage(long seed) {
    this(seed, null);
  }

  /**
   * An empty place where nothing goes wrong.
   *
   * @param clock goes on when a call takes long
   */
  public SimulatedStorage(long seed, @Nullable VirtualClock clock) {
    this.random = new SplittableRandom(seed);
    this.clock = clock;
  }

  /** From now on calls go wrong so often. */
  public synchronized void faults(StorageFaults faults) {
    this.faults = faults;
  }

  /** A process's connection. */
  public Connection connect() {
    return new Connection();
  }

  /** Number of calls up to now; each has at most one effect. */
  public synchronized long calls() {
    return calls;
  }

  /** The machine dies: what was not synced may be lost or torn, and calls under way as well. */
  public synchronized void crashMachine() {
    for (Runnable effect : late) {
      if (random.nextBoolean()) {
        effect.run();
      }
    }
    late.clear();
    TreeSet<String> names = new TreeSet<>(seen.keySet());
    names.addAll(kept.keySet());
    for (String name : names) {
      byte[] last = seen.get(name);
      byte[] synced = kept.get(name);
      if (last == synced) {
        continue;
      }
      if (synced != null) {
        // Deleted: back or not.
        if (random.nextBoolean()) {
          seen.put(name, synced);
        } else {
          kept.remove(name);
        }
      } else if (last != null) {
        byte[] remains = remains(last);
        if (remains == null) {
          seen.remove(name);
        } else {
          seen.put(name, remains);
          kept.put(name, remains);
        }
      }
    }
  }

  private byte @Nullable [] remains(byte[] content) {
    switch (random.nextInt(4)) {
      case 0:
        return null;
      case 1:
        return content;
      case 2:
        return Arrays.copyOf(content, random.nextInt(content.length + 1));
      default:
        byte[] torn = content.clone();
        if (torn.length > 0) {
          int from = random.nextInt(torn.length);
          Arrays.fill(torn, from, from + random.nextInt(torn.length - from) + 1, (byte) 0);
        }
        return torn;
    }
  }

  /** Names of all objects, sorted. */
  public synchronized List<String> names() {
    return List.copyOf(seen.keySet());
  }

  /** Content of an object as it is now; a copy. */
  public synchronized byte[] content(String name) {
    byte[] content = seen.get(name);
    if (content == null) {
      throw new IllegalArgumentException("no object " + name);
    }
    return content.clone();
  }

  /** Alters an object, as a failing disk does. */
  public synchronized void damage(String name, UnaryOperator<byte[]> damage) {
    byte[] damaged = damage.apply(content(name));
    seen.put(name, damaged);
    kept.put(name, damaged);
  }

  /** Removes an object, as a careless operator does. */
  public synchronized void remove(String name) {
    seen.remove(name);
    kept.remove(name);
  }

  private interface Effect<T> {
    T happen() throws IOException;
  }

  private boolean draw(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** The storage as one process sees it. */
  public final class Connection implements CheckpointStorage {
    private final TreeSet<String> completed = new TreeSet<>();
    private final TreeSet<String> deleted = new TreeSet<>();
    private long crashAt = Long.MAX_VALUE;
    private long ownCalls;
    private long created;
    private boolean dead;
    private IntConsumer beforeCall = call -> {};

    private Connection() {}

    /**
     * The process dies in its call of this number, the first being 1, before or after its effect.
     */
    public void crashAt(long call) {
      crashAt = call;
    }

    /** Number of calls of this process up to now. */
    public long ownCalls() {
      return ownCalls;
    }

    /** Number of objects that {@link #createIfAbsent} has made for this process and told it so. */
    public long created() {
      return created;
    }

    /**
     * Called before each call with its number: where a test switches between processes. Not called
     * under any lock.
     */
    public void beforeCall(IntConsumer hook) {
      beforeCall = hook;
    }

    /** The process has died: all further calls say so. */
    public void kill() {
      synchronized (SimulatedStorage.this) {
        dead = true;
      }
    }

    private <T> T call(String what, boolean changes, Effect<T> effect) throws IOException {
      beforeCall.accept((int) ownCalls + 1);
      synchronized (SimulatedStorage.this) {
        if (dead) {
          throw new SimulatedCrash(what);
        }
        calls++;
        ownCalls++;
        if (!late.isEmpty() && random.nextInt(4) == 0) {
          late.remove(random.nextInt(late.size())).run();
        }
        if (ownCalls >= crashAt) {
          dead = true;
          if (random.nextBoolean()) {
            effect.happen();
          }
          throw new SimulatedCrash(what);
        }
        if (draw(faults.delay()) && clock != null) {
          clock.advance(Duration.ofMillis(random.nextInt(MAX_DELAY_MILLIS)));
        }
        if (draw(faults.failure())) {
          throw new IOException("simulated failure of " + what);
        }
        if (changes && draw(faults.lostReply())) {
          effect.happen();
          throw new IOException("simulated loss of the reply of " + what);
        }
        if (changes && draw(faults.late())) {
          late.add(() -> ignoringFailure(effect));
          throw new IOException("simulated time-out of " + what);
        }
        T result = effect.happen();
        return changes && draw(faults.repeated()) ? effect.happen() : result;
      }
    }

    private <T> void ignoringFailure(Effect<T> effect) {
      try {
        effect.happen();
      } catch (IOException e) {
        // Whoever sent it does not listen any more.
        return;
      }
    }

    @Override
    public ObjectWriter write(String name) throws IOException {
      ObjectNames.checked(name);
      call(
          "write " + name,
          false,
          () -> {
            if (seen.putIfAbsent(name, new byte[0]) != null) {
              throw new FileAlreadyExistsException(name);
            }
            return true;
          });
      return new Writer(name);
    }

    @Override
    public void sync() throws IOException {
      TreeSet<String> whole = new TreeSet<>(completed);
      TreeSet<String> gone = new TreeSet<>(deleted);
      call(
          "sync",
          false,
          () -> {
            for (String name : whole) {
              byte[] content = seen.get(name);
              if (content != null) {
                kept.put(name, content);
              }
            }
            gone.forEach(kept::remove);
            return true;
          });
      completed.removeAll(whole);
      deleted.removeAll(gone);
    }

    @Override
    public boolean createIfAbsent(String name, byte[] content) throws IOException {
      byte[] copy = content.clone();
      ObjectNames.checked(name);
      boolean isNew =
          call(
              "create " + name,
              true,
              () -> {
                if (seen.containsKey(name)) {
                  return false;
                }
                seen.put(name, copy);
                kept.put(name, copy);
                return true;
              });
      created += isNew ? 1 : 0;
      return isNew;
    }

    @Override
    public byte[] read(String name, long offset, int length) throws IOException {
      ObjectNames.checked(name);
      return call(
          "read " + name,
          false,
          () -> {
            byte[] content = seen.get(name);
            if (content == null) {
              throw new NoSuchFileException(name);
            }
            int from = (int) Math.min(offset, content.length);
            return Arrays.copyOfRange(
                content, from, (int) Math.min(content.length, (long) from + length));
          });
    }

    @Override
    public List<StoredObject> list(String folder) throws IOException {
      return call(
          "list " + folder,
          false,
          () -> {
            List<StoredObject> objects = new ArrayList<>();
            for (Map.Entry<String, byte[]> object : seen.entrySet()) {
              if (object.getKey().startsWith(folder + "/")) {
                objects.add(new StoredObject(object.getKey(), object.getValue().length));
              }
            }
            return objects;
          });
    }

    @Override
    public void delete(Collection<String> names) throws IOException {
      for (String name : names) {
        ObjectNames.checked(name);
        deleted.add(name);
        completed.remove(name);
        call(
            "delete " + name,
            true,
            () -> {
              seen.remove(name);
              return true;
            });
      }
    }

    @Override
    public String location() {
      return "simulated storage";
    }

    @Override
    public void close() {}

    /** Seen by everybody while it is written, as a file is. */
    private final class Writer implements ObjectWriter {
      private final String name;
      private boolean done;

      Writer(String name) {
        this.name = name;
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        byte[] more = Arrays.copyOfRange(bytes, offset, offset + length);
        call(
            "write " + name,
            false,
            () -> {
              byte[] before = seen.get(name);
              if (before != null) {
                byte[] after = Arrays.copyOf(before, before.length + more.length);
                System.arraycopy(more, 0, after, before.length, more.length);
                seen.put(name, after);
              }
              return true;
            });
      }

      @Override
      public void complete() throws IOException {
        call("complete " + name, false, () -> true);
        done = true;
        completed.add(name);
      }

      @Override
      public void close() throws IOException {
        synchronized (SimulatedStorage.this) {
          if (!done && !dead) {
            seen.remove(name);
          }
        }
      }
    }
  }
}
