package io.streamforge.bench.workload;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The indexes of one source of several: {@code first}, {@code first + stride}, …, chunk by chunk.
 * Not thread-safe.
 */
public final class Chunks {
  private final Feed feed = Feed.current();
  private final AtomicLong count = feed.reader();
  private final int stride;
  private long read;
  private long next;
  private long end;

  /** Of source {@code first} of {@code stride}. */
  public Chunks(int first, int stride) {
    this.stride = stride;
    this.next = first;
    this.end = first;
  }

  /**
   * Takes the next chunk, behind the indexes taken before; it is empty when there are none for the
   * moment. False when there will be no more.
   */
  public boolean advance() {
    count.lazySet(read);
    next = end;
    if (feed.stopped()) {
      return false;
    }
    long available = feed.available();
    if (next >= available) {
      return feed.waits(next);
    }
    long length = Math.min(Feed.CHUNK, (available - next + stride - 1) / stride);
    end = next + length * stride;
    read += length;
    return true;
  }

  /** Goes on from an index of this source, where an earlier process was; before the first chunk. */
  public void goOn(long index) {
    feed.restored((index - next) / stride);
    next = index;
    end = index;
  }

  /** First index of the chunk. */
  public long from() {
    return next;
  }

  /** Behind the last index of the chunk. */
  public long to() {
    return end;
  }
}
