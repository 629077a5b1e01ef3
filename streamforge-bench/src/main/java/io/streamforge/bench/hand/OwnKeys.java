package io.streamforge.bench.hand;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Input;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which records belong to one of several threads that all read the whole input and share its keys:
 * chunk by chunk, and without a branch that the processor would mispredict every other time.
 */
final class OwnKeys {
  private final Feed feed = Feed.current();
  private final AtomicLong read = feed.reader();
  private final long[] indexes = new long[Feed.CHUNK];
  private final Input input;
  private final int first;
  private final int count;
  private final boolean all;
  private long next;
  private long own;

  /** Those of one thread, which has a range of the keys. */
  OwnKeys(Input input, int thread, int threads) {
    this.input = input;
    int keys = (int) input.userCount();
    this.first = keys / threads * thread;
    this.count = thread == threads - 1 ? keys - first : keys / threads;
    this.all = threads == 1;
  }

  /** Finds the thread's indexes in the next chunk; how many, or −1 when there is no chunk. */
  int find() {
    read.lazySet(own);
    long from = next;
    if (feed.stopped() || from >= feed.limit()) {
      return -1;
    }
    long to = Math.min(feed.limit(), from + Feed.CHUNK);
    next = to;
    int found = all ? all(from, to) : some(from, to);
    own += found;
    return found;
  }

  private int all(long from, long to) {
    for (long index = from; index < to; index++) {
      indexes[(int) (index - from)] = index;
    }
    return (int) (to - from);
  }

  private int some(long from, long to) {
    int found = 0;
    for (long index = from; index < to; index++) {
      indexes[found] = index;
      int offset = (int) input.user(index) - first;
      found += (offset - count & ~offset) >>> 31;
    }
    return found;
  }

  /** The indexes found by the last call; the array is used again. */
  long[] indexes() {
    return indexes;
  }
}
