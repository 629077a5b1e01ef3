package io.streamforge.backend.rocksdb;

import io.streamforge.serde.ByteWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries in the order in which they were appended; most of many are in a file. */
final class EntryLog implements AutoCloseable {
  /** What an entry is taken to have, where only bytes are known. */
  static final int TYPICAL_ENTRY_BYTES = 64;

  private static final int CHUNK_BYTES = 1 << 16;
  private static final int MAX_CHUNKS_ON_HEAP = 16;

  /** A number of whole entries. */
  private record Chunk(byte @Nullable [] bytes, long at, int length, @Nullable FileChannel file) {}

  private final Path directory;
  private final List<Chunk> chunks = new ArrayList<>();
  private final List<FileChannel> files = new ArrayList<>();
  private final ByteWriter last = new ByteWriter();
  private @Nullable FileChannel own;
  private long fileEnd;
  private int onHeap;
  private long bytes;

  /** An empty one; a file is made in the directory when it is needed. */
  EntryLog(Path directory) {
    this.directory = directory;
  }

  /** Appends an entry. */
  void append(ByteWriter entry) {
    last.writeBytes(entry.buffer(), 0, entry.size());
    bytes += entry.size();
    if (last.size() >= CHUNK_BYTES) {
      endChunk();
    }
  }

  private void endChunk() {
    byte[] chunk = last.toByteArray();
    last.reset();
    if (onHeap < MAX_CHUNKS_ON_HEAP) {
      onHeap++;
      chunks.add(new Chunk(chunk, 0, chunk.length, null));
      return;
    }
    try {
      FileChannel file = file();
      ByteBuffer from = ByteBuffer.wrap(chunk);
      while (from.hasRemaining()) {
        file.write(from, fileEnd + from.position());
      }
      chunks.add(new Chunk(null, fileEnd, chunk.length, file));
      fileEnd += chunk.length;
    } catch (IOException e) {
      throw RocksDbErrors.failed("changes cannot be noted in '" + directory + "'", e);
    }
  }

  private FileChannel file() throws IOException {
    FileChannel file = own;
    if (file == null) {
      Path path = Files.createTempFile(directory, "changes-", ".log");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      own = file;
      files.add(file);
    }
    return file;
  }

  /** Size of all entries. */
  long bytes() {
    return bytes;
  }

  /** Number of chunks; nothing is appended from now on. */
  int chunks() {
    if (last.size() > 0) {
      endChunk();
    }
    return chunks.size();
  }

  /** One of them. */
  byte[] chunk(int index) {
    Chunk chunk = chunks.get(index);
    if (chunk.bytes() != null) {
      return chunk.bytes();
    }
    byte[] read = new byte[chunk.length()];
    ByteBuffer into = ByteBuffer.wrap(read);
    FileChannel file = chunk.file();
    try {
      while (file != null && into.hasRemaining()) {
        if (file.read(into, chunk.at() + into.position()) < 0) {
          throw new IOException("a file of noted changes has become shorter");
        }
      }
    } catch (IOException e) {
      throw RocksDbErrors.failed("changes noted in '" + directory + "' cannot be read", e);
    }
    return read;
  }

  /** This one and then {@code later}, neither of which is used any more. */
  EntryLog followedBy(EntryLog later) {
    EntryLog both = new EntryLog(directory);
    chunks();
    later.chunks();
    both.chunks.addAll(chunks);
    both.chunks.addAll(later.chunks);
    both.files.addAll(files);
    both.files.addAll(later.files);
    both.onHeap = onHeap + later.onHeap;
    both.bytes = bytes + later.bytes;
    return both;
  }

  @Override
  public void close() {
    for (FileChannel file : files) {
      try {
        file.close();
      } catch (IOException e) {
        throw RocksDbErrors.failed("a file in '" + directory + "' cannot be closed", e);
      }
    }
  }
}
