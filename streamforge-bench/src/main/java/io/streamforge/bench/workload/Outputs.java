package io.streamforge.bench.workload;

import java.util.concurrent.atomic.AtomicLong;

/** What one task of a sink has seen. Not thread-safe. */
public final class Outputs {
  private final Feed feed = Feed.current();
  private final AtomicLong published = feed.writer();
  private long hashes;
  private long count;

  /** Of the current {@link Feed}. */
  public Outputs() {}

  /** One more output. */
  public void add(long hash) {
    hashes += hash;
    if ((++count & Feed.CHUNK - 1) == 0) {
      published.lazySet(count);
    }
  }

  /** There are no more. */
  public void end() {
    published.set(count);
    feed.add(hashes);
  }

  /** There are no more of a loop that has counted for itself. */
  public void end(long itsHashes, long itsCount) {
    hashes += itsHashes;
    count += itsCount;
    end();
  }
}
