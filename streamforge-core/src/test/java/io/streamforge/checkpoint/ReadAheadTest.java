package io.streamforge.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.StreamForgeException;
import io.streamforge.scheduler.Scheduler;
import io.streamforge.scheduler.Task;
import io.streamforge.scheduler.TaskHandle;
import io.streamforge.serde.ByteWriter;
import io.streamforge.storage.file.DirectoryStorage;
import io.streamforge.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pieces of some MiB, read as they are and ahead. */
class ReadAheadTest {
  @TempDir Path temp;
  private CheckpointLog log;
  private DirectoryStorage storage;
  private final List<ByteBuffer> chunks = new ArrayList<>();
  private final List<Manifest.Piece> pieces = new ArrayList<>();

  /** Runs I/O work at once, and notes how much was asked for. */
  private static final class NotingScheduler implements Scheduler {
    final List<String> asked = new ArrayList<>();
    private final boolean concurrent;

    NotingScheduler(boolean concurrent) {
      this.concurrent = concurrent;
    }

    @Override
    public Clock clock() {
      throw new UnsupportedOperationException();
    }

    @Override
    public TaskHandle register(String name, int affinity, Task task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void io(String name, Runnable work) {
      asked.add(name);
      work.run();
    }

    @Override
    public void start() {}

    @Override
    public boolean concurrent() {
      return concurrent;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void write() throws IOException {
    storage = DirectoryStorage.open(temp.resolve("job"));
    log = CheckpointLog.open(storage, "job");
    Random random = new Random(1);
    for (int object = 0; object < 3; object++) {
      String name = "data/1-2-" + object;
      try (FrameWriter writer = new FrameWriter(storage.write(name), name, FrameKind.DATA)) {
        for (int piece = 0; piece < 2; piece++) {
          for (int i = 0; i < 40; i++) {
            byte[] chunk = new byte[random.nextInt(150_000)];
            random.nextBytes(chunk);
            chunks.add(ByteBuffer.wrap(chunk));
            ByteWriter length = new ByteWriter();
            length.writeInt(chunk.length);
            writer.write(length.buffer(), 0, length.size());
            writer.write(chunk, 0, chunk.length);
          }
          pieces.add(new Manifest.Piece(name, writer.endSegment()));
        }
        writer.finish();
      }
    }
  }

  private static List<ByteBuffer> read(PieceChunks from) {
    List<ByteBuffer> read = new ArrayList<>();
    for (byte @Nullable [] chunk; (chunk = from.next()) != null; ) {
      read.add(ByteBuffer.wrap(chunk));
    }
    return read;
  }

  private long bytes() {
    return pieces.stream().mapToLong(piece -> piece.segment().length()).sum();
  }

  @Test
  void chunksComeAsTheyWereWrittenAndAllBytesAreCounted() {
    long[] counted = new long[1];
    NotingScheduler scheduler = new NotingScheduler(true);

    List<ByteBuffer> read =
        read(ReadAhead.chunks(log, pieces, scheduler, count -> counted[0] += count));
    assertThat(read).isEqualTo(chunks);
    assertThat(counted[0]).isEqualTo(bytes());
    assertThat(read(new PieceChunks(log, pieces))).isEqualTo(chunks);
  }

  @Test
  void atMostEightMebibytesAreAskedForAheadOfTheReader() {
    NotingScheduler scheduler = new NotingScheduler(true);
    PieceChunks ahead = ReadAhead.chunks(log, pieces, scheduler, count -> {});
    assertThat(scheduler.asked).isEmpty();
    ahead.next();

    assertThat(scheduler.asked)
        .hasSize(9)
        .startsWith("read data/1-2-0")
        .contains("read data/1-2-1");
    read(ahead);
    long parts =
        pieces.stream().mapToLong(piece -> (piece.segment().length() + (1 << 20) - 1) >> 20).sum();
    assertThat(scheduler.asked).hasSize((int) parts);
  }

  @Test
  void whereNoOtherThreadMakesProgressNothingIsAskedForAhead() {
    NotingScheduler scheduler = new NotingScheduler(false);

    assertThat(read(ReadAhead.chunks(log, pieces, scheduler, count -> {}))).isEqualTo(chunks);
    assertThat(scheduler.asked).isEmpty();
  }

  @Test
  void objectThatIsMissingOrAlteredIsNamedWhenTheReaderComesToIt() throws IOException {
    Path second = temp.resolve("job").resolve("data/1-2-1");
    byte[] content = Files.readAllBytes(second);
    Files.delete(second);
    assertThatThrownBy(
            () -> read(ReadAhead.chunks(log, pieces, new NotingScheduler(true), count -> {})))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("'data/1-2-1'")
        .hasMessageContaining("is missing");
    content[content.length / 2] ^= 1;
    Files.write(second, content);
    long[] counted = new long[1];
    assertThatThrownBy(
            () ->
                read(
                    ReadAhead.chunks(
                        log, pieces, new NotingScheduler(true), count -> counted[0] += count)))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("'data/1-2-1'")
        .hasMessageContaining("its checksum is wrong");
    assertThat(counted[0])
        .as("what was whole before it")
        .isGreaterThan(pieces.get(0).segment().length() + pieces.get(1).segment().length())
        .isLessThan(bytes());
  }
}
