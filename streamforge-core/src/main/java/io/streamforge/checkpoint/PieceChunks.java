package io.streamforge.checkpoint;

import io.streamforge.backend.StoredState;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of some pieces, one piece after the other: each was written behind its length, as four
 * bytes. Not thread-safe.
 */
public final class PieceChunks implements StoredState.Chunks {
  private final CheckpointLog log;
  private final LongConsumer onRead;
  private final FrameReader.Parts parts;
  private final Iterator<Manifest.Piece> pieces;
  private Manifest.@Nullable Piece piece;
  private @Nullable FrameReader reader;

  /** Reads pieces of checkpoints of this log. */
  public PieceChunks(CheckpointLog log, List<Manifest.Piece> pieces) {
    this(log, pieces, bytes -> {});
  }

  /**
   * Reads pieces of checkpoints of this log.
   *
   * @param onRead told how many bytes of them, as they are stored, have been read and are whole
   */
  public PieceChunks(CheckpointLog log, List<Manifest.Piece> pieces, LongConsumer onRead) {
    this(log, pieces, onRead, log.storage()::read);
  }

  /** From parts of objects that something else reads. */
  PieceChunks(
      CheckpointLog log,
      List<Manifest.Piece> pieces,
      LongConsumer onRead,
      FrameReader.Parts parts) {
    this.log = log;
    this.onRead = onRead;
    this.parts = parts;
    this.pieces = pieces.iterator();
  }

  @Override
  public byte @Nullable [] next() {
    try {
      if (reader() == null) {
        return null;
      }
      int length = new ByteReader(take(Integer.BYTES)).readInt();
      return take(length);
    } catch (IOException e) {
      throw new StreamForgeException(
          ErrorCode.STORAGE_UNAVAILABLE,
          ErrorContext.position(log.location()),
          "a checkpoint in " + log.location() + " cannot be read: " + e,
          ErrorCode.STORAGE_UNAVAILABLE.remedy(),
          e);
    }
  }

  /** Goes on to where there is a byte; null behind the last. */
  private @Nullable FrameReader reader() throws IOException {
    FrameReader current = reader;
    while (current == null || current.remaining() == 0) {
      long before = current == null ? 0 : current.position();
      if (current != null && current.advance()) {
        onRead.accept(current.position() - before);
      } else if (pieces.hasNext()) {
        piece = pieces.next();
        current = FrameReader.segment(log.storage(), parts, piece.object(), piece.segment());
        reader = current;
      } else {
        return null;
      }
    }
    return current;
  }

  private byte[] take(int length) throws IOException {
    Manifest.Piece of = piece;
    if (length < 0 || of == null) {
      throw damaged(of);
    }
    byte[] taken = new byte[length];
    for (int filled = 0; filled < length; ) {
      FrameReader from = reader();
      if (from == null || piece != of) {
        throw damaged(of);
      }
      int count = Math.min(length - filled, from.remaining());
      from.take(taken, filled, count);
      filled += count;
    }
    return taken;
  }

  private DamagedObjectException damaged(Manifest.@Nullable Piece of) {
    return new DamagedObjectException(
        log.location(),
        of == null ? "" : of.object(),
        "has a part that ends in the middle of a chunk",
        null);
  }
}
