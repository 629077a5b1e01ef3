package io.streamforge.backend.rocksdb;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Heap that is divided evenly among those that have asked for a share. Thread-safe. */
final class HeapShares {
  private final long bytes;
  private final AtomicInteger holders = new AtomicInteger();

  HeapShares(long bytes) {
    this.bytes = bytes;
  }

  /** A share, which shrinks with each further one. */
  LongSupplier add() {
    holders.incrementAndGet();
    return () -> bytes / holders.get();
  }
}
