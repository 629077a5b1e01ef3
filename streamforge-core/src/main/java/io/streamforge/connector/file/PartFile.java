package io.streamforge.connector.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that is written under a hidden name, and has its own once it is complete. */
final class PartFile {
  private static final int BUFFER_BYTES = 1 << 16;

  private final PartDisk disk;
  private final Path hidden;
  private final PartDisk.OpenFile file;
  private final CountingOutput output;

  private PartFile(PartDisk disk, Path hidden, PartDisk.OpenFile file) {
    this.disk = disk;
    this.hidden = hidden;
    this.file = file;
    this.output = new CountingOutput(file);
  }

  /** Begins a file; null when one of the two names is taken. */
  static @Nullable PartFile create(PartDisk disk, Path hidden, Path target) throws IOException {
    PartDisk.OpenFile file;
    try {
      file = disk.create(hidden);
    } catch (FileAlreadyExistsException e) {
      return null;
    }
    PartFile part = new PartFile(disk, hidden, file);
    if (disk.size(target) >= 0) {
      part.delete();
      return null;
    }
    return part;
  }

  OutputStream output() {
    return output;
  }

  /** Bytes written so far. */
  long size() {
    return output.count;
  }

  /** Ends writing; the content is on disk, still under the hidden name. */
  void finish() throws IOException {
    output.flush();
    file.force();
    file.close();
  }

  /** Gives a finished file its name. */
  void show(Path target) throws IOException {
    disk.move(hidden, target);
  }

  void delete() throws IOException {
    file.close();
    disk.deleteIfExists(hidden);
  }

  private static final class CountingOutput extends OutputStream {
    private final OutputStream buffer;
    private long count;

    CountingOutput(PartDisk.OpenFile file) {
      this.buffer = new BufferedOutputStream(new Unbuffered(file), BUFFER_BYTES);
    }

    @Override
    public void write(int b) throws IOException {
      buffer.write(b);
      count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      buffer.write(bytes, offset, length);
      count += length;
    }

    @Override
    public void flush() throws IOException {
      buffer.flush();
    }
  }

  private static final class Unbuffered extends OutputStream {
    private final PartDisk.OpenFile file;

    Unbuffered(PartDisk.OpenFile file) {
      this.file = file;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      file.write(bytes, offset, length);
    }
  }
}
