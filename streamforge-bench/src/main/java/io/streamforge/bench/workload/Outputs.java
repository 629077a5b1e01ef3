package io.streamforge.bench.workload;

import java.util.concurrent.atomic.AtomicLong;

/** What one task of a sink has seen. Not thread-safe. */
public final class Outputs {
  private static final long AHEAD = Feed.CHUNK - 1;

  private final Feed feed = Feed.current();
  private final AtomicLong published = feed.writer();
  private long hashes;

  /** Ahead by all but one of a chunk, so that the first output is published at once. */
  private long count = AHEAD;

  /** Of the current {@link Feed}. */
  public Outputs() {}

  /** One more output. */
  public void add(long hash) {
    hashes += hash;
    if ((++count & Feed.CHUNK - 1) == 0) {
      published.lazySet(count - AHEAD);
    }
  }

  /** So many have become visible, of a sink that adds their hashes at its end. */
  public void visible(long itsCount) {
    published.lazySet(itsCount);
  }

  /** There are no more. */
  public void end() {
    published.set(count - AHEAD);
    feed.add(hashes);
  }

  /** There are no more of a loop that has counted for itself. */
  public void end(long itsHashes, long itsCount) {
    hashes += itsHashes;
    count += itsCount;
    end();
  }
}
