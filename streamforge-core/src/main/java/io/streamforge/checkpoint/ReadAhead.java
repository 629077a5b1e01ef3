package io.streamforge.checkpoint;

import io.streamforge.scheduler.Scheduler;
import io.streamforge.storage.CheckpointStorage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;

/**
 * Asks the storage for parts of pieces before they are needed, several at a time on I/O threads: a
 * reader has what it needs at hand, and a storage that takes its time for each part, as one behind
 * a network does, takes it for all of them at once. Not thread-safe.
 */
public final class ReadAhead {
  /** Parts that are asked for and have not been taken: of a reader, at most so many MiB. */
  private static final int MAX_PARTS = 8;

  private final CheckpointStorage storage;
  private final Scheduler scheduler;
  private final Deque<Part> toAsk = new ArrayDeque<>();
  private final Deque<Asked> asked = new ArrayDeque<>();

  private record Part(String name, long offset, int length) {}

  private record Asked(Part part, CompletableFuture<byte[]> bytes) {}

  private ReadAhead(CheckpointStorage storage, List<Manifest.Piece> pieces, Scheduler scheduler) {
    this.storage = storage;
    this.scheduler = scheduler;
    for (Manifest.Piece piece : pieces) {
      Segment segment = piece.segment();
      for (long at = segment.offset(); at < segment.end(); at += FrameReader.AHEAD_BYTES) {
        long length = Math.min(FrameReader.AHEAD_BYTES, segment.end() - at);
        toAsk.add(new Part(piece.object(), at, (int) length));
      }
    }
  }

  /**
   * The chunks of these pieces, read ahead where other threads can make progress meanwhile.
   *
   * @param onRead as {@link PieceChunks} takes it
   */
  public static PieceChunks chunks(
      CheckpointLog log, List<Manifest.Piece> pieces, Scheduler scheduler, LongConsumer onRead) {
    if (!scheduler.concurrent()) {
      return new PieceChunks(log, pieces, onRead);
    }
    ReadAhead ahead = new ReadAhead(log.storage(), pieces, scheduler);
    return new PieceChunks(log, pieces, onRead, ahead::read);
  }

  /** As {@link CheckpointStorage#read}; at once where it is the part that comes next. */
  private byte[] read(String name, long offset, int length) throws IOException {
    ask();
    Asked next = asked.peek();
    if (next == null || !next.part.equals(new Part(name, offset, length))) {
      return storage.read(name, offset, length);
    }
    asked.remove();
    ask();
    try {
      return next.bytes.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for " + name);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  private void ask() {
    while (asked.size() < MAX_PARTS && !toAsk.isEmpty()) {
      Part part = toAsk.remove();
      CompletableFuture<byte[]> bytes = new CompletableFuture<>();
      asked.add(new Asked(part, bytes));
      scheduler.io(
          "read " + part.name,
          () -> {
            try {
              bytes.complete(storage.read(part.name, part.offset, part.length));
            } catch (Throwable e) {
              bytes.completeExceptionally(e);
            }
          });
    }
  }
}
