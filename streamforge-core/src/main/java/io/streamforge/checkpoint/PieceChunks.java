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
  private final Iterator<Manifest.Piece> pieces;
  private Manifest.@Nullable Piece piece;
  private @Nullable FrameReader reader;
  private byte[] block = {};
  private int at;

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
    this.log = log;
    this.onRead = onRead;
    this.pieces = pieces.iterator();
  }

  @Override
  public byte @Nullable [] next() {
    try {
      if (!hasMore()) {
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

  /** Goes on to where there is a byte; false behind the last. */
  private boolean hasMore() throws IOException {
    while (at == block.length) {
      FrameReader current = reader;
      long before = current == null ? 0 : current.position();
      byte[] more = current == null ? null : current.next();
      if (current != null && more != null) {
        onRead.accept(current.position() - before);
        block = more;
        at = 0;
      } else if (pieces.hasNext()) {
        piece = pieces.next();
        reader = log.read(piece);
      } else {
        return false;
      }
    }
    return true;
  }

  private byte[] take(int length) throws IOException {
    Manifest.Piece of = piece;
    if (length < 0 || of == null) {
      throw damaged(of);
    }
    byte[] taken = new byte[length];
    for (int filled = 0; filled < length; ) {
      if (!hasMore() || piece != of) {
        throw damaged(of);
      }
      int count = Math.min(length - filled, block.length - at);
      System.arraycopy(block, at, taken, filled, count);
      at += count;
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
