package io.streamforge.connector.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The calls of a file system that a {@link FileSink} is made of, one by one. */
interface PartDisk {
  /** The file system of this machine. */
  PartDisk REAL = new RealDisk();

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

  /** Gives a file another name in one step. */
  void move(Path from, Path to) throws IOException;

  void deleteIfExists(Path file) throws IOException;

  /** Returns when the names in a directory would survive the death of the machine. */
  void forceDirectory(Path directory) throws IOException;

  /** Makes a directory and those above it, unless they are there. */
  void createDirectories(Path directory) throws IOException;

  /** All names in a directory. */
  List<String> list(Path directory) throws IOException;

  /** Bytes of a file; -1 when there is none. */
  long size(Path file) throws IOException;

  /** Through {@code java.nio.file}. */
  final class RealDisk implements PartDisk {
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
    public void move(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
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
    public void createDirectories(Path directory) throws IOException {
      Files.createDirectories(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
      List<String> names = new ArrayList<>();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        entries.forEach(entry -> names.add(entry.getFileName().toString()));
      } catch (DirectoryIteratorException e) {
        throw e.getCause();
      }
      return names;
    }

    @Override
    public long size(Path file) throws IOException {
      try {
        return Files.size(file);
      } catch (NoSuchFileException e) {
        return -1;
      }
    }
  }
}
