package io.streamforge.storage.file;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectNames;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Objects as files of a directory, which must be on a file system with hard links. */
public final class DirectoryStorage implements CheckpointStorage {
  /*
   * A conditional creation writes a temporary file, forces it, and links it to its name. The other
   * two ways to make a name exactly once do not do: a file that is created new is seen before it is
   * written, and a rename replaces what is there.
   *
   * Ordinary objects are written in place: nobody looks at one that no published entry names.
   */
  private static final String LOG = "log";
  private static final String DATA = "data";
  private static final String TEMPORARY = "tmp";

  private final Path root;
  private final Disk disk;
  private final AtomicLong sequence = new AtomicLong();

  private DirectoryStorage(Path root, Disk disk) {
    this.root = root;
    this.disk = disk;
  }

  /**
   * The storage in an existing directory, to read only.
   *
   * @throws StreamForgeException {@link ErrorCode#STORAGE_UNAVAILABLE} when there is no such
   *     directory, or it may not be read
   */
  public static DirectoryStorage openExisting(Path directory) {
    if (!Files.exists(directory)) {
      throw unavailable(
          directory,
          "there is no directory " + directory,
          "Check the path, and that the volume is mounted.",
          null);
    }
    checkDirectory(directory);
    if (!Files.isReadable(directory) || !Files.isExecutable(directory)) {
      throw unavailable(
          directory,
          "the directory " + directory + " may not be read by this process",
          "Give the user that runs the job the right to read it.",
          null);
    }
    return new DirectoryStorage(directory, Disk.REAL);
  }

  /**
   * The storage in a directory, which is made when it does not exist; the directory above it must
   * exist, so that a volume that is not mounted is noticed.
   *
   * @throws StreamForgeException {@link ErrorCode#STORAGE_UNAVAILABLE} when that is not possible,
   *     or when the directory may not be written
   */
  public static DirectoryStorage open(Path directory) {
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null && !Files.exists(directory) && !Files.isDirectory(parent)) {
      throw unavailable(
          directory,
          "there is no directory " + parent + " to make " + directory.getFileName() + " in",
          "Check the path, and that the volume is mounted; or make that directory.",
          null);
    }
    if (Files.exists(directory)) {
      checkDirectory(directory);
    }
    return open(directory, Disk.REAL);
  }

  /** On a disk that tests may provide. */
  static DirectoryStorage open(Path directory, Disk disk) {
    DirectoryStorage storage = new DirectoryStorage(directory, disk);
    try {
      storage.prepare();
    } catch (IOException e) {
      throw unavailable(
          directory,
          "the directory " + directory + " cannot be written: " + describe(e),
          "Give the user that runs the job the right to write there, and see that the disk has"
              + " room, is not mounted read-only and has hard links.",
          e);
    }
    return storage;
  }

  /**
   * The path that a location denotes: a path, or a URI that begins with {@code file:}.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when it denotes none
   */
  public static Path path(String location) {
    try {
      if (!location.regionMatches(true, 0, "file:", 0, 5)) {
        return Path.of(location);
      }
      URI uri = URI.create(location);
      String relative = uri.isOpaque() ? uri.getSchemeSpecificPart() : null;
      return relative != null ? Path.of(relative) : Path.of(uri);
    } catch (IllegalArgumentException e) {
      throw new StreamForgeException(
          ErrorCode.CONFIG_INVALID,
          ErrorContext.NONE,
          "'" + location + "' is not a directory for checkpoints: " + e.getMessage(),
          "Write a path such as /var/lib/job, or a URI such as file:///var/lib/job.",
          e instanceof InvalidPathException ? null : e);
    }
  }

  private static void checkDirectory(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw unavailable(
          directory,
          directory + " is a file, not a directory",
          "Name a directory that is for the checkpoints of this job alone.",
          null);
    }
  }

  private static StreamForgeException unavailable(
      Path directory, String summary, String remedy, @Nullable Exception cause) {
    return new StreamForgeException(
        ErrorCode.STORAGE_UNAVAILABLE,
        ErrorContext.position(directory.toString()),
        summary,
        remedy,
        cause);
  }

  private static String describe(IOException e) {
    return e.getClass().getSimpleName() + " " + e.getMessage();
  }

  /**
   * Makes the folders, and tries a file and a link, so that no checkpoint is needed to find out.
   */
  private void prepare() throws IOException {
    disk.createDirectory(root);
    for (String folder : List.of(LOG, DATA, TEMPORARY)) {
      disk.createDirectory(root.resolve(folder));
    }
    Path parent = root.toAbsolutePath().getParent();
    if (parent != null) {
      disk.forceDirectory(parent);
    }
    disk.forceDirectory(root);
    Path probe = temporary("probe", new byte[] {1});
    Path second = probe.resolveSibling(probe.getFileName() + ".link");
    try {
      disk.link(second, probe);
    } catch (FileAlreadyExistsException e) {
      // Left by a process with the same id that died right here; so links are possible.
      return;
    } catch (UnsupportedOperationException e) {
      throw new IOException("the file system has no hard links", e);
    } finally {
      disk.deleteIfExists(second);
      disk.deleteIfExists(probe);
    }
  }

  private Path file(String name) {
    return root.resolve(ObjectNames.checked(name));
  }

  /** A file of its own with this content, forced. */
  private Path temporary(String name, byte[] content) throws IOException {
    while (true) {
      Path file =
          root.resolve(TEMPORARY)
              .resolve(
                  name + "." + ProcessHandle.current().pid() + "." + sequence.getAndIncrement());
      Disk.OpenFile opened;
      try {
        opened = disk.create(file);
      } catch (FileAlreadyExistsException e) {
        // Of a process with the same id, in another container or before.
        continue;
      }
      try (opened) {
        opened.write(content, 0, content.length);
        opened.force();
      }
      return file;
    }
  }

  @Override
  public ObjectWriter write(String name) throws IOException {
    Path file = file(name);
    return new FileWriter(file, disk.create(file));
  }

  @Override
  public void sync() throws IOException {
    disk.forceDirectory(root.resolve(DATA));
    disk.forceDirectory(root.resolve(LOG));
  }

  @Override
  public boolean createIfAbsent(String name, byte[] content) throws IOException {
    Path target = file(name);
    Path temporary = temporary(name.replace('/', '-'), content);
    boolean created;
    try {
      disk.link(target, temporary);
      created = true;
    } catch (FileAlreadyExistsException e) {
      created = false;
    }
    // Also when it was there: whoever relies on the object next relies on its name, too.
    disk.forceDirectory(parent(target));
    disk.deleteIfExists(temporary);
    return created;
  }

  private static Path parent(Path file) {
    Path parent = file.getParent();
    if (parent == null) {
      throw new IllegalStateException("no directory around " + file);
    }
    return parent;
  }

  @Override
  public byte[] read(String name, long offset, int length) throws IOException {
    try {
      return disk.read(file(name), offset, length);
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(name);
    }
  }

  @Override
  public List<StoredObject> list(String folder) throws IOException {
    List<StoredObject> objects = new ArrayList<>();
    for (StoredObject file : disk.list(root.resolve(ObjectNames.checked(folder)))) {
      String name = folder + "/" + file.name();
      if (ObjectNames.isValid(name)) {
        objects.add(new StoredObject(name, file.size()));
      }
    }
    objects.sort(Comparator.comparing(StoredObject::name));
    return objects;
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    for (String name : names) {
      disk.deleteIfExists(file(name));
    }
  }

  @Override
  public String location() {
    return root.toString();
  }

  @Override
  public void close() {}

  /** A file that is written in place. */
  private final class FileWriter implements ObjectWriter {
    private final Path file;
    private final Disk.OpenFile opened;
    private boolean completed;

    FileWriter(Path file, Disk.OpenFile opened) {
      this.file = file;
      this.opened = opened;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      opened.write(bytes, offset, length);
    }

    @Override
    public void complete() throws IOException {
      // While it is open: an error of an earlier write may be told only to this channel.
      opened.force();
      completed = true;
    }

    @Override
    public void close() throws IOException {
      opened.close();
      if (!completed) {
        disk.deleteIfExists(file);
      }
    }
  }
}
