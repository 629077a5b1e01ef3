package io.streamforge.storage.file;

import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of objects in one directory of this machine. They are worth something only as long as they
 * are whole, and nothing depends on them: whatever fails here is logged, and the object is read
 * where it is. Thread-safe.
 */
final class LocalCopies {
  /*
   * Invariant: a file that has the name of an object has been written to its end, as far as the
   * process knows: it is written under another name before. Nothing is forced, so the death of the
   * machine may leave anything of it; the checksums tell.
   */
  private static final Logger LOG = LoggerFactory.getLogger(LocalCopies.class);

  /** Of the disk, what is left to others, who may not be able to do without: a tenth. */
  private static final int LEFT_TO_OTHERS = 10;

  /** So many bytes are written between two looks at the room that there is. */
  private static final long LOOK_BYTES = 16 << 20;

  private final Path directory;
  private final Disk disk;

  /** Where the objects are, for messages. */
  private final String location;

  private final Map<String, Copy> copies = new ConcurrentHashMap<>();
  private final AtomicLong sequence = new AtomicLong();
  private final AtomicBoolean warned = new AtomicBoolean();
  private volatile boolean usable;

  LocalCopies(Path directory, Disk disk, String location) {
    this.directory = directory.toAbsolutePath();
    this.disk = disk;
    this.location = location;
  }

  /**
   * Makes the directory and looks what is there. Copies of objects that are not among these, or
   * have another length, are removed, and what a process has left that was killed.
   *
   * @param objects all that may be copied
   * @return the bytes of those that there is a copy of
   */
  long open(Collection<StoredObject> objects) {
    long bytes = 0;
    try {
      make(directory);
      Map<Path, StoredObject> byFile = new HashMap<>();
      objects.forEach(object -> byFile.put(file(object.name()), object));
      for (StoredObject found : disk.list(directory)) {
        Path file = directory.resolve(found.name());
        StoredObject object = byFile.get(file);
        if (object != null && found.size() == CopyChecksums.fileBytes(object.size())) {
          copies.put(object.name(), new Copy(object.name(), object.size(), null));
          bytes += object.size();
        } else {
          disk.deleteIfExists(file);
        }
      }
      usable = true;
    } catch (IOException e) {
      failed(e);
    }
    return bytes;
  }

  private void make(Path made) throws IOException {
    Path parent = made.getParent();
    if (parent != null) {
      make(parent);
    }
    disk.createDirectory(made);
  }

  /** How many there are. */
  int count() {
    return copies.size();
  }

  /** All are of one folder, whose name goes without saying. */
  private Path file(String name) {
    return directory.resolve(name.substring(name.indexOf('/') + 1));
  }

  private void failed(IOException e) {
    if (Thread.currentThread().isInterrupted()) {
      // The job is being stopped.
      return;
    }
    if (warned.compareAndSet(false, true)) {
      LOG.warn(
          "{} cannot be copied to {}: {}. Checkpoints go on without; a restart reads more from"
              + " there. See that the directory can be written and that its disk has room, or turn"
              + " local copies off.",
          location,
          directory,
          e.toString());
    } else {
      LOG.debug("an object of {} cannot be copied to {}", location, directory, e);
    }
  }

  /**
   * Reads a part of an object.
   *
   * @return null when there is no copy of it that is whole there; otherwise as {@link
   *     io.streamforge.storage.CheckpointStorage#read}
   */
  byte @Nullable [] read(String name, long offset, int length) {
    Copy copy = copies.get(name);
    if (copy == null) {
      return null;
    }
    try {
      return copy.read(offset, length);
    } catch (IOException e) {
      forget(copy, e);
      return null;
    }
  }

  private void forget(Copy copy, IOException e) {
    if (Thread.currentThread().isInterrupted() || !copies.remove(copy.name, copy)) {
      return;
    }
    if (e instanceof NoSuchFileException) {
      LOG.debug("the copy of '{}' in {} is gone", copy.name, directory);
      return;
    }
    LOG.warn(
        "the local copy {} is not used, and is removed: {}. The object is read from {}.",
        file(copy.name),
        e.getMessage(),
        location);
    remove(copy.name);
  }

  /** Objects are gone. */
  void delete(Collection<String> names) {
    for (String name : names) {
      copies.remove(name);
      remove(name);
    }
  }

  private void remove(String name) {
    try {
      disk.deleteIfExists(file(name));
    } catch (IOException e) {
      LOG.debug("the copy of '{}' in {} cannot be removed", name, directory, e);
    }
  }

  /** Begins the copy of an object that is not complete yet. */
  Writer begin(String name) {
    return new Writer(name);
  }

  /** A copy that has been written to its end, and may have been damaged since. */
  private final class Copy {
    final String name;
    private final long length;

    /** Null: they have not been read. */
    private volatile @Nullable CopyChecksums checksums;

    Copy(String name, long length, @Nullable CopyChecksums checksums) {
      this.name = name;
      this.length = length;
      this.checksums = checksums;
    }

    byte[] read(long offset, int count) throws IOException {
      long end = Math.min(length, offset + count);
      if (offset >= end) {
        return new byte[0];
      }
      long first = offset / CopyChecksums.PART_BYTES;
      long start = first * CopyChecksums.PART_BYTES;
      long behind =
          Math.min(
              length,
              (end - 1) / CopyChecksums.PART_BYTES * CopyChecksums.PART_BYTES
                  + CopyChecksums.PART_BYTES);
      byte[] parts = disk.read(file(name), start, Math.toIntExact(behind - start));
      if (parts.length < behind - start) {
        throw new IOException("it ends at byte " + (start + parts.length));
      }
      long damaged = checksums().damaged(first, parts);
      if (damaged >= 0) {
        throw new IOException("it is altered behind byte " + damaged * CopyChecksums.PART_BYTES);
      }
      return Arrays.copyOfRange(parts, (int) (offset - start), (int) (end - start));
    }

    private CopyChecksums checksums() throws IOException {
      CopyChecksums known = checksums;
      if (known == null) {
        byte[] end = disk.read(file(name), length, CopyChecksums.endBytes(length));
        known = CopyChecksums.decode(name, length, end);
        if (known == null) {
          throw new IOException("its end is altered");
        }
        checksums = known;
      }
      return known;
    }
  }

  /**
   * Writes a copy. It never fails: what cannot be written is given up. Not thread-safe; to be
   * closed.
   */
  final class Writer implements AutoCloseable {
    private final String name;
    private final Path part;
    private final CopyChecksums.Builder checksums = new CopyChecksums.Builder();
    private Disk.@Nullable OpenFile output;

    /** How many more bytes are written before the next look at the room. */
    private long unlooked;

    private Writer(String name) {
      this.name = name;
      this.part =
          directory.resolve(
              file(name).getFileName()
                  + ".part-"
                  + ProcessHandle.current().pid()
                  + "-"
                  + sequence.getAndIncrement());
      if (usable) {
        try {
          look();
          output = disk.create(part);
        } catch (IOException e) {
          failed(e);
        }
      }
    }

    private void look() throws IOException {
      Disk.Room room = disk.room(directory);
      if (room.freeBytes() < room.allBytes() / LEFT_TO_OTHERS) {
        throw new IOException(
            "less than a tenth of the disk is free: "
                + (room.freeBytes() >> 20)
                + " MiB of "
                + (room.allBytes() >> 20)
                + " MiB");
      }
      unlooked = LOOK_BYTES;
    }

    void write(byte[] bytes, int offset, int length) {
      Disk.OpenFile opened = output;
      if (opened == null) {
        return;
      }
      try {
        if (unlooked < 0) {
          look();
        }
        unlooked -= length;
        opened.write(bytes, offset, length);
        checksums.add(bytes, offset, length);
      } catch (IOException e) {
        failed(e);
        close();
      }
    }

    /** The object is complete. */
    void complete() {
      Disk.OpenFile opened = output;
      if (opened == null) {
        return;
      }
      CopyChecksums all = checksums.build();
      byte[] end = all.encode(name);
      try {
        opened.write(end, 0, end.length);
        opened.close();
        disk.rename(part, file(name));
        output = null;
        copies.put(name, new Copy(name, all.length(), all));
      } catch (IOException e) {
        failed(e);
        close();
      }
    }

    /** Gives the copy up if it is not complete. */
    @Override
    public void close() {
      Disk.OpenFile opened = output;
      if (opened == null) {
        return;
      }
      output = null;
      try {
        opened.close();
      } catch (IOException e) {
        LOG.debug("{} cannot be closed", part, e);
      }
      try {
        disk.deleteIfExists(part);
      } catch (IOException e) {
        LOG.debug("{} cannot be removed; the next start tries again", part, e);
      }
    }
  }
}
