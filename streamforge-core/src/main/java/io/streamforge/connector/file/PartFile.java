package io.streamforge.connector.file;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file that has its name only once it is complete. */
final class PartFile {
  /*
   * Nobody else can take the name: its hidden file can be created once, the name is free at that
   * time, and only the owner of the hidden file moves a file there.
   */
  private static final int BUFFER_BYTES = 1 << 16;

  private final Path hidden;
  private final Path target;
  private final FileChannel channel;
  private final CountingOutput output;

  private PartFile(Path hidden, Path target, FileChannel channel) {
    this.hidden = hidden;
    this.target = target;
    this.channel = channel;
    this.output =
        new CountingOutput(
            new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES));
  }

  /** Begins a file; null when the name is taken. */
  static @Nullable PartFile create(Path directory, String name) throws IOException {
    Path target = directory.resolve(name);
    Path hidden = directory.resolve("." + name + ".inprogress");
    FileChannel channel;
    try {
      channel = FileChannel.open(hidden, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (FileAlreadyExistsException e) {
      return null;
    }
    PartFile part = new PartFile(hidden, target, channel);
    if (Files.exists(target)) {
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

  /** Gives the file its name after all of it is on disk. */
  void complete() throws IOException {
    output.flush();
    channel.force(true);
    channel.close();
    Files.move(hidden, target, StandardCopyOption.ATOMIC_MOVE);
    syncDirectory();
  }

  private void syncDirectory() throws IOException {
    Path directory = target.toAbsolutePath().getParent();
    if (directory == null) {
      return;
    }
    FileChannel opened;
    try {
      opened = FileChannel.open(directory, StandardOpenOption.READ);
    } catch (IOException e) {
      // Some systems cannot open directories; they keep the names of files without being asked.
      return;
    }
    try (opened) {
      opened.force(true);
    }
  }

  void delete() throws IOException {
    channel.close();
    Files.deleteIfExists(hidden);
  }

  private static final class CountingOutput extends FilterOutputStream {
    private long count;

    CountingOutput(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      count += length;
    }
  }
}
