package io.streamforge.storage.file;

import io.streamforge.storage.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A disk that keeps of names and contents only what was forced, and of the rest whatever it likes.
 * It dies at a given call, before or after its effect.
 */
final class FakeDisk implements Disk {
  /** The machine has died. */
  static final class Died extends Error {
    private static final long serialVersionUID = 1L;
  }

  private static final class Inode {
    private byte[] content = {};
    private byte[] forced = {};
  }

  private final Random random;
  private final Map<Path, TreeMap<String, Inode>> names = new HashMap<>();
  private final Map<Path, TreeMap<String, Inode>> forcedNames = new HashMap<>();
  private int calls;
  private int diesAt;
  private long capacity = Long.MAX_VALUE;

  FakeDisk(long seed, int diesAt) {
    this.random = new Random(seed);
    this.diesAt = diesAt;
  }

  int calls() {
    return calls;
  }

  /** So many bytes fit on it. */
  void capacity(long bytes) {
    capacity = bytes;
  }

  private long used() {
    return names.values().stream()
        .flatMap(directory -> directory.values().stream())
        .mapToLong(inode -> inode.content.length)
        .sum();
  }

  @Override
  public Room room(Path directory) {
    return new Room(capacity - used(), capacity);
  }

  private interface Effect {
    void happen() throws IOException;
  }

  private void call(Effect effect) throws IOException {
    calls++;
    if (calls == diesAt) {
      if (random.nextBoolean()) {
        effect.happen();
      }
      throw new Died();
    }
    if (diesAt > 0 && calls > diesAt) {
      throw new Died();
    }
    effect.happen();
  }

  /** Another process uses it: nothing is lost. */
  void revive() {
    diesAt = 0;
  }

  /** The machine comes up again. */
  void restart() {
    diesAt = 0;
    for (Map.Entry<Path, TreeMap<String, Inode>> directory : names.entrySet()) {
      TreeMap<String, Inode> seen = directory.getValue();
      TreeMap<String, Inode> kept = forced(directory.getKey());
      TreeSet<String> all = new TreeSet<>(seen.keySet());
      all.addAll(kept.keySet());
      for (String name : all) {
        if (seen.get(name) != kept.get(name) && random.nextBoolean()) {
          if (seen.containsKey(name)) {
            kept.put(name, seen.get(name));
          } else {
            kept.remove(name);
          }
        }
      }
      seen.clear();
      seen.putAll(kept);
      for (Inode inode : seen.values()) {
        inode.content = remains(inode);
        inode.forced = inode.content;
      }
    }
  }

  private byte[] remains(Inode inode) {
    if (Arrays.equals(inode.content, inode.forced)) {
      return inode.forced;
    }
    byte[] torn = Arrays.copyOf(inode.content, random.nextInt(inode.content.length + 1));
    if (torn.length > 0 && random.nextBoolean()) {
      Arrays.fill(torn, random.nextInt(torn.length), torn.length, (byte) 0);
    }
    return torn;
  }

  private TreeMap<String, Inode> forced(Path directory) {
    return forcedNames.computeIfAbsent(directory, d -> new TreeMap<>());
  }

  private TreeMap<String, Inode> directory(Path directory) throws IOException {
    TreeMap<String, Inode> found = names.get(directory);
    if (found == null) {
      throw new NoSuchFileException(directory.toString());
    }
    return found;
  }

  private TreeMap<String, Inode> parent(Path file) throws IOException {
    return directory(file.getParent());
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private Inode inode(Path file) throws IOException {
    Inode inode = parent(file).get(name(file));
    if (inode == null) {
      throw new NoSuchFileException(file.toString());
    }
    return inode;
  }

  private void add(Path file, Inode inode) throws IOException {
    if (parent(file).putIfAbsent(name(file), inode) != null) {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  @Override
  public OpenFile create(Path file) throws IOException {
    Inode inode = new Inode();
    call(() -> add(file, inode));
    return new OpenFile() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        call(
            () -> {
              if (length > capacity - used()) {
                throw new IOException("No space left on device");
              }
              ByteArrayOutputStream longer = new ByteArrayOutputStream();
              longer.writeBytes(inode.content);
              longer.write(bytes, offset, length);
              inode.content = longer.toByteArray();
            });
      }

      @Override
      public void force() throws IOException {
        call(() -> inode.forced = inode.content);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void link(Path link, Path existing) throws IOException {
    call(() -> add(link, inode(existing)));
  }

  @Override
  public void rename(Path file, Path name) throws IOException {
    call(
        () -> {
          Inode inode = inode(file);
          parent(file).remove(name(file));
          parent(name).put(name(name), inode);
        });
  }

  @Override
  public void deleteIfExists(Path file) throws IOException {
    call(() -> parent(file).remove(name(file)));
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    call(
        () -> {
          if (names.containsKey(directory)) {
            forced(directory).clear();
            forced(directory).putAll(directory(directory));
          }
        });
  }

  @Override
  public void createDirectory(Path directory) {
    names.computeIfAbsent(directory, d -> new TreeMap<>());
  }

  @Override
  public List<StoredObject> list(Path directory) throws IOException {
    List<StoredObject> files = new ArrayList<>();
    directory(directory)
        .forEach((name, inode) -> files.add(new StoredObject(name, inode.content.length)));
    return files;
  }

  @Override
  public byte[] read(Path file, long offset, int length) throws IOException {
    byte[] content = inode(file).content;
    int from = (int) Math.min(offset, content.length);
    return Arrays.copyOfRange(content, from, Math.min(content.length, from + length));
  }
}
