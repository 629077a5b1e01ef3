package io.streamforge.storage.file;

import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The calls of a file system that {@link DirectoryStorage} and {@link LocalCopies} are made of, one
 * by one.
 */
interface Disk {
  /** The file system of this machine. */
  Disk REAL = new RealDisk();

  /** A file that is being written. */
  interface OpenFile extends AutoCloseable {
    void write(byte[] bytes, int offset, int length) throws IOException;

    /** Returns when the content would survive the death of the machine; the name may not. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Makes a file; its name must be free. */
  OpenFile create(Path file) throws IOException;

  /** Gives a file a second name, which must be free. */
  void link(Path link, Path existing) throws IOException;

  /** Gives a file another name in the same directory, in one step. */
  void rename(Path file, Path name) throws IOException;

  void deleteIfExists(Path file) throws IOException;

  /** Returns when the names in a directory would survive the death of the machine. */
  void forceDirectory(Path directory) throws IOException;

  /** Makes one directory, unless there is one. */
  void createDirectory(Path directory) throws IOException;

  /** Regular files of a directory; none when there is no such directory. */
  List<StoredObject> list(Path directory) throws IOException;

  byte[] read(Path file, long offset, int length) throws IOException;

  /**
   * How much fits on a disk.
   *
   * @param freeBytes what this process may still write
   * @param allBytes what fits on it when it is empty; 0: that is not known
   */
  record Room(long freeBytes, long allBytes) {}

  /** The room on the disk that a directory is on. */
  Room room(Path directory) throws IOException;

  /** Through {@code java.nio.file}. */
  final class RealDisk implements Disk {
    @Override
    public OpenFile create(Path file) throws IOException {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return new OpenFile() {
        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
          while (buffer.hasRemaining()) {
            channel.write(buffer);
          }
        }

        @Override
        public void force() throws IOException {
          channel.force(true);
        }

        @Override
        public void close() throws IOException {
          channel.close();
        }
      };
    }

    @Override
    public void link(Path link, Path existing) throws IOException {
      Files.createLink(link, existing);
    }

    @Override
    public void rename(Path file, Path name) throws IOException {
      Files.move(file, name, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public Room room(Path directory) throws IOException {
      FileStore store = Files.getFileStore(directory);
      return new Room(store.getUsableSpace(), store.getTotalSpace());
    }

    @Override
    public void deleteIfExists(Path file) throws IOException {
      Files.deleteIfExists(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
      FileChannel opened;
      try {
        opened = FileChannel.open(directory, StandardOpenOption.READ);
      } catch (IOException e) {
        if (Files.isDirectory(directory)) {
          // Some systems cannot open directories; they keep the names of files without being asked.
          return;
        }
        throw e;
      }
      try (opened) {
        opened.force(true);
      }
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
      if (Files.isDirectory(directory)) {
        return;
      }
      try {
        Files.createDirectory(directory);
      } catch (FileAlreadyExistsException e) {
        // Another process may have made it just now.
        if (!Files.isDirectory(directory)) {
          throw e;
        }
      }
    }

    @Override
    public List<StoredObject> list(Path directory) throws IOException {
      List<StoredObject> files = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        for (Path entry : entries) {
          try {
            BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class);
            if (attributes.isRegularFile()) {
              files.add(new StoredObject(entry.getFileName().toString(), attributes.size()));
            }
          } catch (NoSuchFileException e) {
            // Deleted since the directory was read.
            continue;
          }
        }
      } catch (NoSuchFileException | NotDirectoryException e) {
        return List.of();
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      return files;
    }

    @Override
    public byte[] read(Path file, long offset, int length) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        int there = (int) Math.max(0, Math.min(length, channel.size() - offset));
        ByteBuffer buffer = ByteBuffer.allocate(there);
        while (buffer.hasRemaining() && channel.read(buffer, offset + buffer.position()) >= 0) {
          // Goes on until the part is full or the file has become shorter.
          continue;
        }
        return buffer.hasRemaining()
            ? Arrays.copyOf(buffer.array(), buffer.position())
            : buffer.array();
      }
    }
  }
}
