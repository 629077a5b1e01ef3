package io.streamforge.source;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader made of one cursor a split, read in turns; what most sources need. A split that is
 * paused is passed over.
 */
public final class CursorReader<K, V> implements SourceReader<K, V> {
  /** How many records of a split are read before the next split has its turn. */
  private static final int TURN = 1024;

  /** Opens the cursor of a split at its position. */
  @FunctionalInterface
  public interface CursorFactory<K, V> {
    /** The cursor; an error names what cannot be opened. */
    SplitCursor<K, V> open(Split split) throws Exception;
  }

  private final CursorFactory<K, V> factory;
  private final boolean blocking;
  private final long pollMillis;
  private final List<@Nullable SplitCursor<K, V>> cursors = new ArrayList<>();
  private int open;
  private int turn;

  /** A reader whose cursors are made by {@code factory}. */
  public CursorReader(boolean blocking, long pollMillis, CursorFactory<K, V> factory) {
    this.blocking = blocking;
    this.pollMillis = pollMillis;
    this.factory = factory;
  }

  @Override
  public void add(Split split) throws Exception {
    cursors.add(factory.open(split));
    open++;
  }

  @Override
  public ReadStatus read(RecordOutput<K, V> output) throws Exception {
    boolean more = false;
    for (int i = 0; i < cursors.size() && !output.full(); i++) {
      int split = turn;
      turn = (turn + 1) % cursors.size();
      SplitCursor<K, V> cursor = cursors.get(split);
      if (cursor == null || output.paused(split)) {
        continue;
      }
      switch (cursor.read(output, split, TURN)) {
        case MORE -> more = true;
        case WAITING -> {}
        case ENDED -> {
          cursors.set(split, null);
          open--;
          cursor.close();
          output.end(split);
        }
      }
    }
    if (open == 0) {
      return ReadStatus.ENDED;
    }
    return more || output.full() ? ReadStatus.MORE : ReadStatus.WAITING;
  }

  @Override
  public boolean blocking() {
    return blocking;
  }

  @Override
  public long pollMillis() {
    return pollMillis;
  }

  @Override
  public void close() throws Exception {
    Exception first = null;
    for (int i = 0; i < cursors.size(); i++) {
      SplitCursor<K, V> cursor = cursors.set(i, null);
      if (cursor != null) {
        try {
          cursor.close();
        } catch (Exception e) {
          if (first == null) {
            first = e;
          } else {
            first.addSuppressed(e);
          }
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
