package io.streamforge.connector.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One directory on a disk that can be stopped at any call, before or after its effect. When the
 * machine dies it keeps what was forced, some of the other changes of names, each as a whole, and
 * of other contents anything.
 */
final class FakePartDisk implements PartDisk {
  /** The process has died. */
  static final class Died extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** What happens at a call. */
  interface Trap {
    void spring(int call, boolean before) throws IOException;
  }

  private static final class Inode {
    private byte[] content = {};
    private byte[] forced = {};
  }

  private final TreeMap<String, Inode> names = new TreeMap<>();
  private final TreeMap<String, Inode> forcedNames = new TreeMap<>();
  private final List<Consumer<Map<String, Inode>>> unforced = new ArrayList<>();
  private Trap trap = (call, before) -> {};
  private int calls;

  void trap(Trap trap) {
    this.trap = trap;
  }

  int calls() {
    return calls;
  }

  /** The machine loses power and comes up again. */
  void loseUnforced(long seed) {
    // Small seeds alone would all begin with the same bit.
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    for (Consumer<Map<String, Inode>> change : unforced) {
      if (random.nextBoolean()) {
        change.accept(forcedNames);
      }
    }
    unforced.clear();
    names.clear();
    names.putAll(forcedNames);
    for (Inode inode : names.values()) {
      if (inode.content.length != inode.forced.length) {
        inode.content = Arrays.copyOf(inode.content, random.nextInt(inode.content.length + 1));
        inode.forced = inode.content;
      }
    }
  }

  /** Contents of what a reader sees. */
  Map<String, String> visible() {
    Map<String, String> visible = new TreeMap<>();
    names.forEach(
        (name, inode) -> {
          if (!name.startsWith(".")) {
            visible.put(name, new String(inode.content, UTF_8));
          }
        });
    return visible;
  }

  /** Somebody else deletes a file. */
  void take(String name) {
    change(map -> map.remove(name));
  }

  /** Somebody else makes a file. */
  void put(String name, String content) {
    Inode inode = new Inode();
    inode.content = content.getBytes(UTF_8);
    inode.forced = inode.content;
    change(map -> map.put(name, inode));
  }

  List<String> uncommitted() {
    return names.keySet().stream().filter(name -> name.endsWith(".uncommitted")).toList();
  }

  private void change(Consumer<Map<String, Inode>> change) {
    change.accept(names);
    unforced.add(change);
  }

  private interface Effect {
    void happen() throws IOException;
  }

  private void call(Effect effect) throws IOException {
    int call = ++calls;
    trap.spring(call, true);
    effect.happen();
    trap.spring(call, false);
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  @Override
  public OpenFile create(Path file) throws IOException {
    Inode inode = new Inode();
    call(
        () -> {
          if (names.containsKey(name(file))) {
            throw new FileAlreadyExistsException(file.toString());
          }
          change(map -> map.put(name(file), inode));
        });
    return new OpenFile() {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        call(
            () -> {
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
  public void move(Path from, Path to) throws IOException {
    call(
        () -> {
          Inode inode = names.get(name(from));
          if (inode == null) {
            throw new NoSuchFileException(from.toString());
          }
          change(
              map -> {
                map.remove(name(from));
                map.put(name(to), inode);
              });
        });
  }

  @Override
  public void deleteIfExists(Path file) throws IOException {
    call(() -> change(map -> map.remove(name(file))));
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    call(
        () -> {
          forcedNames.clear();
          forcedNames.putAll(names);
          unforced.clear();
        });
  }

  @Override
  public void createDirectories(Path directory) {}

  @Override
  public List<String> list(Path directory) {
    return List.copyOf(names.keySet());
  }

  @Override
  public long size(Path file) {
    Inode inode = names.get(name(file));
    return inode == null ? -1 : inode.content.length;
  }
}
