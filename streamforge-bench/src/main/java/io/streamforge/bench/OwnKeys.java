package io.streamforge.bench;

/**
 * Which records belong to one of several threads that all read the whole input and share its keys:
 * chunk by chunk, and without a branch that the processor would mispredict every other time.
 */
final class OwnKeys {
  private static final int CHUNK = 1024;

  /** The indexes of the chunk's records that are this thread's. */
  final long[] indexes = new long[CHUNK];

  private final int keys;
  private final int first;
  private final int count;

  /** Of {@code keys} keys those of one thread. */
  OwnKeys(int keys, int thread, int threads) {
    this.keys = keys;
    this.first = keys / threads * thread;
    this.count = thread == threads - 1 ? keys - first : keys / threads;
  }

  /** Finds those of the chunk that begins here; how many. */
  int find(long from, long to) {
    int found = 0;
    for (long index = from; index < to; index++) {
      indexes[found] = index;
      int offset = (int) Click.user(index, keys) - first;
      found += (offset - count & ~offset) >>> 31;
    }
    return found;
  }

  /** Where the chunk that begins here ends. */
  static long end(long from, long records) {
    return Math.min(records, from + CHUNK);
  }
}
