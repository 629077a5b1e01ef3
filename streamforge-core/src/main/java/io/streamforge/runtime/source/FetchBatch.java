package io.streamforge.runtime.source;

import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Headers;
import io.streamforge.source.RecordOutput;
import io.streamforge.specialise.Specialised;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a blocking reader has read in one go: records and what it said between them, in order.
 * Filled on an I/O thread, drained by the task.
 */
@Specialised
final class FetchBatch implements RecordOutput<Object, Object> {
  /** What an entry is. */
  enum Kind {
    RECORD,
    SKIP,
    REJECTED,
    WATERMARK,
    END,
    BACKLOG
  }

  Kind[] kinds;
  int[] splits;
  @Nullable Object[] keys;
  @Nullable Object[] values;
  long[] timestamps;
  long[] positions;
  @Nullable Headers[] headers;
  int size;
  private boolean[] paused = {};
  private final int capacity;
  private final Runnable onFirst;

  /** An empty batch that tells of its first record. */
  FetchBatch(int capacity, Runnable onFirst) {
    this.capacity = capacity;
    this.onFirst = onFirst;
    kinds = new Kind[capacity];
    splits = new int[capacity];
    keys = new Object[capacity];
    values = new Object[capacity];
    timestamps = new long[capacity];
    positions = new long[capacity];
    headers = new Headers[capacity];
  }

  void begin(boolean[] pausedSplits) {
    paused = pausedSplits;
  }

  @Override
  public boolean full() {
    return size >= capacity;
  }

  @Override
  public boolean paused(int split) {
    return split < paused.length && paused[split];
  }

  @Override
  public void emit(
      int split,
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      @Nullable Headers recordHeaders,
      long nextPosition) {
    add(Kind.RECORD, split, key, value, timestampMillis, nextPosition);
    headers[size - 1] = recordHeaders;
  }

  @Override
  public void skip(int split, String reason, long nextPosition) {
    add(Kind.SKIP, split, null, reason, NO_TIMESTAMP, nextPosition);
  }

  @Override
  public void reject(int split, byte[] original, StreamForgeException failure, long nextPosition) {
    add(Kind.REJECTED, split, original, failure, NO_TIMESTAMP, nextPosition);
  }

  @Override
  public void watermark(int split, long watermarkMillis) {
    add(Kind.WATERMARK, split, null, null, NO_TIMESTAMP, watermarkMillis);
  }

  @Override
  public void end(int split) {
    add(Kind.END, split, null, null, NO_TIMESTAMP, 0);
  }

  @Override
  public void backlog(int split, long records) {
    add(Kind.BACKLOG, split, null, null, NO_TIMESTAMP, records);
  }

  private void add(
      Kind kind,
      int split,
      @Nullable Object key,
      @Nullable Object value,
      long timestampMillis,
      long position) {
    if (size == kinds.length) {
      // Ends and backlogs may come after the last record that fits.
      grow(size + 16);
    }
    if (size == 0) {
      onFirst.run();
    }
    kinds[size] = kind;
    splits[size] = split;
    keys[size] = key;
    values[size] = value;
    timestamps[size] = timestampMillis;
    positions[size] = position;
    size++;
  }

  private void grow(int room) {
    kinds = Arrays.copyOf(kinds, room);
    splits = Arrays.copyOf(splits, room);
    keys = Arrays.copyOf(keys, room);
    values = Arrays.copyOf(values, room);
    timestamps = Arrays.copyOf(timestamps, room);
    positions = Arrays.copyOf(positions, room);
    headers = Arrays.copyOf(headers, room);
  }

  void clear() {
    Arrays.fill(keys, 0, size, null);
    Arrays.fill(values, 0, size, null);
    Arrays.fill(headers, 0, size, null);
    size = 0;
  }
}
