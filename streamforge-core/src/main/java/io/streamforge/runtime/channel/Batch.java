package io.streamforge.runtime.channel;

import io.streamforge.record.Headers;
import io.streamforge.record.Timestamps;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records laid out as parallel arrays, and the control events behind them. An empty batch is a
 * credit: whoever holds it may fill and send it. Owned by one thread at a time.
 *
 * <p>The arrays are made when the first record comes, so that channels which are never used cost
 * little. Hot path: fields are read and written directly.
 */
public final class Batch {
  private static final Object[] NONE = {};

  /** How many records it can take. */
  public final int capacity;

  /**
   * At how many records the sender is to send it, 1 to {@link #capacity}; the receiver sets it when
   * it gives the batch back. The two together bound the records under way to a slow receiver.
   */
  public int limit;

  /** Number of records. */
  public int size;

  /** Keys, values, hashes of the keys, timestamps. */
  public @Nullable Object[] keys = NONE;

  public @Nullable Object[] values = NONE;
  public long[] hashes = {};
  public long[] timestamps = {};

  /** Null until a record of this batch has headers. */
  public @Nullable Headers @Nullable [] headers;

  /** Behind the records: the sender's watermark. */
  public long watermark = Timestamps.MIN;

  /** Behind the records: whether the sender's input is idle. */
  public boolean idle;

  /** Behind the records: the sender has ended. */
  public boolean end;

  /** Behind the records and all else: number of the checkpoint whose barrier it is; 0: none. */
  public long barrier;

  /** Carries control events only and is not a credit. */
  public final boolean control;

  /** An empty batch; with capacity 0 a carrier of control events. */
  public Batch(int capacity) {
    this.capacity = capacity;
    this.limit = capacity;
    this.control = capacity == 0;
  }

  /** One with these records, which belongs to no channel. */
  public static Batch of(List<Overflow.Held> records) {
    Batch batch = new Batch(records.size());
    records.forEach(r -> batch.add(r.key(), r.value(), r.hash(), r.timestampMillis(), r.headers()));
    return batch;
  }

  /** Appends a record; the caller has checked that there is room. */
  public void add(
      @Nullable Object key,
      @Nullable Object value,
      long hash,
      long timestampMillis,
      @Nullable Headers recordHeaders) {
    int at = size;
    if (at == keys.length) {
      allocate();
    }
    keys[at] = key;
    values[at] = value;
    hashes[at] = hash;
    timestamps[at] = timestampMillis;
    if (recordHeaders != null) {
      if (headers == null) {
        headers = new Headers[capacity];
      }
      headers[at] = recordHeaders;
    }
    size = at + 1;
  }

  /** Headers of a record. */
  public @Nullable Headers headers(int at) {
    return headers == null ? null : headers[at];
  }

  private void allocate() {
    keys = new Object[capacity];
    values = new Object[capacity];
    hashes = new long[capacity];
    timestamps = new long[capacity];
  }

  /** Makes it empty and lets go of the objects it referred to. */
  public void clear() {
    Arrays.fill(keys, 0, size, null);
    Arrays.fill(values, 0, size, null);
    if (headers != null) {
      Arrays.fill(headers, 0, size, null);
    }
    size = 0;
    watermark = Timestamps.MIN;
    idle = false;
    end = false;
    barrier = 0;
  }
}
